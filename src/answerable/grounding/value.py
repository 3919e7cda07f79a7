"""The short answer inside a quoted unit: always words that stand there, or yes and no."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from answerable.grounding.asked import Asked
from answerable.grounding.clauses import meant
from answerable.grounding.figures import figures
from answerable.grounding.kinds import FITS
from answerable.grounding.names import capitalised
from answerable.grounding.places import (
    fitting,
    named,
    near_units,
    numbered,
    places,
    ranged,
    times,
    written,
)
from answerable.grounding.units import Unit
from answerable.grounding.value_rows import cell, column_of_kind, said
from answerable.grounding.yesno import yes_or_no

Terms = Callable[[str], frozenset[str]]

ABOUT = 0.25
"""The share of the question's weight that a sentence with its headings must hold to say yes or no:
a ban on something else is no answer."""


def value(
    question: str, want: Asked, unit: Unit, weights: Mapping[str, float], terms: Terms
) -> str | None:
    """The short answer that `want` asks for in `unit`, None where there is none to be sure of."""
    if unit.kind == "row":
        found = cell(question, want, unit, weights, terms)
        return said(found) if want.kind == "yesno" else found
    if want.kind == "yesno":
        about = "\n".join((unit.text, unit.lead, *unit.path))
        amounts = terms(" ".join(written(figure, question) for figure in figures(question)))
        telling = {term: weight for term, weight in weights.items() if term not in amounts}
        return yes_or_no(question, unit.text) if _share(about, telling, terms) >= ABOUT else None
    spots = places(question, want, unit.text, weights.keys(), terms)
    if unit.kind == "code" and want.kind == "identifier" and not numbered(want):
        return " ".join(unit.text.split())
    if numbered(want) and not terms(f"{unit.lead}\n{unit.text}") & (
        weights.keys() - terms(" ".join(want.noun))
    ):
        return None  # a port is named, but not the one of what the question is about
    spot = meant(spots, unit.text, weights, terms) if spots else None
    return " ".join(unit.text[slice(*spot)].split()) if spot else None


def _share(text: str, weights: Mapping[str, float], terms: Terms) -> float:
    found = terms(text)
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in found) / total if total else 1


def holds(question: str, want: Asked, unit: Unit) -> bool:
    """Whether a unit has something of the kind asked for."""
    if want.kind == "yesno":
        return unit.kind in ("sentence", "item") and yes_or_no(question, unit.text) is not None
    if want.kind in FITS:
        if unit.kind == "row":
            return column_of_kind(question, want, unit)
        found = fitting(question, want, unit.text) or times(want, unit.text)
        return bool(found) or near_units(want, unit.text)
    if want.kind == "identifier":
        return unit.kind == "code" or bool(named(question, want, unit.text))
    if want.kind == "range":
        return ranged(unit.text)
    if want.kind == "person":
        return bool(capitalised(unit.text[1:]))
    return False
