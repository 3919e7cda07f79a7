"""The procedure that finds when to refuse: thresholds of the route, by nested cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from answerable.errors import UsageError
from answerable.flow.locate import Located
from answerable.measure.crossfit import HeldOut, nested
from answerable.measure.end_to_end import right
from answerable.measure.generation import citation_recall
from answerable.measure.refusal import Confusion, Curve, confusion, decide, risk_coverage
from answerable.ports import Progress
from answerable.rank.route import route
from answerable.records.answers import Trace
from answerable.records.evals import GoldenItem
from answerable.records.recipe import Recipe, RouteRule
from answerable.records.rules import Advice, Step
from answerable.records.runs import Decision

PERMISSIVE = RouteRule(
    min_coverage=0.0, min_similarity=0.0, sure_coverage=1.0, max_unknown=1.0, need_value=False
)
"""The rule under which everything is answered that has any evidence."""

GRID: Mapping[str, tuple[Any, ...]] = {
    "min_coverage": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "min_similarity": (0.0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7),
    "sure_coverage": (0.6, 0.8, 0.9, 1.0),
    "max_unknown": (0.1, 0.2, 0.35, 0.5, 0.7, 1.0),
    "need_value": (True, False),
}
"""What is tried of each threshold, beside the value that the recipe has."""

MOST = 1_000_000
"""The greatest cost of a wrong answer."""

AskAll = Callable[[Recipe, Sequence[tuple[str, str]]], Mapping[str, Trace]]
"""asks each (id, question) under a recipe; questions that fail have no trace."""


@dataclass(frozen=True, slots=True)
class TunedThresholds:
    """The steps and the advice; refusals under the current and the tuned rule, and the curve.

    All figures are of the `judged` questions; `left_out` are the others by id, with why.
    """

    steps: tuple[Step, ...]
    advice: Advice
    held_out: HeldOut
    current: Confusion
    tuned: Confusion
    curve: Curve
    rule: RouteRule
    judged: int
    left_out: Mapping[str, str]


def tune_thresholds(
    recipe: Recipe,
    located: Located,
    ask_all: AskAll,
    *,
    seconds: Callable[[], float],
    cost: float = 1.0,
    seed: int = 0,
    progress: Progress = lambda stage, done, total: None,
) -> TunedThresholds:
    """Thresholds that are worth most: right answers less `cost` times wrong ones, refusals 0.

    Every question is asked once under a rule that refuses nothing; each rule then only decides
    which answers stand (effective reliability: Whitehead et al., ECCV 2022). From the current
    rule one threshold at a time is set to its best value, until nothing moves. The current rule
    stays unless, on questions that did not choose, the interval of the gain lies above zero.
    Questions that fail and answers that cannot be judged have no part in it. UsageError without
    unanswerable questions, or when nothing can be judged.
    """
    if all(item.answerable for item in located.items):
        raise UsageError(
            "every question is answerable, so no threshold can be judged",
            'add questions with "answerable": false',
        )
    if not 0 <= cost <= MOST:
        raise UsageError(f"a wrong answer cannot cost {cost}", f"give a cost from 0 to {MOST:,}")
    start = seconds()
    asked = replace(recipe, ask=replace(recipe.ask, route=PERMISSIVE))
    traces = ask_all(asked, [(item.id, item.question) for item in located.items])
    known, left_out = _judged(located, traces)
    if not any(one.decision.answerable for one in known.values()):
        raise UsageError(
            f"{len(known)} of {len(located.items)} questions can be judged, and none of them is "
            f"answerable: refusing everything would look best{_first(left_out)}",
            "give answerable questions with accepted answers or evidence",
        )
    weighing = _Weighing(known, cost, progress)
    now = recipe.ask.route
    names = {weighing.name(now): now}

    def choose(items: Sequence[str]) -> str:
        rule = weighing.climb(now, items)
        names.setdefault(weighing.name(rule), rule)
        return weighing.name(rule)

    base = weighing.values(now)
    found = nested(
        list(known), choose, lambda name: weighing.values(names[name]), lambda _: base, seed=seed
    )
    rule = names[found.final]
    current, tuned = weighing.confusion(now), weighing.confusion(rule)
    gain = found.gain
    steps = (
        _step("current", _changed(PERMISSIVE, now), weighing, now, current, seconds() - start),
        _step("tuned on all questions", _changed(now, rule), weighing, rule, tuned, 0.0),
        Step(
            "held out, against current",
            "; ".join(dict.fromkeys(_changed(now, names[name]) for name in found.chosen)),
            (),
            "current",
            gain.delta,
            gain.low,
            gain.high,
            f"{gain.wins} better, {gain.losses} worse of {gain.n}: "
            + ("the gain is shown" if found.clear else "no gain is shown, the current rule stays"),
            0.0,
        ),
        Step("rerank cut", "", (), "", None, None, None, "not measured: no reranker", 0.0),
    )
    curve = risk_coverage([one.decision for one in known.values()])
    return TunedThresholds(
        steps,
        _advice(now, rule, found, cost),
        found,
        current,
        tuned,
        curve,
        rule,
        len(known),
        left_out,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """One question under the permissive rule; `wrong` of its answer, 0..1."""

    evidence: Mapping[str, float]
    always: bool
    decision: Decision
    wrong: float


class _Weighing:
    """What rules are worth on judged questions, each rule worked out once."""

    def __init__(self, known: Mapping[str, _Known], cost: float, progress: Progress) -> None:
        self._known, self._cost, self._progress = known, cost, progress
        self._values: dict[RouteRule, dict[str, float]] = {}

    @staticmethod
    def name(rule: RouteRule) -> str:
        return _changed(PERMISSIVE, rule)

    def values(self, rule: RouteRule) -> Mapping[str, float]:
        """What each question is worth under a rule."""
        if rule not in self._values:
            self._values[rule] = {
                id: 0.0 if self._refused(one, rule) else 1.0 - one.wrong * (1.0 + self._cost)
                for id, one in self._known.items()
            }
            self._progress("rules", len(self._values), 0)
        return self._values[rule]

    def climb(self, rule: RouteRule, items: Sequence[str]) -> RouteRule:
        """The best rule reached by setting one threshold at a time; the present one of equals."""
        while True:
            before = rule
            for key, options in GRID.items():
                tried = [rule, *(replace(rule, **{key: option}) for option in options)]
                rule = max(tried, key=lambda one: self._worth(one, items))
            if rule == before:
                return rule

    def confusion(self, rule: RouteRule) -> Confusion:
        """The refusals of a rule, counted."""
        return confusion(
            [
                replace(one.decision, refused=self._refused(one, rule))
                for one in self._known.values()
            ]
        )

    def _worth(self, rule: RouteRule, items: Sequence[str]) -> float:
        values = self.values(rule)
        return sum(values[item] for item in items)

    @staticmethod
    def _refused(one: _Known, rule: RouteRule) -> bool:
        return one.always or route(one.evidence, (), rule).name != "answer"


def _judged(
    located: Located, traces: Mapping[str, Trace]
) -> tuple[dict[str, _Known], dict[str, str]]:
    """Questions whose answer can be judged right or wrong, and why the others cannot."""
    known: dict[str, _Known] = {}
    left_out: dict[str, str] = {}
    for item in located.items:
        trace = traces.get(item.id)
        if trace is None:
            left_out[item.id] = "it failed when it was asked"
            continue
        unplaced = located.unmeasured.get(item.id, "")
        wrong = _wrong(item, trace, unplaced)
        if wrong is None:
            left_out[item.id] = unplaced or "it has neither accepted answers nor evidence"
            continue
        decision = decide(item.id, item.answerable, trace, 1.0 - wrong)
        known[item.id] = _Known(dict(trace.route.evidence), trace.answer.refused, decision, wrong)
    return known, left_out


def _first(left_out: Mapping[str, str]) -> str:
    return "".join(f" (the first left out, {item}: {why})" for item, why in [*left_out.items()][:1])


def _wrong(item: GoldenItem, trace: Trace, why: str) -> float | None:
    if not item.answerable:
        return 1.0
    if trace.answer.refused:
        return 0.0
    value = right(item, trace.answer)[0]
    if value is None and not why:
        recalled = citation_recall(item, trace.answer)[0]
        value = None if recalled is None else float(recalled > 0)
    return None if value is None else 1.0 - value


def _step(
    name: str, change: str, weighing: _Weighing, rule: RouteRule, found: Confusion, spent: float
) -> Step:
    values = weighing.values(rule)
    figures = {
        "worth": sum(values.values()) / len(values),
        "coverage": found.coverage,
        "risk": found.risk,
        "refusal precision": found.precision,
        "refusal recall": found.recall,
    }
    known = tuple((key, value) for key, value in figures.items() if value is not None)
    return Step(name, change, known, "", None, None, None, "on all questions", round(spent, 3))


def _changed(old: RouteRule, new: RouteRule) -> str:
    """The thresholds that differ, in words."""
    pairs = [
        f"{field.name} = {getattr(new, field.name)}"
        for field in fields(RouteRule)
        if getattr(new, field.name) != getattr(old, field.name)
    ]
    return ", ".join(pairs) or "no change"


def _advice(now: RouteRule, rule: RouteRule, found: HeldOut, cost: float) -> Advice:
    gain = found.gain
    metric = f"right answers less {cost:g} x wrong ones, per question"
    if not found.clear or rule == now:
        why = "no rule is shown to be worth more on questions that did not choose it"
        return Advice((), why, metric, gain.delta, gain.low, gain.high)
    change = tuple(
        (f"ask.route.{field.name}", str(getattr(rule, field.name)).lower())
        for field in fields(RouteRule)
        if getattr(rule, field.name) != getattr(now, field.name)
    )
    why = "these thresholds are worth more on questions that did not choose them"
    return Advice(change, why, metric, gain.delta, gain.low, gain.high)
