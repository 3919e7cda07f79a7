"""The figure of one question's ranked pieces."""

import pytest

from answerable.errors import UsageError
from answerable.flow.probe import Aim
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.index import Chunk


def chunk(document, start, end, words=10):
    return Chunk(f"{document}{start}", document, Span(start, end), "", (), "paragraph", words, 0)


ITEM = GoldenItem("q", "?", (Evidence("a", "", Span(10, 20)), Evidence("b", "", Span(0, 5))))
RANKED = [chunk("c", 0, 50), chunk("a", 0, 30), chunk("b", 0, 9), chunk("a", 30, 60)]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("complete@2", 0.0),
        ("complete@3", 1.0),
        ("complete in 29 words", 0.0),
        ("complete in 30 words", 1.0),
        ("held@1", 0.0),
        ("held@2", 1.0),
        # Documents c, a, b: gains at ranks 2 and 3 over those at 1 and 2.
        ("nDCG@10", (1 / 1.584963 + 1 / 2) / (1 + 1 / 1.584963)),
        ("MRR", 0.5),
    ],
)
def test_each_figure(metric, value):
    assert Aim(metric, "").value(ITEM, RANKED) == pytest.approx(value, abs=1e-6)


def test_a_piece_longer_than_the_words_given_is_not_in_them():
    """Else whole documents would win every budget: cost would not be equal."""
    long = GoldenItem("q", "?", (Evidence("c", "", Span(10, 20)),))
    assert Aim("complete in 500 words", "").value(long, [chunk("c", 0, 50, words=500)]) == 1.0
    assert Aim("complete in 499 words", "").value(long, [chunk("c", 0, 50, words=500)]) == 0.0


def test_without_evidence_nothing_is_measurable():
    bare = GoldenItem("q", "?")
    for metric in ("complete@3", "complete in 30 words", "held@2", "nDCG@10"):
        assert Aim(metric, "").value(bare, RANKED) is None


def test_nothing_found_is_a_miss_and_not_unmeasurable():
    for metric in ("complete@3", "complete in 30 words", "held@2", "nDCG@10"):
        assert Aim(metric, "").value(ITEM, []) == 0.0


@pytest.mark.parametrize("metric", ["complete", "held", "complete in few words", "best"])
def test_an_unknown_figure_is_refused_at_once(metric):
    with pytest.raises(UsageError, match="no measure"):
        Aim(metric, "")
