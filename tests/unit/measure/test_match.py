"""Spans against evidence, counted by hand."""

import numpy as np
import pytest

from answerable.measure.match import held, overlap, touched_at, whole_at
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem


@pytest.mark.parametrize(
    ("retrieved", "expected"),
    [
        ([("d", Span(0, 30))], "complete"),
        ([("d", Span(10, 20))], "complete"),
        ([("d", Span(0, 15)), ("d", Span(15, 40))], "complete"),
        ([("d", Span(0, 13)), ("d", Span(16, 40))], "partial"),
        ([("d", Span(0, 11))], "partial"),
        ([("d", Span(0, 10)), ("d", Span(20, 30))], "none"),
        ([("e", Span(0, 30))], "none"),
        ([], "none"),
    ],
)
def test_how_spans_hold_a_marked_one(retrieved: list, expected: str) -> None:
    assert held(("d", Span(10, 20)), retrieved) == expected


def test_all_evidence_or_all_of_one_alternative() -> None:
    item = GoldenItem(
        "i",
        "?",
        (Evidence("d", span=Span(0, 5)), Evidence("d", span=Span(50, 60))),
        ((Evidence("e", span=Span(3, 4)),),),
    )
    first, second, other = ("d", Span(0, 10)), ("d", Span(45, 70)), ("e", Span(0, 9))
    assert whole_at(item, [first]) is None
    assert whole_at(item, [first, second]) == 2
    assert whole_at(item, [first, other, second]) == 2
    assert touched_at(item, [("d", Span(5, 9)), ("d", Span(4, 9))]) == 2
    assert touched_at(item, [("d", Span(5, 9))]) is None


def test_documents_without_span_and_quotes_not_yet_anchored() -> None:
    assert whole_at(GoldenItem("i", "?", (Evidence("d"),)), [("d", Span(0, 1))]) == 1
    assert whole_at(GoldenItem("i", "?", (Evidence("d", "words"),)), [("d", Span(0, 9))]) is None
    assert whole_at(GoldenItem("i", "?"), [("d", Span(0, 9))]) is None


def test_overlap_in_characters() -> None:
    found = overlap(
        [("d", Span(0, 10)), ("d", Span(5, 20))], [("d", Span(15, 35)), ("e", Span(0, 10))]
    )
    # 20 marked, 30 retrieved, 5 shared.
    assert found.recall == pytest.approx(5 / 20)
    assert found.precision == pytest.approx(5 / 30)
    assert found.iou == pytest.approx(5 / 45)


def test_overlap_in_words_and_a_word_retrieved_twice() -> None:
    words = {"d": np.array([(0, 3), (4, 7), (8, 11), (12, 15)])}
    found = overlap([("d", Span(4, 11))], [("d", Span(8, 15)), ("d", Span(8, 11))], words)
    # Marked 2 words, retrieved 2 + 1, shared 1; together 2 + 3 - 1.
    assert (found.recall, found.precision, found.iou) == (0.5, pytest.approx(1 / 3), 0.25)


def test_nothing_retrieved_or_nothing_marked() -> None:
    assert overlap([("d", Span(0, 5))], []).precision == 0.0
    assert overlap([], [("d", Span(0, 5))]).recall is None


def test_neighbouring_windows_hold_together_what_their_border_divides():
    # "alpha beta" | " " | "gamma delta": the blank between two windows is in neither of them.
    marked = ("d", Span(6, 16))
    windows = [("d", Span(0, 10)), ("d", Span(11, 22))]
    assert held(marked, windows) == "complete"
    assert held(marked, windows[:1]) == "partial"
    item = GoldenItem("q", "?", (Evidence("d", "", Span(6, 16)),))
    assert whole_at(item, windows) == 2
    # A blank line between blocks is two characters; three are more than white space.
    assert held(marked, [("d", Span(0, 10)), ("d", Span(12, 22))]) == "complete"
    assert held(marked, [("d", Span(0, 10)), ("d", Span(13, 22))]) == "partial"
    # A seam at the edge of the evidence is missing text, not white space.
    assert held(marked, [("d", Span(7, 16))]) == "partial"
