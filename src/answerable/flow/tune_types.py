"""Cut rules for document types that lost, proposed by some questions and measured on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located
from answerable.flow.probe import Aim, probe
from answerable.measure.crossfit import folds
from answerable.measure.match import ways
from answerable.measure.stats import paired
from answerable.records.recipe import CutRule, Recipe
from answerable.records.rules import Step

MOVED = 3
"""So many questions of a type must have moved before it proposes anything."""


def type_rules(
    corpus: Corpus,
    located: Located,
    recipe: Recipe,
    old: CutRule,
    aim: Aim,
    before: Mapping[str, float],
    after: Mapping[str, float],
    name: str,
    seconds: Callable[[], float],
    seed: int,
) -> tuple[Step, tuple[CutRule, ...]] | None:
    """A step for the types that keep the old cut, and the rules if the gain is shown.

    Half of the questions (by seed) propose: a type of which more questions lost than gained, with
    at least `MOVED` moved. The other half measures the recipe with those rules against the one
    without. None when there is one type only, or none lost.
    """
    start = seconds()
    types = {document.id: document.type for document in corpus.documents}
    of = {
        item.id: types[way[0].document]
        for item in located.items
        if item.id in before and item.id in after
        for way in ways(item)[:1]
        if way[0].document in types
    }
    if len(set(types.values())) < 2 or len(of) < 4:
        return None
    proposing, measuring = folds(list(of), 2, seed)
    losing = []
    for kind in sorted(set(of.values())):
        moves = [after[i] - before[i] for i in proposing if of[i] == kind and after[i] != before[i]]
        if len(moves) >= MOVED and sum(move < 0 for move in moves) > len(moves) / 2:
            losing.append(kind)
    if not losing:
        return None
    rules = tuple(replace(old, match=f"type:{kind}") for kind in losing)
    cut = (*recipe.ingest.cut, *rules)
    typed = replace(recipe, ingest=replace(recipe.ingest, cut=cut))
    values = probe(corpus, typed, located, aim).values
    tested = paired([after[i] for i in measuring], [values[i] for i in measuring], seed=seed)
    shown = tested.low > 0
    step = Step(
        "rules by type",
        f"{', '.join(losing)} keep {old.by} {old.size} {old.unit}",
        ((aim.metric, sum(values[i] for i in measuring) / len(measuring)),),
        name,
        tested.delta,
        tested.low,
        tested.high,
        f"{tested.wins} better, {tested.losses} worse of {tested.n} questions that did not "
        f"propose it: {'keep the rules' if shown else 'no difference shown, leave them out'}",
        round(seconds() - start, 3),
    )
    return step, rules if shown else ()
