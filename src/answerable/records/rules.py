"""What a gate demands and says, and what a procedure advises."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GateRule:
    """One demand on a metric of the candidate; the limits that are None do not apply.

    `at_least` and `at_most` bound the mean; `not_worse_by`: with `confidence` (0.5..1, one-sided)
    the candidate is not worse than the baseline by more than this.
    """

    metric: str
    at_least: float | None = None
    at_most: float | None = None
    not_worse_by: float | None = None
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class GateFailure:
    """A rule that was broken, with the numbers and the questions that fell most."""

    metric: str
    rule: str
    detail: str
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether every rule held; `checked` are all rules in words with their numbers."""

    passed: bool
    checked: tuple[str, ...]
    failures: tuple[GateFailure, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a procedure: what was tried, what it gave, and what followed.

    `values` are (metric, mean) pairs; `delta`, `low`, `high` against the step it was compared
    with (None on the first).
    """

    name: str
    change: str
    values: tuple[tuple[str, float], ...]
    against: str
    delta: float | None
    low: float | None
    high: float | None
    decision: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What a procedure found: a change for a person to apply, or none, with why and how sure.

    `change` are recipe keys and values (empty: keep what is); `delta`, `low`, `high` of the
    advised against the current on `metric`.
    """

    change: tuple[tuple[str, str], ...]
    because: str
    metric: str
    delta: float | None
    low: float | None
    high: float | None
