"""A small collection measured by hand, and one cutting alone equal to it among others."""

import math

import numpy as np
import pytest

from answerable.adapters.formats.beir import document
from answerable.errors import UsageError
from answerable.flow.beir import BeirRule, measure_beir, measure_many
from answerable.rank.analyze import Analyzer
from answerable.records.collection import Collection
from answerable.records.docs import Span
from answerable.records.index import Piece

EN = Analyzer("en")
DOCUMENTS = (
    document("a", "Pumps", "pump pump pump valve. The pump leaks oil."),
    document("b", "Valves", "pump valve here"),
    document("c", "Cheese only", ""),
)
COLLECTION = Collection(
    "small",
    "test",
    DOCUMENTS,
    {"q1": "pump", "q2": "cheese", "q3": "leaks oil", "q4": "absent words"},
    {"q1": {"b": 2, "a": 1}, "q2": {"c": 1}, "q3": {"a": 1}, "q4": {"b": 0}},
    {"q3": (("a", Span(31, 40)), ("b", Span(0, 4)))},
)


def whole(doc):
    return [Piece(Span(0, len(doc.text)))] if doc.text else []


def halves(doc):
    return (
        [Piece(Span(0, 21)), Piece(Span(22, len(doc.text)))] if len(doc.text) > 30 else whole(doc)
    )


def test_by_hand() -> None:
    found = measure_beir(COLLECTION, whole, EN, BeirRule(k=1))
    one, two, three, four = found.per_question
    assert one.ranked == ("a", "b")
    # At depth 1: gain of `a` over gain of `b`, in both forms.
    assert (one.ndcg, one.ndcg_exponential) == (pytest.approx(1 / 2), pytest.approx(1 / 3))
    assert (one.recall, one.held, one.words) == (1.0, 1.0, 8)
    # An empty text is found by its title.
    assert (two.ranked, two.ndcg, two.words) == (("c",), 1.0, 0)
    assert (three.span_held, three.spans_held) == (1.0, 0.0)
    assert (four.ndcg, four.held, four.ranked) == (None, None, ())
    assert (found.ndcg.n, found.ndcg.unscored) == (3, 1)
    assert found.pieces == 3


def test_pieces_become_their_document_once() -> None:
    found = measure_beir(COLLECTION, halves, EN)
    one = found.per_question[0]
    assert found.pieces == 4
    assert [uri for uri, _ in one.top].count("a") == 2
    assert one.ranked == ("a", "b")
    assert one.ndcg == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)))


class Letters:
    """A stand-in embedder of two dimensions: how much of a text speaks of cheese, and the rest."""

    fingerprint, dimensions, limit = "letters", 2, 100

    def passages(self, texts):
        rows = np.array([[t.lower().count("chees"), 0.5] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    questions = passages

    def count(self, text):
        return len(text.split())

    def spans(self, text):
        raise NotImplementedError


def test_dense_and_hybrid_lists() -> None:
    found = measure_beir(COLLECTION, whole, EN, BeirRule(mode="dense"), Letters())
    assert found.per_question[1].ranked == ("c", "a", "b")
    both = measure_beir(COLLECTION, whole, EN, BeirRule(mode="hybrid"), Letters())
    # q1: lexical a, b; dense a, b, c: fused the same way round.
    assert both.per_question[0].ranked == ("a", "b", "c")
    # q4 shares no word: only the dense list speaks.
    assert both.per_question[3].ranked == ("a", "b", "c")
    with pytest.raises(UsageError, match="needs an embedder"):
        measure_beir(COLLECTION, whole, EN, BeirRule(mode="dense"))
    with pytest.raises(UsageError, match="no mode"):
        BeirRule(mode="sparse")


def test_several_cuttings_equal_each_alone() -> None:
    together = measure_many(COLLECTION, {"w": whole, "h": halves}, EN)
    assert [result.cut for result in together] == ["w", "h"]
    for cut, result in zip((whole, halves), together, strict=True):
        assert measure_beir(COLLECTION, cut, EN).per_question == result.per_question
