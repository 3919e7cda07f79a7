"""How well each unit of the passages answers the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from answerable.grounding.asked import Asked
from answerable.grounding.figures import Figure, figures
from answerable.grounding.names import identifiers, stands_in
from answerable.grounding.ranges import ranges, within
from answerable.grounding.tasks import state, state_asked
from answerable.grounding.units import Unit, units
from answerable.grounding.value import holds
from answerable.records.answers import Passage
from answerable.records.docs import Document

AROUND = 0.6
"""What a term counts that stands only in the unit's headings, title, lead or column heads."""
BEFORE = 0.5
"""What a term counts that stands only in the two units before, under the same heading."""
SIMILARITY = 1.0
KIND = 0.3
RANK = 0.2
KEY = 0.25
"""A unit with an identifier of the question; a row whose first cell stands in the question or
whose range holds its number, a task in the state asked for (one that leaves the number out, or is
in the other state, loses as much)."""
NOTHING_NEW = 0.4
MEASURED = 12
"""How many units are compared with the question by the model."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score; `own` and `covered` are shares of the question's weight.

    `found` are the question's terms in the unit itself, `near` those in its surroundings.
    """

    unit: Unit
    score: float
    own: float
    covered: float
    found: frozenset[str]
    near: frozenset[str]
    similarity: float | None = None


def score(
    question: str,
    want: Asked,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
    similarity: Callable[[Sequence[str]], Sequence[float]] | None,
) -> list[Scored]:
    """All units of the passages, best first.

    score = share of the question's weight in the unit + AROUND times the share only around it
    + BEFORE times the share only in the two units before + KIND if it holds the kind of answer
    asked for + RANK / rank of its passage + KEY for the row asked for - NOTHING_NEW if it only
    repeats the question + SIMILARITY times its cosine with the question (the best MEASURED by
    the rest only; the others are given the least cosine measured).
    """
    total = sum(weights.values()) or 1.0
    numbers = figures(question)
    names = identifiers(question)
    tasks = state_asked(question)
    rated: list[Scored] = []
    seen: set[tuple[str, int, int]] = set()
    for number, passage in enumerate(passages):
        document = documents[passage.chunk.document_id]
        heads: dict[tuple[str, ...], frozenset[str]] = {}
        earlier: list[tuple[tuple[str, ...], frozenset[str]]] = []
        for unit in units(document, passage, number):
            found = terms(unit.text) & weights.keys()
            said = [words for path, words in earlier[-2:] if path == unit.path]
            earlier.append((unit.path, found))
            place = (unit.document_id, unit.span.start, unit.span.end)
            if place in seen:
                continue
            seen.add(place)
            around = (unit.lead, " ".join(unit.columns), passage.title, *unit.path)
            if around not in heads:
                heads[around] = terms("\n".join(around)) & weights.keys()
            near = heads[around] - found
            # Exact sums: a set's order, which differs from run to run, changes nothing.
            own = fsum(weights[term] for term in found) / total
            outer = fsum(weights[term] for term in near) / total
            before = frozenset().union(*said) - found - near
            points = own + AROUND * outer + RANK / passage.rank
            points += BEFORE * fsum(weights[term] for term in before) / total
            points += KEY if any(stands_in(name, unit.text) for name in names) else 0.0
            points += _row(unit, numbers, weights, terms)
            if tasks and (box := state(unit.text)):
                points += KEY if box == tasks else -KEY
            points -= NOTHING_NEW if _says_nothing(unit, weights, terms) else 0.0
            points += KIND if want.kind and holds(question, want, unit) else 0.0
            rated.append(Scored(unit, points, own, own + outer, found, near))
    rated.sort(key=lambda one: (-one.score, one.unit.passage, one.unit.order))
    if similarity is not None and rated:
        rated = _measured(rated, passages, similarity)
    return rated


def _row(
    unit: Unit,
    numbers: Sequence[Figure],
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
) -> float:
    """What speaks for a table row: its first cell is asked for, its range holds a number."""
    if unit.kind != "row" or not unit.cells:
        return 0.0
    named = terms(unit.cells[0])
    points = KEY if named and named <= weights.keys() else 0.0
    spans = [cell for cell in unit.cells[:2] if numbers and ranges(cell)]
    if spans:
        points += KEY if any(within(numbers, cell) for cell in spans) else -KEY
    return points


def _says_nothing(
    unit: Unit, weights: Mapping[str, float], terms: Callable[[str], frozenset[str]]
) -> bool:
    """Whether a unit only repeats the question's words, as a title inside a page does."""
    return unit.kind in ("sentence", "item") and len(terms(unit.text) - weights.keys()) < 2


def _measured(
    rated: list[Scored],
    passages: Sequence[Passage],
    similarity: Callable[[Sequence[str]], Sequence[float]],
) -> list[Scored]:
    head, tail = rated[:MEASURED], rated[MEASURED:]
    cosines = [float(c) for c in similarity([described(one.unit, passages) for one in head])]
    floor = min(cosines)
    rated = [
        replace(one, score=one.score + SIMILARITY * cosine, similarity=cosine)
        for one, cosine in zip(head, cosines, strict=True)
    ]
    rated += [replace(one, score=one.score + SIMILARITY * floor) for one in tail]
    rated.sort(key=lambda one: (-one.score, one.unit.passage, one.unit.order))
    return rated


def described(unit: Unit, passages: Sequence[Passage]) -> str:
    """The unit with what it needs to be understood: heading, lead, column heads beside cells."""
    heading = unit.path[-1] if unit.path else passages[unit.passage].title
    text = unit.text
    if unit.cells:
        pairs = zip(unit.columns, unit.cells, strict=False)
        text = "; ".join(f"{head}: {cell}" if head else cell for head, cell in pairs if cell)
    return "\n".join(part for part in (heading, unit.lead, text) if part)
