"""What the recipes behind an experiment's runs say of its arms."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.records.runs import Run

PASSAGES = "ask.context.passages"


def keys(runs: Sequence[Run]) -> tuple[list[str], list[str]]:
    """The keys of the runs' recipes whose values differ, and those whose values are the same.

    A key that a recipe lacks differs from one that it has.
    """
    recipes = [dict(run.recipe) for run in runs]
    every = sorted({key for recipe in recipes for key in recipe})
    differing = [key for key in every if len({recipe.get(key) for recipe in recipes}) > 1]
    return differing, [key for key in every if key not in differing]


def other_depth(run: Run) -> str:
    """That an arm sends another number of pieces than the experiment's depth; '' if it does not."""
    sent = dict(run.recipe).get(PASSAGES, "")
    if sent in ("", str(run.info.depth)):
        return ""
    return (
        f"{run.info.arm} sends {sent} pieces where the experiment's depth is {run.info.depth}, "
        "within which evidence is judged"
    )
