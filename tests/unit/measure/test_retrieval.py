"""Measures against values worked out by hand."""

import math
import warnings

import pytest

from answerable.errors import InputError, UsageError
from answerable.measure import retrieval as r

Q3 = {"d1": 1, "d2": 1, "d3": 1}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("P@5", 0.4),
        ("recall@5", 2 / 3),
        ("success@5", 1.0),
        ("MRR", 1.0),
        ("MAP", 2 / 3),
        ("rprec", 2 / 3),
        ("nDCG@5", 0.7653606369886217),
        ("judged@5", 1.0),
    ],
)
def test_fewer_results_than_k(name: str, expected: float) -> None:
    assert r.measure(name)(["d1", "d2"], Q3) == pytest.approx(expected, abs=1e-9)
    if name != "judged@5":
        assert r.measure(name)([], Q3) == 0.0


def test_the_two_gains() -> None:
    grades = {"a": 1, "b": 2}
    linear = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    steep = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert r.measure("ndcg@10")(["a", "b"], grades) == pytest.approx(linear)
    assert r.measure("ndcg_exp@10")(["a", "b"], grades) == pytest.approx(steep)


def test_negative_grades_gain_nothing_but_are_judged() -> None:
    grades = {"a": -1, "b": 1}
    assert r.ndcg(["a", "b"], grades, 10) == pytest.approx(1 / math.log2(3))
    assert r.judged(["a", "x"], grades, 2) == 0.5
    assert r.average_precision(["a", "b"], grades) == 0.5


def test_ties_fall_by_id_as_strings() -> None:
    assert r.in_trec_order({"7": 1.0, "10": 1.0, "8": 0.5, "9": 2.0}) == ("9", "7", "10", "8")


def test_scores_that_single_precision_cannot_part_are_tied() -> None:
    # pytrec_eval-terrier 0.5.11 gives reciprocal rank 0.5 for `a` here.
    assert r.in_trec_order({"a": 1.0 + 1e-9, "b": 1.0}) == ("b", "a")


def test_missing_questions_count_zero_and_unjudged_ones_are_named() -> None:
    run = {"q1": ["d1", "d8", "d2"], "q9": ["d1"]}
    qrels = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}, "q3": {"d4": 1, "d5": 1}}
    found = r.evaluate("map", run, qrels)
    assert [s.value for s in found.scores] == [pytest.approx(5 / 6), 0.0, 0.0]
    assert found.unjudged == ("q9",)
    assert not found.strangers


def test_a_question_without_a_relevant_document_is_not_measurable() -> None:
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 0}, "q3": {}}
    found = r.evaluate("ndcg@5", {"q1": ["d1"], "q2": ["d2"]}, qrels)
    assert [s.value for s in found.scores] == [1.0, None, None]
    assert found.scores[1].why == "no relevant document is marked"


def test_a_run_that_shares_no_id_with_the_judgements_says_so() -> None:
    assert r.evaluate("mrr", {"q": ["007"]}, {"q": {"7": 1}}).strangers


@pytest.mark.parametrize(
    "name", ["recall", "ndcg@0", "ndcg@x", "what@5", "P", "ndcg@-1", "rprec@5"]
)
def test_unknown_measures(name: str) -> None:
    with pytest.raises(UsageError):
        r.measure(name)


def test_scores_beyond_single_precision_are_ties_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert r.in_trec_order({"a": 1e39, "b": 1e40, "c": 1.0}) == ("b", "a", "c")


def test_a_gain_beyond_any_number_is_a_named_fault() -> None:
    with pytest.raises(InputError, match="too great"):
        r.measure("ndcg_exp@10")(["d"], {"d": 10**9})
    assert r.measure("nDCG@10")(["d"], {"d": 10**9}) == 1.0


def test_a_depth_of_thousands_of_digits_is_no_measure() -> None:
    with pytest.raises(UsageError, match="no measure"):
        r.measure("nDCG@" + "9" * 5000)
