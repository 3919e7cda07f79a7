"""Refusals counted by hand, and the curve against its definition."""

from itertools import permutations

import numpy as np
import pytest

from answerable.measure.refusal import (
    confidence,
    confusion,
    decide,
    judged,
    operating,
    risk_coverage,
    table,
)
from answerable.records.answers import Answer, Route, Trace, Verdict
from answerable.records.runs import Decision


def decision(name: str, sure: float | None, wrong: bool | None, **more: bool) -> Decision:
    given = {"answerable": True, "refused": False} | more
    return Decision(name, given["answerable"], given["refused"], wrong, sure)


def test_every_share_of_the_confusion_by_hand() -> None:
    decisions = [
        *(decision(f"right{n}", 0.9, False) for n in range(5)),
        decision("wrong", 0.8, True),
        decision("unknown", 0.8, None),
        decision("shy", 0.1, None, refused=True),
        *(decision(f"babble{n}", 0.7, True, answerable=False) for n in range(2)),
        *(decision(f"declined{n}", 0.1, True, answerable=False, refused=True) for n in range(3)),
    ]
    found = confusion(decisions)
    assert table(found) == {
        "answerable": {"answered": 7, "refused": 1},
        "unanswerable": {"answered": 2, "refused": 3},
    }
    assert (found.wrong, found.unknown) == (1, 1)
    assert found.precision == 3 / 4
    assert found.recall == 3 / 5
    assert found.f1 == pytest.approx(2 * (3 / 4) * (3 / 5) / (3 / 4 + 3 / 5))
    assert found.coverage == 9 / 13
    # Of nine answers one cannot be judged; three of the other eight are wrong.
    assert found.risk == 3 / 8


def test_shares_without_a_denominator_are_none() -> None:
    found = confusion([])
    assert {found.precision, found.recall, found.f1, found.coverage, found.risk} == {None}
    only = confusion([decision("q", 0.5, False)])
    assert (only.precision, only.recall, only.risk) == (None, None, 0.0)


def test_the_curve_by_hand() -> None:
    curve = risk_coverage(
        [decision("a", 0.9, False), decision("b", 0.8, True), decision("c", 0.7, False)]
    )
    assert [(p.confidence, p.coverage, p.risk) for p in curve.points] == [
        (0.9, pytest.approx(1 / 3), 0.0),
        (0.8, pytest.approx(2 / 3), 1 / 2),
        (0.7, 1.0, pytest.approx(1 / 3)),
    ]
    assert curve.aurc == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)
    # The best order has the wrong one last: risks 0, 0, 1/3.
    assert curve.best == pytest.approx(1 / 9)


def test_equal_confidences_come_in_together_as_the_mean_over_their_orders() -> None:
    wrong = {"a": False, "b": True, "c": True, "d": False}
    sure = {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.5}
    areas = []
    for tail in permutations("bcd"):
        errors = np.cumsum([wrong[name] for name in ("a", *tail)])
        areas.append(float(np.mean(errors / np.arange(1, 5))))
    decisions = [decision(name, sure[name], wrong[name]) for name in wrong]
    for order in (decisions, decisions[::-1]):
        curve = risk_coverage(order)
        assert curve.aurc == pytest.approx(float(np.mean(areas)))
        assert [p.coverage for p in curve.points] == [0.25, 1.0]


def test_what_cannot_be_placed_is_left_out_and_counted() -> None:
    decisions = [
        decision("right", 0.9, False),
        decision("unjudged", 0.8, None),
        decision("refused", 0.2, None, refused=True),
        decision("no numbers", None, True, answerable=False),
        decision("unanswerable", 0.3, True, answerable=False, refused=True),
    ]
    curve = risk_coverage(decisions)
    assert (curve.n, curve.left_out) == (2, 3)
    # Whether a question can be answered is known of each, so only the one without numbers is out.
    curve = risk_coverage(decisions, answers=False)
    assert (curve.n, curve.left_out) == (4, 1)
    assert curve.points[-1].risk == 1 / 4
    nothing = risk_coverage([])
    assert (nothing.aurc, nothing.best, nothing.n, nothing.points) == (None, None, 0, ())


def trace(refused: bool, **numbers: float) -> Trace:
    answer = Answer("" if refused else "Five.", None, (), refused)
    route = Route("refuse" if refused else "answer", "", tuple(numbers.items()))
    return Trace("t", "", "", "", "", "?", route, (), (), answer, Verdict(passed=True))


def test_confidence_from_the_numbers_of_the_route() -> None:
    assert confidence(trace(False, coverage=0.8, similarity=0.6, rare_missing=0.1)) == (
        pytest.approx(0.6)
    )
    assert confidence(trace(False, coverage=0.8, value=0.0)) == pytest.approx(0.8)
    assert confidence(trace(True, rare_missing=1.0)) == -1.0
    assert confidence(trace(True)) is None


def test_an_answer_to_an_unanswerable_question_is_wrong_and_a_refused_one_unknown() -> None:
    answered, refused = trace(False, coverage=0.5), trace(True, coverage=0.5)
    assert decide("q", True, answered, 1.0).wrong is False
    assert decide("q", True, answered, 0.0).wrong is True
    assert decide("q", True, answered, None).wrong is None
    assert decide("q", True, refused, 0.0).wrong is None
    assert decide("q", False, refused, None).wrong is True
    assert decide("q", False, answered, None).refused is False


def test_where_the_decisions_stand_now_by_hand() -> None:
    decisions = [
        decision("a", 0.9, False),
        decision("b", 0.8, True),
        decision("shy", 0.7, None, refused=True),
        decision("c", None, False),
        decision("babble", 0.2, True, answerable=False),
        decision("declined", 0.1, True, answerable=False, refused=True),
    ]
    # The refused answerable one cannot be judged and c has no confidence: four are placed, of
    # which a, b and babble are answered, two of them wrongly.
    assert operating(decisions) == (3 / 4, 2 / 3)
    # By unanswerable questions five are placed, three answered, one of them unanswerable.
    assert operating(decisions, answers=False) == (3 / 5, 1 / 3)
    assert operating([decision("d", 0.1, True, answerable=False, refused=True)]) is None
    assert operating([]) is None


def test_risk_is_of_wrong_answers_only_where_an_answer_was_judged() -> None:
    babble = decision("babble", 0.2, True, answerable=False)
    assert not judged([babble, decision("a", 0.9, None)])
    assert judged([babble, decision("a", 0.9, False)])
    assert not judged([])
