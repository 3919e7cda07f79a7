"""Ids that ought to be the same and are written apart: a fault of the set-up, not a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from unicodedata import normalize

from answerable.measure.retrieval import Grades, Ranked


@dataclass(frozen=True, slots=True)
class Twins:
    """A retrieved id that is judged nowhere, and a judged id that was never retrieved."""

    retrieved: str
    judged: str


def twins(run: Mapping[str, Ranked], judgements: Mapping[str, Grades]) -> tuple[Twins, ...]:
    """Pairs of ids that differ only in how they are written.

    That is: case, form of Unicode, blanks, zeros in front, a file's folder or ending.
    Only within one question, and only where neither side is matched as it is.
    """
    judged = {name for grades in judgements.values() for name in grades}
    retrieved = {name for ranked in run.values() for name in ranked}
    found: dict[Twins, None] = {}
    for item, grades in judgements.items():
        forms = {_form(name): name for name in grades if name not in retrieved}
        for name in run.get(item, ()):
            if name not in judged and (other := forms.get(_form(name))) is not None:
                found[Twins(name, other)] = None
    return tuple(found)


def unreachable(
    judgements: Mapping[str, Grades], known: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """(question, document) of every relevant document that is not among the `known` ids."""
    there = frozenset(known)
    return tuple(
        (item, name)
        for item, grades in judgements.items()
        for name, grade in grades.items()
        if grade > 0 and name not in there
    )


def _form(name: str) -> str:
    stem = normalize("NFKC", name).strip().casefold().rpartition("/")[2]
    for ending in (".md", ".html", ".txt", ".pdf", ".docx", ".0"):
        stem = stem.removesuffix(ending)
    return stem.lstrip("0") or "0"
