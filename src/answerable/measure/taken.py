"""The scores of a run by metric, and which metric stands for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from answerable.errors import NotComparable, UsageError
from answerable.measure.tally import Tally, tally
from answerable.records.evals import Score
from answerable.records.runs import Run

Taken = Mapping[str, Mapping[str, Score]]
"""Scores by metric and item id, both in the run's order."""

_WHOLE = re.compile(r"complete@([1-9][0-9]*)\Z")


def taken(run: Run) -> Taken:
    """Every score of a run; the first counts where an item stands twice under a metric."""
    found: dict[str, dict[str, Score]] = {}
    for score in run.scores:
        found.setdefault(score.metric, {}).setdefault(score.item_id, score)
    return found


def under(metric: str, known: Taken, run: Run) -> Mapping[str, Score]:
    """The scores of one metric; `complete@K` of any K is read off the standings where not scored.

    Raises UsageError with the metrics there are for one that was not measured.
    """
    if metric in known:
        return known[metric]
    if (depth := _WHOLE.match(metric)) and run.standings:
        kin = next((scores for name, scores in known.items() if _WHOLE.match(name)), None)
        return {score.item_id: score for score in _whole(run, metric, int(depth[1]), kin)}
    raise UsageError(
        f"{run.info.arm!r} has no metric {metric!r}", f"one of: {', '.join(known) or 'none'}"
    )


def tallies(run: Run, known: Taken) -> dict[str, Tally]:
    """Every metric of a run with its mean, and the failures among the questions it is about."""
    failures = {failure.item_id: failure for failure in run.failures}
    return {
        metric: tally(
            metric,
            tuple(scores.values()),
            [failures[item] for item in scores if item in failures],
            seed=run.info.seed,
        )
        for metric, scores in known.items()
    }


def by_category(run: Run, known: Taken) -> dict[str, Taken]:
    """The scores of a run by the category of the question, '' for those without one."""
    categories = {one.item_id: one.category for one in run.filed}
    found: dict[str, dict[str, dict[str, Score]]] = {}
    for metric, scores in known.items():
        for item, score in scores.items():
            under = found.setdefault(categories.get(item, ""), {})
            under.setdefault(metric, {})[item] = score
    return {category: found[category] for category in sorted(found)}


def headline(runs: Sequence[Run], known: Sequence[Taken], depth: int) -> str:
    """The metric that runs are compared by unless one is named.

    Complete evidence within the pieces that go to the model; where no run has evidence,
    nDCG@10, or else the first metric that all of them have.
    """
    whole = f"complete@{depth}"
    if all(_measurable(whole, scores, run) for run, scores in zip(runs, known, strict=True)):
        return whole
    shared = [name for name in known[0] if all(name in scores for scores in known[1:])]
    if not shared:
        arms = " and ".join(repr(run.info.arm) for run in runs)
        raise NotComparable(f"{arms} have no metric in common", "score them anew")
    return "nDCG@10" if "nDCG@10" in shared else shared[0]


def _measurable(metric: str, known: Taken, run: Run) -> bool:
    if metric not in known and not run.standings:
        return False
    return any(score.value is not None for score in under(metric, known, run).values())


def _whole(run: Run, metric: str, depth: int, kin: Mapping[str, Score] | None) -> Iterator[Score]:
    """Whether all evidence stood whole within a depth, for the items that such a metric is about.

    `kin`: the scores of the metric at a depth that was scored, None if at none.
    """
    for standing in run.standings:
        item = standing.item_id
        if kin is not None and item not in kin:
            continue
        if standing.state == "unmeasured":
            why = kin[item].why if kin else ""
            yield Score(item, metric, None, why or "its evidence cannot be placed")
        else:
            yield Score(item, metric, float(standing.rank is not None and standing.rank <= depth))
