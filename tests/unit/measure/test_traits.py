"""Traits of questions, their counts and chances, against hand-worked ones."""

from math import comb

import pytest

from answerable.measure.traits import Asked, counts, tail, traits
from answerable.records.runs import Standing


def placed(item: str, words: int = 100, **about: object) -> Standing:
    return Standing(item, 1, "whole", uri=f"{item}.md", words=words, **about)  # type: ignore[arg-type]


def test_the_tail_is_the_hypergeometric_one() -> None:
    # Drawing 4 of 10 of which 5 are marked: at least 3 marked = (C(5,3)C(5,1) + C(5,4)) / C(10,4).
    assert tail(3, 4, 5, 10) == pytest.approx((10 * 5 + 5) / 210, rel=1e-12)
    assert tail(4, 4, 5, 10) == pytest.approx(5 / 210, rel=1e-12)
    assert tail(0, 4, 5, 10) == 1.0
    assert tail(1, 4, 5, 10) == pytest.approx(1 - 5 / 210, rel=1e-12)
    # All but two are marked: of four drawn at least two always are.
    assert tail(2, 4, 8, 10) == 1.0
    assert tail(5, 4, 8, 10) == 0.0


@pytest.mark.parametrize("here", [0, 3, 20, 35, 36, 37, 60, 110])
def test_the_tail_of_large_numbers_by_whole_numbers(here: int) -> None:
    draws, marked, of = 110, 740, 2300
    exact = sum(comb(marked, k) * comb(of - marked, draws - k) for k in range(here, draws + 1))
    assert tail(here, draws, marked, of) == pytest.approx(exact / comb(of, draws), rel=1e-8)


def test_what_a_question_has() -> None:
    asked = {
        "a": Asked(
            "one two",
            placed("a", 50, type="html", cuts=(("a.md", 7),)),
            placed("a", 50, type="html"),
        ),
        "b": Asked("one two three", placed("b", 60, headings=2, absent=("x",)), placed("b", 60)),
        "c": Asked("1 2 3 4 5 6", placed("c", 70, headings=5, absent=("x", "y", "z")), placed("c")),
        "d": Asked("1 2 3 4", placed("d", 2000), placed("d", 2000, cuts=(("d.md", 9),))),
        "e": Asked(
            "1 2 3 4 5", Standing("e", None, "unmeasured"), Standing("e", None, "unmeasured")
        ),
    }
    found = traits(asked)
    # Lengths 50 60 70 2000: the quarters are 1 of 4. Questions of 2 3 4 5 6: 2 of 5.
    assert found["a"] == (
        "evidence cut by the base",
        "type html",
        "no question word missing from the evidence",
        "heading depth 0",
        "document of 50 words or fewer (shortest quarter)",
        "question of 3 words or fewer (shortest quarter)",
    )
    assert found["b"] == (
        "1 or 2 question words missing from the evidence",
        "heading depth 2",
        "question of 3 words or fewer (shortest quarter)",
    )
    assert found["c"] == (
        "3 or more question words missing from the evidence",
        "heading depth 3 or more",
        "question of 5 words or more (longest quarter)",
    )
    assert found["d"] == (
        "evidence cut by the candidate",
        "no question word missing from the evidence",
        "heading depth 0",
        "document of 2,000 words or more (longest quarter)",
    )
    assert found["e"] == ("evidence not placed", "question of 5 words or more (longest quarter)")


def test_the_category_of_a_question_is_a_trait() -> None:
    asked = {
        "a": Asked("w w", placed("a"), placed("a"), "number"),
        "b": Asked("w w", placed("b"), placed("b")),
    }
    found = traits(asked)
    assert set(found["a"]) - set(found["b"]) == {"category number"}


def test_equal_lengths_make_no_quarter() -> None:
    asked = {item: Asked("w w", placed(item), placed(item)) for item in "abcd"}
    assert not [trait for found in traits(asked).values() for trait in found if "quarter" in trait]


def test_counts_at_both_ends_with_holm_over_all_looked_at() -> None:
    of = {
        "1": ("all", "t"), "2": ("all", "t"), "3": ("all", "t"), "4": ("all", "u"),
        "5": ("all", "u"), "6": ("all", "t"), "7": ("all", "u"), "8": ("all", "once"),
    }  # fmt: skip
    found = counts(of, gained=["1", "2", "3"], lost=["4", "5"])
    # Looked at: t (4 of 8) and u (3 of 8) at two ends; `all` parts nothing, `once` is one's own.
    # t in the 3 gained: C(4,3) / C(8,3) = 4/56. u in the 2 lost: C(3,2) / C(8,2) = 3/28.
    assert [(c.trait, c.end, c.here, c.of_here, c.all, c.of_all) for c in found] == [
        ("t", "gained", 3, 3, 4, 8),
        ("u", "lost", 2, 2, 3, 8),
    ]
    assert [c.p for c in found] == pytest.approx([4 / 56, 3 / 28])
    assert [c.p_holm for c in found] == pytest.approx([4 * 4 / 56, 3 * 3 / 28])


def test_an_end_without_questions_has_no_traits() -> None:
    assert counts({"1": ("t",), "2": ("t",), "3": ()}, [], []) == ()
