"""The procedure that finds how to fuse: a calibrated weight against reciprocal ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from answerable.errors import UsageError
from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located
from answerable.flow.probe import Aim, Probed, weigh
from answerable.flow.search import fuse_again, search_many
from answerable.measure.crossfit import HeldOut, compete
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
    """The steps and the advice; `over_simple` and `over_single` are gains on held-out questions.

    `arms` are all figures by arm name.
    """

    aim: Aim
    steps: tuple[Step, ...]
    advice: Advice
    over_simple: HeldOut
    over_single: HeldOut
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
    other folds choose the weight (Bruch, Gai & Ingber, TOIS 2023, on convex combination). RRF with
    k = 60 stays unless the held-out interval of the gain over it lies above zero. UsageError for
    a recipe that embeds nothing.
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
    spent = round(seconds() - start, 3)
    steps = (
        *(_plain(name, arms[name], aim) for name in (*_SINGLE, SIMPLE)),
        _plain(over_simple.final, arms[over_simple.final], aim),
        _gain("held out, against RRF", SIMPLE, over_simple, spent),
        _gain("held out, against the better single list", "/".join(_SINGLE), over_single, 0.0),
    )
    return TunedFusion(
        aim, steps, _advice(recipe.ask, over_simple, aim), over_simple, over_single, values
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
    for number, (name, rule) in enumerate(rules.items(), 1):
        ask = replace(recipe.ask, fusion=rule)
        rankings = [
            fuse_again(item.question, one, ask, finder)
            for item, one in zip(items, found, strict=True)
        ]
        arms[name] = weigh(corpus, recipe, items, rankings, aim)
        progress("fuse", number, len(rules))
    return arms


def _plain(name: str, found: Probed, aim: Aim) -> Step:
    return Step(
        name, name, ((aim.metric, found.mean),), "", None, None, None, "on all questions", 0.0
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


def _advice(ask: Ask, over: HeldOut, aim: Aim) -> Advice:
    gain = over.gain
    weight = over.final.removeprefix("convex ")
    wanted = FusionRule(by="convex", weight=float(weight)) if over.clear else FusionRule(by="rrf")
    if over.clear:
        why = f"weight {weight} gains over RRF on questions that did not choose it"
    else:
        why = "no weight is shown to gain over RRF on questions that did not choose it"
    now = ask.fusion
    same = wanted.by == now.by and (
        wanted.weight == now.weight if wanted.by == "convex" else wanted.k == now.k
    )
    change: tuple[tuple[str, str], ...] = ()
    if not same:
        change = (("ask.fusion.by", wanted.by),)
        change += (
            (("ask.fusion.weight", weight),) if over.clear else (("ask.fusion.k", str(wanted.k)),)
        )
    if ask.search.mode != "hybrid":
        change = (("ask.search.mode", "hybrid"), *change)
    if same and ask.search.mode == "hybrid":
        why += "; the recipe has it already"
    return Advice(change, why, aim.metric, gain.delta, gain.low, gain.high)
