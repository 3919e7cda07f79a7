"""What the arms of a report differ in, and what they share."""

from __future__ import annotations

import json
from collections.abc import Sequence

from answerable.adapters.formats.markup import Markup, foreign, join, tag
from answerable.adapters.formats.report_lists import table
from answerable.adapters.formats.report_tables import swatch
from answerable.measure.recipes import keys, other_depth
from answerable.records.runs import Run


def recipes(runs: Sequence[Run]) -> Markup | None:
    """The keys whose values differ, and the others folded; None where no recipe is known."""
    differing, same = keys(runs)
    if not differing and not same:
        return None
    notes = [note for run in runs if (note := other_depth(run))]
    heads = [join([swatch(at), foreign(run.info.arm)]) for at, run in enumerate(runs)]
    several = len(runs) > 1
    none = tag("p", "Nothing: their recipes are the same.", class_="dim")
    folded = f"the same in all arms ({len(same)} keys)" if several else "the recipe"
    return join(
        [
            tag("h3", "What the arms differ in") if several else None,
            (_table(differing, runs, heads) if differing else none) if several else None,
            *(tag("p", foreign(note), class_="note") for note in notes),
            tag("details", tag("summary", folded), _table(same, runs[:1], [Markup("value")]))
            if same
            else None,
        ]
    )


def _table(names: Sequence[str], runs: Sequence[Run], heads: Sequence[Markup]) -> Markup:
    known = [dict(run.recipe) for run in runs]
    rows = [
        tag(
            "tr",
            tag("th", foreign(name), scope="row"),
            *(tag("td", foreign(_said(recipe.get(name)))) for recipe in known),
        )
        for name in names
    ]
    head = tag("tr", tag("th", "key"), *(tag("th", one) for one in heads))
    return tag("div", table(head, rows), class_="tight")


def _said(value: str | None) -> str:
    """A value as one writes it; words without their quotes."""
    if value is None:
        return "-"
    words = json.loads(value)
    return words if isinstance(words, str) and words else value
