"""What runs and live questions give over time, as series for control limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from answerable.errors import UsageError
from answerable.measure.comparable import check
from answerable.measure.drift import Point
from answerable.measure.layers import LAYERS, layer
from answerable.measure.taken import taken
from answerable.records.answers import Trace
from answerable.records.runs import Run

Series = Mapping[str, Sequence[Point]]
"""Points by metric, oldest first."""

LIVE: Mapping[str, str] = {
    "coverage": "retrieval",
    "similarity": "retrieval",
    "found nothing": "retrieval",
    "cited passages": "generation",
    "withheld": "generation",
    "refused": "end to end",
    "seconds": "end to end",
}
"""What is watched of live questions, without any mark, and its layer."""


def of_runs(runs: Sequence[Run], metrics: Sequence[str] = ()) -> Series:
    """The mean of each metric in each run, by the time of the run; all metrics if none is named.

    Raises NotComparable for runs of another golden set or version of the measures, or of which
    too much failed; UsageError for a metric that no run has.
    """
    for run in runs:
        check(runs[0], run)
    series: dict[str, list[Point]] = {}
    for run in sorted(runs, key=lambda run: (run.info.at, run.info.arm)):
        for metric, scores in taken(run).items():
            values = [score.value for score in scores.values() if score.value is not None]
            if values and (not metrics or metric in metrics):
                point = Point(run.info.at, sum(values) / len(values), len(values))
                series.setdefault(metric, []).append(point)
    if unknown := [name for name in metrics if name not in series]:
        there = ", ".join(name for run in runs[:1] for name in taken(run)) or "none"
        raise UsageError(f"no run measures {unknown[0]!r}", f"one of: {there}")
    order = {name: place for place, name in enumerate(LAYERS)}
    return dict(sorted(series.items(), key=lambda one: order[layer(one[0])]))


def of_traces(traces: Sequence[Trace], per: int = 50) -> Series:
    """Means over every `per` questions in a row, oldest first; a rest of fewer waits.

    `coverage` and `similarity` of the best passage (route's numbers), `found nothing`, `cited
    passages` (per answer), `withheld` (answers whose check failed, of all questions), `refused`,
    `seconds`. A metric that no trace of a group has gives no point.
    """
    whole = len(traces) - len(traces) % per
    series: dict[str, list[Point]] = {name: [] for name in LIVE}
    for start in range(0, whole, per):
        group = traces[start : start + per]
        for name, value in _LIVE.items():
            values = [found for trace in group if (found := value(trace)) is not None]
            if values:
                point = Point(group[-1].at, sum(values) / len(values), len(values))
                series[name].append(point)
    return {name: points for name, points in series.items() if points}


def _evidence(name: str) -> Callable[[Trace], float | None]:
    return lambda trace: dict(trace.route.evidence).get(name)


def _cited(trace: Trace) -> float | None:
    if trace.answer.refused:
        return None
    spans = {(c.document_id, c.span) for s in trace.answer.sentences for c in s.citations}
    return float(len(spans))


_LIVE: Mapping[str, Callable[[Trace], float | None]] = {
    "coverage": _evidence("coverage"),
    "similarity": _evidence("similarity"),
    "found nothing": lambda trace: float(not trace.passages),
    "cited passages": _cited,
    "withheld": lambda trace: float(not trace.verdict.passed),
    "refused": lambda trace: float(trace.answer.refused),
    "seconds": lambda trace: sum(seconds for _, seconds in trace.seconds),
}
