"""Whether a run may be released: rules on its means, and against a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answerable.errors import ConfigError, NotComparable
from answerable.measure.comparable import check, failed_share
from answerable.measure.layers import higher_is_better
from answerable.measure.stats import Mean, mean, paired, pairs
from answerable.measure.taken import headline, taken, under
from answerable.measure.tally import FAILURE_LIMIT
from answerable.records.evals import Score
from answerable.records.rules import GateFailure, GateResult, GateRule
from answerable.records.runs import Run

NAMED = 50
"""Questions that a broken rule lists at most."""

START = GateRule("", not_worse_by=0.02)
"""The rule where none is given: the headline metric must not be worse by more than this."""


def gate(
    candidate: Run, base: Run | None, rules: Sequence[GateRule] = (), *, seed: int = 0
) -> GateResult:
    """Every rule checked; a metric that cannot be measured breaks its rule.

    `at_least` and `at_most` hold the candidate's mean. `not_worse_by` x with confidence c: the
    lower end of the one-sided interval of the paired difference (a percentile bootstrap, worse
    taken as less) is above -x. Where no question got worse it says what fall so few could hide.
    Without rules: `START` on the headline metric. Always: of at most 5 % of the questions the
    evidence may be out of place (of those that the baseline places, where there is one). Raises
    NotComparable where the runs measure different things, one of them is not complete, or a rule
    needs a baseline and none is given.
    """
    if base is not None:
        check(base, candidate)
    else:
        _few_failed(candidate)
    for run in (candidate, base):
        if run is not None and not run.info.complete:
            raise NotComparable(
                f"the run of {run.info.arm!r} is not complete: questions that were not asked "
                "have no part in its means",
                "run the experiment again; it asks only what is missing",
            )
    checked: list[str] = []
    failures: list[GateFailure] = []
    for rule in rules or (GateRule(_headline(candidate, base), not_worse_by=START.not_worse_by),):
        for found in _checked(rule, candidate, base, seed):
            checked.append(found.said)
            if not found.passed:
                failures.append(GateFailure(rule.metric, found.rule, found.said, found.questions))
    for found in _in_place(candidate, base):
        checked.append(found.said)
        if not found.passed:
            failures.append(GateFailure("evidence", found.rule, found.said, found.questions))
    return GateResult(not failures, tuple(checked), tuple(failures))


@dataclass(frozen=True, slots=True)
class _Found:
    rule: str
    said: str
    passed: bool
    questions: tuple[str, ...] = ()


def _checked(rule: GateRule, candidate: Run, base: Run | None, seed: int) -> Iterator[_Found]:
    if rule.at_least is None and rule.at_most is None and rule.not_worse_by is None:
        raise ConfigError(
            f"the rule on {rule.metric!r} demands nothing",
            "give at_least, at_most or not_worse_by",
        )
    scores = tuple(under(rule.metric, taken(candidate), candidate).values())
    own = mean([score.value for score in scores], seed=seed)
    for limit, what, low in (
        (rule.at_least, "at least", True),
        (rule.at_most, "at most", False),
    ):
        if limit is not None:
            yield _bounded(rule.metric, own, limit, what, low, scores)
    if rule.not_worse_by is not None:
        if base is None:
            raise NotComparable(
                f"the rule on {rule.metric!r} compares with a baseline, and none is given",
                "name one with --against",
            )
        yield _not_worse(rule, scores, base, seed)


def _bounded(
    metric: str, own: Mean, limit: float, what: str, low: bool, scores: Sequence[Score]
) -> _Found:
    rule = f"{metric} {what} {limit:g}"
    if own.value is None:
        return _Found(rule, f"{rule}: not measurable in any of {own.unscored} questions", False)
    unscored = f", {own.unscored} not measurable" if own.unscored else ""
    said = f"{rule}: {own.value:.4f} (n = {own.n}{unscored})"
    passed = own.value >= limit if low else own.value <= limit
    known = [(score.value, score.item_id) for score in scores if score.value is not None]
    beyond = sorted(
        (value if low else -value, item)
        for value, item in known
        if (value < limit if low else value > limit)
    )
    return _Found(rule, said, passed, () if passed else tuple(item for _, item in beyond[:NAMED]))


def _not_worse(rule: GateRule, scores: Sequence[Score], base: Run, seed: int) -> _Found:
    before = tuple(under(rule.metric, taken(base), base).values())
    items, old, new = pairs(before, scores)
    said = f"{rule.metric} not worse by {rule.not_worse_by:g} (confidence {rule.confidence:g})"
    if not items:
        return _Found(said, f"{said}: no question is measured in both runs", False)
    sign = 1.0 if higher_is_better(rule.metric) else -1.0
    # One side of a two-sided interval of level 2c - 1 leaves 1 - c below it.
    found = paired(
        [sign * value for value in old],
        [sign * value for value in new],
        seed=seed,
        level=2 * rule.confidence - 1,
    )
    # Where no pair moved the interval is a point: an unchanged run passes, with what it may hide.
    hides = ""
    if not found.losses:
        hides = f"; so few could hide a fall of {_hidden(found.n, rule.confidence):.2g}"
    passed = found.low >= -float(rule.not_worse_by or 0)
    fell = sorted((sign * (b - a), item) for item, a, b in zip(items, old, new, strict=True))
    dropped = len(before) - len(items)
    left = f", {dropped} not measured in both" if dropped else ""
    return _Found(
        said,
        f"{said}: difference {sign * found.delta:+.4f}, at worst {sign * found.low:+.4f} "
        f"({found.wins} better, {found.losses} worse of {found.n}{left}{hides})",
        passed,
        () if passed else tuple(item for fall, item in fell[:NAMED] if fall < 0),
    )


def _hidden(questions: int, confidence: float) -> float:
    """The greatest share of questions that may get worse though none of so many did (exact)."""
    return float(1 - (1 - confidence) ** (1 / questions))


def _in_place(candidate: Run, base: Run | None) -> Iterator[_Found]:
    """Whether the questions still have their evidence in the documents; silent where all have."""
    metric = f"complete@{candidate.info.depth}"
    now = taken(candidate).get(metric, {})
    known = taken(base).get(metric, {}) if base is not None else {}
    before = {item for item, score in known.items() if score.value is not None}
    asked = [item for item in now if base is None or item in before]
    gone = [item for item in asked if now[item].value is None]
    if not gone:
        return
    rule = f"evidence in place of all but {FAILURE_LIMIT:.0%} of the questions"
    said = f"{rule}: gone of {len(gone)} of {len(asked)} ({now[gone[0]].why})"
    yield _Found(rule, said, len(gone) <= FAILURE_LIMIT * len(asked), tuple(gone[:NAMED]))


def _headline(candidate: Run, base: Run | None) -> str:
    runs = [run for run in (base, candidate) if run is not None]
    return headline(runs, [taken(run) for run in runs], candidate.info.depth)


def _few_failed(run: Run) -> None:
    failed, asked = failed_share(run)
    if failed > FAILURE_LIMIT * asked:
        raise NotComparable(
            f"{failed} of {asked} questions failed in {run.info.arm!r}, over the limit of "
            f"{FAILURE_LIMIT:.0%}: its means say nothing",
            "resume the run",
        )
