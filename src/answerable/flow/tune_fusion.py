"""The procedure that finds how to fuse: a calibrated weight against reciprocal ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from answerable.errors import UsageError
from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located
from answerable.flow.probe import Aim, Probed, weigh
from answerable.flow.search import fuse_again, search_many
from answerable.measure.crossfit import Gain, HeldOut, compete
from answerable.measure.stats import Paired, paired
from answerable.ports import Progress
from answerable.records.index import Filter
from answerable.records.recipe import Ask, FusionRule, Recipe
from answerable.records.rules import Advice, Step

WEIGHTS = tuple(round(0.05 * step, 2) for step in range(1, 20))
"""Weights of the dense list that are tried."""

SIMPLE = "rrf 60"
"""The simple default that stays unless another is shown to be better."""

_SINGLE = ("lexical", "dense")


@dataclass(frozen=True, slots=True)
class TunedFusion:
    """The steps and the advice.

    `over_simple`, `over_single` and `over_current` are gains of the chosen weight on held-out
    questions; `arms` are all figures by arm name.
    """

    aim: Aim
    steps: tuple[Step, ...]
    advice: Advice
    over_simple: HeldOut
    over_single: HeldOut
    over_current: HeldOut
    arms: Mapping[str, Mapping[str, float]]


def tune_fusion(
    corpus: Corpus,
    recipe: Recipe,
    located: Located,
    aim: Aim,
    *,
    seconds: Callable[[], float],
    seed: int = 0,
    progress: Progress = lambda stage, done, total: None,
) -> TunedFusion:
    """A convex weight chosen by nested cross-validation, against RRF and against single lists.

    Both lists are searched once for each question and fused under every rule. In each fold the
    other folds choose the weight (Bruch, Gai & Ingber, TOIS 2023, on convex combination). The
    fusion in use stays unless the held-out interval of the gain over it lies above zero, or, where
    it is not RRF with k = 60, that simple default is shown to be better. UsageError for a recipe
    that embeds nothing.
    """
    if not recipe.ingest.embedder.name:
        raise UsageError(
            "the recipe embeds nothing, so there is nothing to fuse",
            "set ingest.embedder.name and ask.search.mode = 'hybrid'",
        )
    hybrid = replace(
        recipe, ask=replace(recipe.ask, search=replace(recipe.ask.search, mode="hybrid"))
    )
    start = seconds()
    arms = _arms(corpus, hybrid, located, aim, progress)
    values = {name: one.values for name, one in arms.items()}
    convex = {name: values[name] for name in values if name.startswith("convex")}
    over_simple = compete(convex, {SIMPLE: values[SIMPLE]}, seed=seed)
    over_single = compete(convex, {name: values[name] for name in _SINGLE}, seed=seed)
    now = _name(recipe.ask.fusion)
    over_current = compete(convex, {now: values[now]}, seed=seed)
    simple = paired(list(values[now].values()), list(values[SIMPLE].values()), seed=seed)
    spent = round(seconds() - start, 3)
    shown = dict.fromkeys((*_SINGLE, SIMPLE, over_simple.final, now))
    steps = (
        *(_plain(name, "current" if name == now else name, arms[name], aim) for name in shown),
        _gain("held out, against current", now, over_current, spent),
        _gain("held out, against RRF", SIMPLE, over_simple, 0.0),
        _gain("held out, against the better single list", "/".join(_SINGLE), over_single, 0.0),
    )
    return TunedFusion(
        aim,
        steps,
        _advice(recipe.ask, now, over_current, simple, aim),
        over_simple,
        over_single,
        over_current,
        values,
    )


def _arms(
    corpus: Corpus, recipe: Recipe, located: Located, aim: Aim, progress: Progress
) -> Mapping[str, Probed]:
    finder = corpus.finder(recipe)
    items = [item for item in located.items if item.answerable]
    found = search_many([item.question for item in items], recipe.ask, finder, Filter())
    arms: dict[str, Probed] = {}
    for name in _SINGLE:
        rankings = [one.rankings.get(name, ()) for one in found]
        arms[name] = weigh(corpus, recipe, items, rankings, aim)
    rules = {SIMPLE: FusionRule(by="rrf", k=60)}
    rules |= {f"convex {weight:g}": FusionRule(by="convex", weight=weight) for weight in WEIGHTS}
    rules.setdefault(_name(recipe.ask.fusion), recipe.ask.fusion)
    for number, (name, rule) in enumerate(rules.items(), 1):
        ask = replace(recipe.ask, fusion=rule)
        rankings = [
            fuse_again(item.question, one, ask, finder)
            for item, one in zip(items, found, strict=True)
        ]
        arms[name] = weigh(corpus, recipe, items, rankings, aim)
        progress("fuse", number, len(rules))
    return arms


def _name(rule: FusionRule) -> str:
    return f"rrf {rule.k}" if rule.by == "rrf" else f"convex {rule.weight:g}"


def _plain(arm: str, name: str, found: Probed, aim: Aim) -> Step:
    return Step(
        name, arm, ((aim.metric, found.mean),), "", None, None, None, f"{arm}, all questions", 0.0
    )


def _gain(name: str, against: str, found: HeldOut, spent: float) -> Step:
    gain = found.gain
    return Step(
        name,
        f"weights of the folds: {', '.join(one.removeprefix('convex ') for one in found.chosen)}",
        (),
        against,
        gain.delta,
        gain.low,
        gain.high,
        f"{gain.wins} better, {gain.losses} worse of {gain.n}: "
        + ("the gain is shown" if found.clear else "no gain is shown"),
        spent,
    )


def _advice(ask: Ask, now: str, over: HeldOut, simple: Paired, aim: Aim) -> Advice:
    change: tuple[tuple[str, str], ...] = ()
    gain: Gain | Paired = over.gain
    if over.clear:
        weight = over.final.removeprefix("convex ")
        change = (("ask.fusion.by", "convex"), ("ask.fusion.weight", weight))
        why = f"weight {weight} gains over {now} on questions that did not choose it"
    elif now != SIMPLE and simple.low > 0:
        change = (("ask.fusion.by", "rrf"), ("ask.fusion.k", "60"))
        why = f"reciprocal ranks, which need no weight, gain over {now}"
        gain = simple
    else:
        why = f"no weight is shown to gain over {now} on questions that did not choose it"
    if ask.search.mode != "hybrid" and change:
        change = (("ask.search.mode", "hybrid"), *change)
    return Advice(change, why, aim.metric, gain.delta, gain.low, gain.high)
