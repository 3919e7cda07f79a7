"""Refusing: what was refused rightly and wrongly, and the risk of answering more or less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from answerable.records.answers import Trace
from answerable.records.runs import Decision


@dataclass(frozen=True, slots=True)
class Confusion:
    """Decisions counted: answerable ones answered or refused, unanswerable ones the same.

    Refusing is the positive class of `precision`, `recall` and `f1`; each None without a
    denominator. `wrong` of the answerable answered were answered wrongly, `unknown` of them
    cannot be judged.
    """

    answered: int
    refused: int
    babbled: int
    declined: int
    wrong: int
    unknown: int

    @property
    def precision(self) -> float | None:
        """Share of the refusals that were of unanswerable questions."""
        return _share(self.declined, self.refused + self.declined)

    @property
    def recall(self) -> float | None:
        """Share of the unanswerable questions that were refused."""
        return _share(self.declined, self.babbled + self.declined)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.declined, 2 * self.declined + self.refused + self.babbled)

    @property
    def coverage(self) -> float | None:
        """Share of all questions that were answered."""
        total = self.answered + self.refused + self.babbled + self.declined
        return _share(self.answered + self.babbled, total)

    @property
    def risk(self) -> float | None:
        """Share of the judged answers that are wrong; those to unanswerable questions are."""
        judged = self.answered - self.unknown + self.babbled
        return _share(self.wrong + self.babbled, judged)


@dataclass(frozen=True, slots=True)
class Point:
    """Answering only from `confidence` on: the share answered and the share of it wrong."""

    confidence: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The risk-coverage curve of `n` questions; `left_out` of more could not be placed.

    `aurc` is the mean risk over the coverages 1/n .. n/n and `best` what a perfect order of the
    same questions would have; None when nothing could be placed.
    """

    points: tuple[Point, ...]
    aurc: float | None
    best: float | None
    n: int
    left_out: int


def confidence(trace: Trace) -> float | None:
    """How sure the evidence is, -1..1, from the numbers of the trace's route.

    The mean of `coverage` and `similarity` (coverage alone where no similarity was measured),
    less `rare_missing`; -1 where nothing was found. None when the route has no numbers at all.
    It knows no threshold, so it says the same under every rule of refusing.
    """
    numbers = dict(trace.route.evidence)
    if not numbers:
        return None
    if "coverage" not in numbers:
        return -1.0
    shares = [numbers[name] for name in ("coverage", "similarity") if name in numbers]
    return sum(shares) / len(shares) - numbers.get("rare_missing", 0.0)


def decide(item_id: str, answerable: bool, trace: Trace, right: float | None) -> Decision:
    """The decision of a trace; `right` is the item's score under that measure, or None."""
    wrong: bool | None = None
    if not answerable:
        wrong = True
    elif not trace.answer.refused and right is not None:
        wrong = right < 1
    return Decision(item_id, answerable, trace.answer.refused, wrong, confidence(trace))


def confusion(decisions: Sequence[Decision]) -> Confusion:
    """The decisions counted."""
    answered = [d for d in decisions if d.answerable and not d.refused]
    return Confusion(
        len(answered),
        sum(d.answerable and d.refused for d in decisions),
        sum(not d.answerable and not d.refused for d in decisions),
        sum(not d.answerable and d.refused for d in decisions),
        sum(d.wrong is True for d in answered),
        sum(d.wrong is None for d in answered),
    )


def risk_coverage(decisions: Sequence[Decision], *, answers: bool = True) -> Curve:
    """Risk over coverage as answering goes from the surest question to the least sure.

    With `answers`, risk is the share of wrong answers, and questions of which that is not known
    (or that have no confidence) are left out: ask with thresholds that refuse nothing to have
    them all. Without, it is the share of unanswerable questions among those answered, which needs
    no answer. Questions of equal confidence come in together: within them risk is that of a random
    order, so that the order given does not matter (El-Yaniv & Wiener, JMLR 2010; AURC: Geifman,
    Uziel & El-Yaniv, ICLR 2019).
    """
    placed = sorted(_placed(decisions, answers), key=lambda one: -one[0])
    n, seen, errors, area = len(placed), 0, 0, 0.0
    points: list[Point] = []
    for sure, group in groupby(placed, key=lambda one: one[0]):
        wrong_ones = [wrong for _, wrong, _ in group]
        rate = sum(wrong_ones) / len(wrong_ones)
        area += sum((errors + i * rate) / (seen + i) for i in range(1, len(wrong_ones) + 1))
        seen, errors = seen + len(wrong_ones), errors + sum(wrong_ones)
        points.append(Point(sure, seen / n, errors / seen))
    right = n - errors
    best = sum((i - right) / i for i in range(right + 1, n + 1))
    left_out = len(decisions) - n
    return Curve(tuple(points), _share(area, n), _share(best, n), n, left_out)


def operating(decisions: Sequence[Decision], *, answers: bool = True) -> tuple[float, float] | None:
    """(coverage, risk) of the decisions as they were taken, among the questions of the curve.

    None when none of these was answered.
    """
    placed = _placed(decisions, answers)
    given = [wrong for _, wrong, refused in placed if not refused]
    return (len(given) / len(placed), sum(given) / len(given)) if given else None


def judged(decisions: Sequence[Decision]) -> bool:
    """Whether risk can be the share of wrong answers: of some answer it is known if it is wrong.

    Without that only unanswerable questions would be counted, and the risk be 1 everywhere.
    """
    return any(d.answerable and d.wrong is not None for d in decisions)


def table(found: Confusion) -> Mapping[str, Mapping[str, int]]:
    """The confusion matrix by what a question is and what was done."""
    return {
        "answerable": {"answered": found.answered, "refused": found.refused},
        "unanswerable": {"answered": found.babbled, "refused": found.declined},
    }


def _placed(decisions: Sequence[Decision], answers: bool) -> list[tuple[float, bool, bool]]:
    """(confidence, whether an answer is wrong, refused) of those of which that is known."""
    return [
        (d.confidence, wrong, d.refused)
        for d in decisions
        for wrong in [d.wrong if answers else not d.answerable]
        if d.confidence is not None and wrong is not None
    ]


def _share(part: float, of: float) -> float | None:
    return part / of if of else None
