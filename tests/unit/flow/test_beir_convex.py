"""Convex fusion of a collection's lists: its ends are the two lists, its middle is counted."""

import math

import numpy as np
import pytest

from answerable.adapters.formats.beir import document
from answerable.errors import UsageError
from answerable.flow.beir import BeirRule, measure_beir, measure_rules
from answerable.rank.analyze import Analyzer
from answerable.records.collection import Collection
from answerable.records.docs import Span
from answerable.records.index import Piece

# Each text has four words; `pump` stands in a twice, in b once, in c never.
DOCUMENTS = (
    document("a", "", "pump pump valve oil"),
    document("b", "", "pump valve oil hose"),
    document("c", "", "valve oil hose seal"),
)
COLLECTION = Collection("small", "test", DOCUMENTS, {"q": "pump"}, {"q": {"a": 1}})
COSINES = {"a": 0.6, "b": 0.8, "c": 1.0}


class Given:
    """The question lies on one axis, and each text at the cosine that is given for it."""

    fingerprint, dimensions, limit = "given", 2, 100

    def passages(self, texts):
        named = {found.text: COSINES[found.uri] for found in DOCUMENTS}
        return np.array([[named[t], math.sqrt(1 - named[t] ** 2)] for t in texts], np.float32)

    def questions(self, texts):
        return np.array([[1.0, 0.0]] * len(texts), np.float32)

    def count(self, text):
        return len(text.split())

    def spans(self, text):
        raise NotImplementedError


def whole(read):
    return [Piece(Span(0, len(read.text)))]


def ranked(weight: float) -> tuple[str, ...]:
    rule = BeirRule(mode="hybrid", fusion="convex", weight=weight, k1=1.0, b=0.0)
    found = measure_beir(COLLECTION, whole, Analyzer("en"), rule, Given())
    return found.per_question[0].ranked


def test_the_weight_moves_from_words_to_vectors() -> None:
    # With k1 = 1 and b = 0 a term scores idf * tf / (tf + 1), over the ceiling idf:
    # a 2/3, b 1/2, c 0. At weight w: a (1-w) 2/3 + 0.6 w, b (1-w) / 2 + 0.8 w, c w.
    # a and b meet where (1-w) / 6 = 0.2 w, so w = 5/11; b and c where (1-w) / 2 = 0.2 w: 5/7;
    # a and c where (1-w) 2/3 = 0.4 w: 5/8.
    assert ranked(0.0) == ("a", "b")
    assert ranked(0.45) == ("a", "b", "c")
    assert ranked(0.46) == ("b", "a", "c")
    assert ranked(0.62) == ("b", "a", "c")
    assert ranked(0.63) == ("b", "c", "a")
    assert ranked(0.72) == ("c", "b", "a")
    assert ranked(1.0) == ("c", "b", "a")


def test_a_fusion_or_weight_that_is_none() -> None:
    with pytest.raises(UsageError, match="no fusion 'sum'"):
        BeirRule(fusion="sum")
    with pytest.raises(UsageError, match=r"weight 1\.5"):
        BeirRule(weight=1.5)


def test_rules_measured_together_equal_each_alone() -> None:
    rules = {
        "words": BeirRule(),
        "near": BeirRule(mode="dense"),
        "ranks": BeirRule(mode="hybrid"),
        "other words": BeirRule(k1=2.0, b=1.0),
        "both": BeirRule(mode="hybrid", fusion="convex", weight=0.6, depth=2),
    }
    together = measure_rules(COLLECTION, whole, Analyzer("en"), rules, Given())
    assert [result.cut for result in together] == list(rules)
    for rule, result in zip(rules.values(), together, strict=True):
        alone = measure_beir(COLLECTION, whole, Analyzer("en"), rule, Given())
        assert result.per_question == alone.per_question
