"""A metric over a run: its mean, with what failed and what could not be measured beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from answerable.measure.stats import Mean, mean
from answerable.records.evals import Score
from answerable.records.runs import Failure

FAILURE_LIMIT = 0.05
"""The share of failed questions above which a run is not comparable: what fails is rarely drawn
at random, so the mean over the rest says little."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One metric over all questions it applies to.

    `mean` is over the measured values; its `unscored` are those not measurable, which `unscored`
    counts by why. `failed` counts by cause the questions that could not be asked or judged;
    `strict` is the mean with these as 0, None when there is nothing but what is not measurable.
    """

    metric: str
    mean: Mean
    unscored: tuple[tuple[str, int], ...]
    failed: tuple[tuple[str, int], ...]
    strict: float | None
    limit: float = FAILURE_LIMIT

    @property
    def failures(self) -> int:
        """How many questions failed."""
        return sum(count for _, count in self.failed)

    @property
    def of(self) -> int:
        """How many questions should have a value: those that have one, and those that failed."""
        return self.mean.n + self.failures

    @property
    def comparable(self) -> bool:
        """Whether anything was measured and no more failed than the limit allows."""
        return self.mean.n > 0 and self.failures <= self.limit * self.of

    def __str__(self) -> str:
        value = self.mean.value
        parts = ["no mean" if value is None else f"{value:.4f}", f"n={self.mean.n} of {self.of}"]
        if self.failed:
            causes = ", ".join(f"{count} {cause}" for cause, count in self.failed)
            parts.append(f"{self.failures} failed ({causes})")
            parts.append(f"{self.strict:.4f} with these as 0")
        if self.unscored:
            causes = ", ".join(f"{count}: {why}" for why, count in self.unscored)
            parts.append(f"{self.mean.unscored} not measurable ({causes})")
        if self.failed and not self.comparable:
            parts.append(f"not comparable: over {self.limit:.0%} failed")
        return ", ".join(parts)


def tally(
    metric: str,
    scores: Sequence[Score],
    failures: Sequence[Failure] = (),
    *,
    seed: int = 0,
    limit: float = FAILURE_LIMIT,
) -> Tally:
    """The scores of one metric put together with the failures that concern it.

    A question that failed counts as failed, once, whether or not it has a score without a value.
    """
    causes = {failure.item_id: failure.cause for failure in failures}
    kept = [score for score in scores if score.item_id not in causes]
    found = mean([score.value for score in kept], seed=seed)
    total = sum(score.value for score in kept if score.value is not None)
    of = found.n + len(causes)
    return Tally(
        metric,
        found,
        _counted(score.why for score in kept if score.value is None),
        _counted(causes.values()),
        total / of if of else None,
        limit,
    )


def spoilt(
    failures: Sequence[Failure], questions: int, *, limit: float = FAILURE_LIMIT
) -> tuple[tuple[str, int], ...]:
    """The causes with their counts where more of the questions failed than the limit, else ()."""
    causes = {failure.item_id: failure.cause for failure in failures}
    return _counted(causes.values()) if len(causes) > limit * questions else ()


def _counted(causes: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Causes with their numbers, the most frequent first."""
    counts = Counter(causes)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
