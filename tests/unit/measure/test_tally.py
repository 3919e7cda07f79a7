"""Means with their failures, counted by hand."""

import pytest

from answerable.measure.tally import spoilt, tally
from answerable.records.evals import Score
from answerable.records.runs import Failure


def scores(*values: float | None) -> list[Score]:
    return [
        Score(f"q{n}", "m", value, "" if value is not None else "no evidence is marked")
        for n, value in enumerate(values)
    ]


def test_failures_and_what_is_not_measurable_are_counted_apart() -> None:
    found = tally("m", scores(1.0, 0.5, None, None), [Failure("q9", "ask", "timeout")])
    assert (found.mean.value, found.mean.n, found.mean.unscored) == (0.75, 2, 2)
    assert found.unscored == (("no evidence is marked", 2),)
    assert (found.failed, found.failures, found.of) == ((("timeout", 1),), 1, 3)
    assert found.strict == pytest.approx(1.5 / 3)
    assert not found.comparable
    assert str(found) == (
        "0.7500, n=2 of 3, 1 failed (1 timeout), 0.5000 with these as 0, "
        "2 not measurable (2: no evidence is marked), not comparable: over 5% failed"
    )


def test_a_question_that_failed_is_counted_once_though_it_has_a_score() -> None:
    found = tally("m", scores(1.0, None), [Failure("q1", "score", "parse")])
    assert (found.failures, found.mean.unscored, found.of) == (1, 0, 2)


@pytest.mark.parametrize(("asked", "failed", "compares"), [(20, 1, True), (19, 1, False)])
def test_the_limit(asked: int, failed: int, compares: bool) -> None:
    failures = [Failure(f"f{n}", "ask", "timeout") for n in range(failed)]
    found = tally("m", scores(*[1.0] * (asked - failed)), failures)
    assert found.comparable is compares


def test_nothing_measured_is_no_mean_and_no_failure() -> None:
    found = tally("m", scores(None))
    assert (found.mean.value, found.strict, found.failures) == (None, None, 0)
    assert not found.comparable
    assert str(found).startswith("no mean, n=0 of 0, 1 not measurable")


def test_a_run_is_spoilt_over_the_limit_and_says_by_what() -> None:
    failures = [
        Failure("q1", "ask", "timeout"),
        Failure("q2", "ask", "parse"),
        Failure("q3", "ask", "timeout"),
        Failure("q3", "score", "timeout"),
    ]
    # Three of 60 are 5 %, three of 59 are more.
    assert spoilt(failures, 60) == ()
    assert spoilt(failures, 59) == (("timeout", 2), ("parse", 1))
    assert spoilt([], 0) == ()
