"""Two runs compared, paired by question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from answerable.errors import NotComparable
from answerable.measure.comparable import check
from answerable.measure.layers import higher_is_better, leading
from answerable.measure.movement import at_depth, ends, hidden
from answerable.measure.stats import Paired, detectable, holm, paired
from answerable.measure.taken import Taken, headline, taken, under
from answerable.measure.traits import Asked, counts, traits
from answerable.records.comparison import Comparison
from answerable.records.evals import Score
from answerable.records.runs import Run, Standing

SHOWN = 0.05
"""A difference is shown when its corrected p is at most this."""


def compare(
    base: Run,
    candidate: Run,
    metric: str = "",
    *,
    seed: int = 0,
    depth: int = 0,
    family: Sequence[str] = (),
) -> Comparison:
    """Candidate minus base under one metric, with the questions at both ends.

    `metric` '': the headline metric; `depth` 0: the base's. `family` are all the metrics that are
    looked at (Holm); those that cannot be compared have no part in it. Raises NotComparable where
    the runs measure different things, UsageError for a metric that a run has not.
    """
    sides = _Sides(base, candidate, depth)
    metric = metric or sides.headline()
    pairing = sides.pairing(metric)
    tested = sides.test(pairing, seed)
    others = [
        sides.test(found, seed).p
        for name in dict.fromkeys(family)
        if name != metric and name in sides.shared() and (found := sides.maybe(name)) is not None
    ]
    return sides.comparison(pairing, tested, holm([tested.p, *others])[0], 1 + len(others))


def compare_all(
    base: Run, candidate: Run, metrics: Sequence[str] = (), *, seed: int = 0, depth: int = 0
) -> tuple[Comparison, ...]:
    """The runs under each of the metrics; the first decides, the others are looked at as well.

    Without `metrics`: the headline metric first, then every other that both runs have. Those that
    no question measures on both sides are left out. The first is tested alone. Holm's correction
    is over the other metrics that were named, or else over those that lead a layer and depth
    (`layers.leading`); what neither was named nor leads is corrected over all. Metrics with the
    same difference for every question are one test.
    """
    sides = _Sides(base, candidate, depth)
    names = dict.fromkeys(metrics or (sides.headline(), *sides.shared()))
    pairings = [found for name in names if (found := sides.maybe(name)) is not None]
    if not pairings:
        raise sides.nothing(", ".join(names))
    tests = [sides.test(pairing, seed) for pairing in pairings]
    leaders = set(metrics or leading(pairing.metric for pairing in pairings))
    families = _families(pairings, tests, leaders)
    return tuple(
        sides.comparison(pairing, tested, *families[pairing.metric])
        for pairing, tested in zip(pairings, tests, strict=True)
    )


def _families(
    pairings: Sequence[_Pairing], tests: Sequence[Paired], leaders: Set[str]
) -> dict[str, tuple[float, int]]:
    """Each metric's p after Holm's correction, and over how many tests it was made."""
    same = {pairing.metric: pairing.differences() for pairing in pairings}
    first = same[pairings[0].metric]
    every, led = dict[_Differences, float](), dict[_Differences, float]()
    for pairing, tested in zip(pairings, tests, strict=True):
        if (one := same[pairing.metric]) != first:
            every.setdefault(one, tested.p)
            if pairing.metric in leaders:
                led.setdefault(one, tested.p)
    found = {first: (tests[0].p, 1)}
    for family in (led, every):
        for one, p in zip(family, holm([*family.values()]), strict=True):
            found.setdefault(one, (p, len(family)))
    return {metric: found[one] for metric, one in same.items()}


def shown(comparison: Comparison) -> int:
    """1 where the candidate is shown to be better, -1 where worse, 0 where nothing is shown."""
    if comparison.p_holm > SHOWN or not comparison.delta:
        return 0
    return 1 if (comparison.delta > 0) == higher_is_better(comparison.metric) else -1


def verdict(comparison: Comparison) -> str:
    """What a comparison shows, in words; never that two are equal."""
    found = comparison
    if side := shown(found):
        return f"{found.candidate} is {'better' if side > 0 else 'worse'} than {found.base}"
    return f"no difference shown ({power(found)})"


def power(comparison: Comparison) -> str:
    """What so many questions can show, in words."""
    if comparison.detectable is None:
        return f"{comparison.n} questions are too few to show any"
    return f"{comparison.n} questions can show {least(comparison.detectable)} or more"


def least(difference: float) -> str:
    """A smallest difference, to two digits; from 10 on whole, and never with an exponent."""
    if difference >= 10:
        return f"{difference:,.0f}"
    return f"{difference:.1f}" if difference >= 1 else f"{difference:.2g}"


_Differences = frozenset[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class _Pairing:
    """One metric's values by item measured on both sides, and what was left out, with why."""

    metric: str
    values: Mapping[str, tuple[float, float]]
    skipped: tuple[tuple[str, str], ...]

    def differences(self) -> _Differences:
        """What tells tests apart: the items and how far each moved."""
        moved = ((item, round(after - before, 12)) for item, (before, after) in self.values.items())
        return frozenset(moved)


class _Sides:
    """Two comparable runs, read once for any number of metrics."""

    def __init__(self, base: Run, candidate: Run, depth: int) -> None:
        check(base, candidate)
        self.base, self.candidate = base, candidate
        self.depth = depth or base.info.depth
        self.known: tuple[Taken, Taken] = (taken(base), taken(candidate))
        self.failed = [{f.item_id: f for f in run.failures} for run in (base, candidate)]
        known = dict(base.questions)
        questions = known | {i: text for i, text in candidate.questions if i not in known}
        categories = {one.item_id: one.category for run in (candidate, base) for one in run.filed}
        first, second = (self._standings(run) for run in (base, candidate))
        self.asked = {
            item: Asked(
                text,
                first.get(item) or Standing(item, None, "unmeasured"),
                second.get(item) or Standing(item, None, "unmeasured"),
                categories.get(item, ""),
            )
            for item, text in questions.items()
        }
        self.traits = traits(self.asked)

    def headline(self) -> str:
        return headline((self.base, self.candidate), self.known, self.depth)

    def shared(self) -> list[str]:
        return [name for name in self.known[0] if name in self.known[1]]

    def maybe(self, metric: str) -> _Pairing | None:
        found = self.pairing(metric)
        return found if found.values else None

    def pairing(self, metric: str) -> _Pairing:
        first = under(metric, self.known[0], self.base)
        second = under(metric, self.known[1], self.candidate)
        values, skipped = {}, []
        for item in self.asked:
            one, other = first.get(item), second.get(item)
            if one and other and one.value is not None and other.value is not None:
                values[item] = (one.value, other.value)
            elif why := "; ".join(self._why(item, one, other)):
                skipped.append((item, why))
        return _Pairing(metric, values, tuple(skipped))

    def test(self, pairing: _Pairing, seed: int) -> Paired:
        if not pairing.values:
            raise self.nothing(pairing.metric, pairing.skipped)
        before, after = zip(*pairing.values.values(), strict=True)
        return paired(before, after, seed=seed)

    def comparison(
        self, pairing: _Pairing, tested: Paired, p_holm: float, family: int
    ) -> Comparison:
        values, n = pairing.values, tested.n
        higher = higher_is_better(pairing.metric)
        asked = {item: self.asked[item] for item in values}
        of = {item: self.traits[item] for item in values}
        gained, lost = ends(asked, values, of, higher)
        return Comparison(
            pairing.metric,
            self.base.info.arm,
            self.candidate.info.arm,
            sum(before for before, _ in values.values()) / n,
            sum(after for _, after in values.values()) / n,
            tested.delta,
            tested.low,
            tested.high,
            tested.p,
            p_holm,
            tested.wins if higher else tested.losses,
            tested.ties,
            tested.losses if higher else tested.wins,
            n,
            pairing.skipped,
            detectable([b - a for a, b in values.values()], level=1 - SHOWN / family),
            self.depth,
            gained,
            lost,
            counts(of, [m.item_id for m in gained], [m.item_id for m in lost]),
            (*hidden(n, gained, lost, asked), *self._notes()),
        )

    def nothing(self, metric: str, skipped: Sequence[tuple[str, str]] = ()) -> NotComparable:
        first = f"; the first, {skipped[0][0]}: {skipped[0][1]}" if skipped else ""
        return NotComparable(
            f"no question is measured in both {self.base.info.arm!r} and "
            f"{self.candidate.info.arm!r} under {metric}{first}",
            "name another metric with --metric",
        )

    def _standings(self, run: Run) -> dict[str, Standing]:
        own = run.info.depth
        return {one.item_id: at_depth(one, own, self.depth) for one in run.standings}

    def _why(self, item: str, one: Score | None, other: Score | None) -> Iterator[str]:
        """Why an item is not paired; nothing where the metric is not about it on either side."""
        for side, failed, score, across in zip(
            ("base", "candidate"), self.failed, (one, other), (other, one), strict=True
        ):
            if item in failed:
                yield f"failed in the {side} at {failed[item].stage}: {failed[item].cause}"
            elif score is not None and score.value is None:
                yield f"not measurable in the {side}: {score.why or 'no reason is given'}"
            elif score is None and across is not None:
                yield f"missing from the {side}"

    def _notes(self) -> Iterator[str]:
        one, other = self.base.info, self.candidate.info
        if one.depth != other.depth:
            yield (
                f"{one.arm} sends {one.depth} pieces to the model, {other.arm} {other.depth}; "
                f"evidence is compared within {self.depth}"
            )
        if one.sha256 != other.sha256:
            yield "the runs stand under different locks: more than the arm may have changed"
        for side in (one, other):
            if not side.complete:
                yield f"the run of {side.arm} is not complete: questions not yet asked are skipped"
