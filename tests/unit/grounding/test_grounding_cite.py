"""Citation marks beyond the case collection."""

from __future__ import annotations

import pytest

from answerable.grounding.cite import cited, marks, without_marks
from answerable.records.answers import Citation
from answerable.records.docs import Span


def source(number: int) -> Citation:
    return Citation(f"d{number}", f"{number}.md", "", "", (), Span(0, 1), "x")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Red [1–3].", (1, 2, 3)),
        ("Red[2].", (2,)),
        ("Use `x[1]` here [2].", (2,)),
        ("f(x)[1] is code", ()),
        ("[1]: https://example.org", ()),
        ("赤い[1]。青い［2，3］。", (1, 2, 3)),
        ("Red [1; 2].", (1, 2)),
    ],
)
def test_marks(text: str, found: tuple[int, ...]) -> None:
    assert (marks(text, 3).cited, marks(text, 3).unknown) == (found, ())


def test_a_huge_range_is_not_counted_out() -> None:
    assert marks("All [1-9999].", 3).unknown == (9999,)


def test_sentences_carry_the_sources_of_their_own_marks() -> None:
    answer = cited("Red [1]. Blue [2, 3]. None.", [source(1), source(2), source(3)])
    assert [[c.document_id for c in s.citations] for s in answer.sentences] == [
        ["d1"],
        ["d2", "d3"],
        [],
    ]
    assert all(answer.text[s.span.start : s.span.end] == s.text for s in answer.sentences)


def test_an_unknown_number_leaves_its_sentence_without_sources() -> None:
    assert cited("Red [1][7].", [source(1)]).sentences[0].citations == ()


def test_marks_are_taken_out() -> None:
    assert without_marks("Red [1], blue [2].") == "Red, blue."
