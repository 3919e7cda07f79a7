"""Pieces pooled for labelling, and labels turned into evidence."""

from answerable.flow.pool import graded, latest, pool, settle
from answerable.records.docs import Document, Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.labels import Label, Pooled

TEXT = "".join(chr(97 + at % 26) for at in range(1000))
DOCUMENTS = {
    id: Document(id, f"kb/{id}.md", id.upper(), TEXT, (), "sha", "plain") for id in ("d", "e")
}
ITEM = GoldenItem("q", "Why?")


def shown(*arms, item=ITEM, depth=10, seed=0, **more) -> list[tuple[str, int, int]]:
    found = pool([item], [{"q": arm} for arm in arms], DOCUMENTS, depth, seed, **more)
    return sorted((one.document, one.span.start, one.span.end) for one in found)


def test_pieces_of_all_arms_down_to_the_depth() -> None:
    one = [("d", Span(0, 100)), ("d", Span(100, 200)), ("d", Span(200, 300))]
    two = [("e", Span(0, 100)), ("d", Span(0, 100))]
    assert shown(one, two, depth=2) == [
        ("kb/d.md", 0, 100),
        ("kb/d.md", 100, 200),
        ("kb/e.md", 0, 100),
    ]


def test_a_piece_half_shown_already_is_left_out() -> None:
    small = [("d", Span(0, 100)), ("d", Span(150, 250))]
    # 0..400 shows 200 of 400 again, exactly half; 60..500 shows 40 + 100 of 440.
    assert shown(small, [("d", Span(0, 400))]) == [("kb/d.md", 0, 100), ("kb/d.md", 150, 250)]
    assert ("kb/d.md", 60, 500) in shown(small, [("d", Span(60, 500))])


def test_what_is_known_is_not_asked_again_unless_wanted() -> None:
    item = GoldenItem(
        "q",
        "Why?",
        (Evidence("d", "", Span(10, 20)),),
        judged=(Evidence("d", "", Span(500, 600), 0), Evidence("e", grade=0)),
    )
    pieces = [
        ("d", Span(0, 100)),  # holds the evidence
        ("d", Span(500, 620)),  # 100 of 120 judged
        ("d", Span(590, 700)),  # 10 of 110 judged
        ("e", Span(0, 50)),  # the document is judged
    ]
    assert shown(pieces, item=item) == [("kb/d.md", 590, 700)]
    assert len(shown(pieces, item=item, known=True)) == 4


def test_order_is_by_seed_and_not_by_arm_or_rank() -> None:
    spans = [("d", Span(at, at + 50)) for at in range(0, 1000, 50)]
    items = [GoldenItem(name, f"{name}?") for name in "abcdefgh"]
    one = [{i.id: spans[:10] for i in items}, {i.id: spans[10:] for i in items}]
    other = [{i.id: spans[10:][::-1] for i in items}, {i.id: spans[:10] for i in items}]
    first = pool(items, one, DOCUMENTS, 20, 7)
    assert first == pool(items[::-1], other, DOCUMENTS, 20, 7)
    assert first != pool(items, one, DOCUMENTS, 20, 8)
    starts = [passage.span.start for passage in first if passage.item_id == "a"]
    assert starts != sorted(starts) and len(starts) == 20
    questions = list(dict.fromkeys(passage.item_id for passage in first))
    assert sorted(questions) == list("abcdefgh") != questions


def test_the_latest_label_of_a_labeller_counts() -> None:
    labels = [Label("p", "ann", 1), Label("p", "bob", 0), Label("p", "ann", 3)]
    assert latest(labels) == {"ann": {"p": 3}, "bob": {"p": 0}}


def test_labellers_settle_on_the_middle_the_lower_of_two_or_on_nothing() -> None:
    settled, unsettled = settle(
        {
            "ann": {"near": 2, "far": 3, "alone": 1, "three": 0},
            "bob": {"near": 3, "far": 1, "three": 3},
            "cem": {"three": 3},
        }
    )
    assert settled == {"near": 2, "alone": 1, "three": 3}
    assert unsettled == ("far",)


def passages(*names: str) -> list[Pooled]:
    return [
        Pooled(name, "q", "Why?", "kb/d.md", "D", Span(at, at + 10), name * 10)
        for at, name in enumerate(names)
    ]


def evidence(at: int, name: str, grade: int) -> Evidence:
    return Evidence("kb/d.md", name * 10, Span(at, at + 10), grade)


def test_whole_answers_are_ways_and_the_rest_is_judged() -> None:
    found, why = graded(ITEM, passages(*"abcd"), {"a": 0, "b": 3, "c": 2, "d": 3})
    assert why == ""
    assert found.evidence == (evidence(1, "b", 3),)
    assert found.alternatives == ((evidence(3, "d", 3),),)
    assert found.judged == (evidence(0, "a", 0), evidence(2, "c", 2))


def test_parts_are_one_way_together_only_where_there_is_no_other() -> None:
    found, _ = graded(ITEM, passages(*"abc"), {"a": 2, "b": 2, "c": 1})
    assert found.evidence == (evidence(0, "a", 2), evidence(1, "b", 2))
    assert (found.alternatives, found.judged) == ((), (evidence(2, "c", 1),))
    known = GoldenItem("q", "Why?", (Evidence("x"),))
    found, _ = graded(known, passages("a"), {"a": 2})
    assert found.evidence == (Evidence("x"),) and found.judged == (evidence(0, "a", 2),)


def test_grading_twice_adds_nothing() -> None:
    once, _ = graded(ITEM, passages(*"ab"), {"a": 3, "b": 0})
    assert graded(once, passages(*"ab"), {"a": 3, "b": 0})[0] == once


def test_an_answer_to_an_unanswerable_question_is_told_and_not_taken() -> None:
    item = GoldenItem("q", "Why?", answerable=False)
    assert graded(item, passages("a"), {"a": 3}) == (
        item,
        "it is marked not answerable, and a passage is graded 3",
    )
    judged, why = graded(item, passages("a"), {"a": 2})
    assert (judged.evidence, judged.judged, why) == ((), (evidence(0, "a", 2),), "")
