"""Two runs side by side: pairs, skips, both ends, notes; and what is not comparable."""

from dataclasses import replace

import pytest

from answerable.errors import NotComparable, UsageError
from answerable.measure.compare import compare, compare_all, least, verdict
from answerable.records.runs import Failure, Filed, Standing
from made_runs import made_run


def at(item: str, rank: int | None, state: str, **about: object) -> Standing:
    return Standing(item, rank, state, uri=f"{item}.md", words=100, **about)  # type: ignore[arg-type]


def test_pairs_means_and_counts() -> None:
    base = made_run("whole", {"m": {"a": 1.0, "b": 0.5, "c": 0.0, "d": 0.25}})
    other = made_run("cut", {"m": {"d": 0.25, "c": 1.0, "b": 0.25, "a": 0.75}})
    found = compare(base, other, "m")
    # a -0.25, b -0.25, c +1, d 0.
    assert (found.base, found.candidate, found.metric, found.depth) == ("whole", "cut", "m", 5)
    assert (found.base_mean, found.candidate_mean, found.delta) == (0.4375, 0.5625, 0.125)
    assert (found.wins, found.ties, found.losses, found.n) == (1, 1, 2, 4)
    assert [m.item_id for m in found.gained] == ["c"]
    assert [m.item_id for m in found.lost] == ["a", "b"]
    # |1| >= |+-1 +-.25 +-.25| sums: reached by 1.5, 1, 1 and .5 is not: of 8, those with |s| >= .5.
    assert found.p == found.p_holm == 1.0
    assert found.detectable is None
    assert verdict(found) == "no difference shown (4 questions are too few to show any)"


def test_never_equal_but_what_could_have_been_shown() -> None:
    items = {f"q{i}": 1.0 for i in range(100)}
    found = compare(made_run("a", {"m": items}), made_run("b", {"m": items}), "m")
    assert (found.delta, found.p, found.ties) == (0.0, 1.0, 100)
    # Of 100 pairs, 7.8 must be expected to move for six to do so with 80 %.
    assert verdict(found) == "no difference shown (100 questions can show 0.078 or more)"


def test_less_is_better_for_words() -> None:
    many = {f"q{i}": 900.0 for i in range(10)}
    few = {f"q{i}": 300.0 + i for i in range(10)}
    found = compare(
        made_run("whole", {"words@5": many}), made_run("cut", {"words@5": few}), "words@5"
    )
    assert found.delta == pytest.approx(-595.5)
    assert (found.wins, found.losses) == (10, 0)
    assert [m.item_id for m in found.gained][:2] == ["q0", "q1"]
    assert found.p == 2 / 1024
    assert verdict(found) == "cut is better than whole"
    assert verdict(replace(found, delta=595.5)) == "cut is worse than whole"


def test_what_is_skipped_says_why() -> None:
    base = made_run(
        "a",
        {"m": {"a": 1.0, "b": None, "c": 1.0, "f": 1.0}, "other": {"x": 1.0}},
        failures=[Failure("e", "ask", "time-out")],
        questions={item: item for item in "abcefx"} | {f"n{i}": "" for i in range(20)},
        whys={"b": "its quote was not found"},
    )
    other = made_run(
        "b",
        {"m": {"a": 1.0, "b": 0.0, "d": 1.0, "e": 1.0}, "other": {"x": 1.0}},
        failures=[Failure("f", "score", "no text")],
        questions={item: item for item in "abdefx"} | {f"n{i}": "" for i in range(20)},
    )
    assert compare(base, other, "m").skipped == (
        ("b", "not measurable in the base: its quote was not found"),
        ("c", "missing from the candidate"),
        ("e", "failed in the base at ask: time-out"),
        ("f", "failed in the candidate at score: no text"),
        ("d", "missing from the base"),
    )


def test_holm_is_over_the_family() -> None:
    items = [f"q{i}" for i in range(8)]
    zeros = dict.fromkeys(items, 0.0)
    up = dict.fromkeys(items, 1.0)
    base = made_run("a", {"m": zeros, "n": zeros, "k": zeros})
    other = made_run("b", {"m": up, "n": zeros, "k": zeros})
    alone = compare(base, other, "m")
    assert alone.p == alone.p_holm == 2 / 256
    assert compare(base, other, "m", family=("m", "n", "k")).p_holm == 3 * 2 / 256
    # A metric of one run only has no part in it.
    assert compare(base, made_run("b", {"m": up}), "m", family=("n", "m")).p_holm == 2 / 256
    # Of several the first is tested alone; the correction is over the others.
    base = made_run("a", {"m": zeros, "n": zeros, "k": zeros})
    other = made_run("b", {"m": up, "n": zeros, "k": zeros | {"q1": 1.0}})
    every = compare_all(base, other, ["n", "m", "k"])
    assert [c.metric for c in every] == ["n", "m", "k"]
    assert [c.p_holm for c in every] == [1.0, 2 * 2 / 256, 1.0]
    assert compare_all(base, other, ["m", "n", "k"])[0].p_holm == 2 / 256


def test_twins_are_one_test_and_only_the_first_of_a_layer_and_depth_are_in_the_family() -> None:
    items = [f"q{i}" for i in range(8)]

    def moving(*moved: int) -> dict[str, float]:
        return {item: float(at in moved) for at, item in enumerate(items)}

    after = {
        "complete@5": moving(*range(8)),  # the headline
        "hit@5": moving(*range(8)),  # its twin
        "nDCG@10": moving(*range(7)),
        "recall@10": moving(*range(6)),  # behind nDCG@10
        "lexical nDCG@5": moving(0, 1),  # one stage of the search
        "strict": moving(*range(7)),  # a twin of nDCG@10, and the lead of its layer
        "value": moving(0),  # behind strict
        "mine": moving(*range(5)),  # a measure of the user's
    }
    base = made_run("a", dict.fromkeys(after, moving()))
    found = {one.metric: one for one in compare_all(base, made_run("b", after))}
    alone = {8: 2 / 256, 7: 2 / 128, 6: 2 / 64, 5: 2 / 32, 2: 2 / 4, 1: 1.0}
    assert found["complete@5"].p_holm == found["hit@5"].p_holm == alone[8]
    # Two tests lead beside the headline: that of nDCG@10 and strict, and the user's own.
    assert found["nDCG@10"].p_holm == found["strict"].p_holm == 2 * alone[7]
    assert found["mine"].p_holm == alone[5]
    # The others are corrected over all five tests beside the headline's.
    assert found["recall@10"].p_holm == 4 * alone[6]
    assert found["lexical nDCG@5"].p_holm == 1.0
    # Named, all of them are in the family.
    named = {one.metric: one for one in compare_all(base, made_run("b", after), [*after])}
    assert named["mine"].p_holm == 3 * alone[5]


def test_both_ends_with_where_the_evidence_stood() -> None:
    base = made_run(
        "whole",
        {"complete@5": {"a": 1.0, "b": 0.0, "c": 0.0, "d": 1.0}},
        [at("a", 1, "whole"), at("b", 30, "missed"), at("c", None, "missed"), at("d", 2, "whole")],
    )
    other = made_run(
        "cut",
        {"complete@5": {"a": 0.0, "b": 1.0, "c": 1.0, "d": 1.0}},
        [
            at("a", None, "cut", cuts=(("a.md", 412),)),
            at("b", 4, "whole"),
            at("c", 1, "whole"),
            at("d", 5, "whole"),
        ],
    )
    found = compare(base, other)
    assert found.metric == "complete@5"
    # Both gained 1; the evidence of c went from nowhere to rank 1, of b from 30 to 4.
    assert [(m.item_id, m.base.rank, m.candidate.rank) for m in found.gained] == [
        ("c", None, 1),
        ("b", 30, 4),
    ]
    (lost,) = found.lost
    assert (lost.base.state, lost.candidate.state, lost.candidate.cuts) == (
        "whole",
        "cut",
        (("a.md", 412),),
    )
    assert "evidence cut by the candidate" in lost.traits
    assert found.notes == (
        "the mean hides movement: 3 of 4 questions moved (2 gained, 1 lost), by 1 each on "
        "average, while the mean moved by +0.25",
        "1 of the 1 questions whose score is the same have their evidence at another rank",
    )


def test_categories_are_traits_counted_over_those_compared() -> None:
    before = dict.fromkeys("abcdef", 0.0)
    base = made_run("whole", {"m": before})
    other = made_run("cut", {"m": before | {"a": 1.0, "b": 1.0}})
    filed = tuple(Filed(item, "date" if item in "abc" else "number", "g") for item in "abcde")
    # The candidate's folder may be of a version that kept no categories.
    found = compare(replace(base, filed=filed), other, "m")
    counted = {one.trait: one for one in found.traits}
    one = counted["category date"]
    assert (one.end, one.here, one.of_here, one.all, one.of_all) == ("gained", 2, 2, 3, 6)
    # Both of two drawn from six hold one of the three: 3 of the 15 pairs.
    assert one.p == pytest.approx(3 / 15)
    assert "category number" not in counted


def test_equal_moves_stand_in_the_order_of_ids() -> None:
    base = made_run("a", {"m": {"z": 0.0, "b": 0.1, "a": 0.0}})
    other = made_run("b", {"m": {"z": 0.2, "b": 0.3, "a": 0.2}})
    assert [m.item_id for m in compare(base, other, "m").gained] == ["a", "b", "z"]


def test_a_mean_that_moves_with_its_questions_hides_nothing() -> None:
    base = made_run("a", {"m": {f"q{i}": 0.0 for i in range(20)}})
    other = made_run("b", {"m": {f"q{i}": float(i < 5) for i in range(20)}})
    assert compare(base, other, "m").notes == ()


def test_another_depth_is_read_off_the_ranks() -> None:
    standings = [at("a", 3, "whole"), at("b", 8, "missed"), at("c", None, "unmeasured")]
    base = made_run("a", {"complete@5": {"a": 1.0, "b": 0.0, "c": None}}, standings)
    other = made_run("b", {"complete@5": {"a": 1.0, "b": 0.0, "c": None}}, [
        at("a", 1, "whole"), at("b", 12, "missed"), at("c", None, "unmeasured"),
    ])  # fmt: skip
    found = compare(base, other, depth=10)
    assert (found.metric, found.depth, found.n) == ("complete@10", 10, 2)
    assert [(m.item_id, m.base.state, m.candidate.state) for m in found.lost] == [
        ("b", "whole", "not whole")
    ]
    assert found.skipped == (
        ("c", "not measurable in the base: no evidence; "
         "not measurable in the candidate: no evidence"),
    )  # fmt: skip
    assert compare(base, other, depth=2).gained[0].item_id == "a"


def test_without_evidence_the_documents_metric_stands_for_the_run() -> None:
    scores = {"recall@10": {"a": 1.0}, "nDCG@10": {"a": 1.0}, "complete@5": {"a": None}}
    base, other = made_run("a", scores), made_run("b", scores)
    assert compare(base, other).metric == "nDCG@10"
    assert [c.metric for c in compare_all(base, other)] == ["nDCG@10", "recall@10"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"golden_sha256": "c3" * 32}, "golden set b2b2b2b2b2b2 against c3c3c3c3c3c3"),
        ({"checker": "2"}, "checker version 1 against 2"),
    ],
)
def test_runs_of_other_things_are_not_comparable(change: dict[str, str], words: str) -> None:
    scores = {"m": {"a": 1.0}}
    with pytest.raises(NotComparable) as caught:
        compare(made_run("a", scores), made_run("b", scores, **change), "m")
    assert words in caught.value.message
    assert caught.value.exit_code == 2


def test_disjoint_questions_and_failures_are_not_comparable() -> None:
    base = made_run("a", {"m": {"a": 1.0, "b": 1.0}})
    with pytest.raises(NotComparable, match=r"no question in common \(2 against 1\)"):
        compare(base, made_run("b", {"m": {"c": 1.0}}), "m")
    many = {f"q{i}": 1.0 for i in range(19)}
    one = [Failure("f", "ask", "time-out")]
    compare(made_run("a", {"m": many}), made_run("b", {"m": many}, failures=one), "m")
    few = {f"q{i}": 1.0 for i in range(18)}
    with pytest.raises(
        NotComparable, match=r"1 of 19 questions failed in candidate 'b', over .* 5%"
    ):
        compare(made_run("a", {"m": few}), made_run("b", {"m": few}, failures=one), "m")


def test_a_metric_that_is_not_there_or_measures_nothing_in_common() -> None:
    base = made_run("a", {"m": {"a": 1.0}, "n": {"a": None}})
    other = made_run("b", {"m": {"a": 1.0}, "n": {"a": 1.0}})
    with pytest.raises(UsageError, match="'a' has no metric 'x'") as caught:
        compare(base, other, "x")
    assert caught.value.hint == "one of: m, n"
    with pytest.raises(NotComparable, match="no question is measured in both"):
        compare(base, other, "n")


def test_notes_name_what_else_may_have_changed() -> None:
    base = made_run("a", {"m": {"a": 1.0}})
    other = made_run("b", {"m": {"a": 1.0}}, depth=10, sha256="d4" * 32, complete=False)
    assert compare(base, other, "m").notes == (
        "a sends 5 pieces to the model, b 10; evidence is compared within 5",
        "the runs stand under different locks: more than the arm may have changed",
        "the run of b is not complete: questions not yet asked are skipped",
    )


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (0.0234, "0.023"),
        (0.58, "0.58"),
        (1.66, "1.7"),
        (42.4, "42"),
        (166.3, "166"),
        (2e4, "20,000"),
    ],
)
def test_the_smallest_difference_is_a_plain_decimal(difference: float, said: str) -> None:
    assert least(difference) == said
