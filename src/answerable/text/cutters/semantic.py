"""Cuts where neighbouring sentences drop in similarity; what is too long is divided."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import ConfigError
from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom
from answerable.text.cutters.frame import Frame, LeadAt, check_limits, frame
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler

Similarity = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""How alike two equally long lists of texts are, pair by pair: cosines, -1..1."""

_SOLID = ("table", "code")


@dataclass(frozen=True, slots=True)
class Semantic:
    """Cuts a document at its greatest drops of similarity, then packs up to `size` units.

    Between two neighbouring sentences the `around` sentences before are compared with as many
    after; a cut is made where the distance (1 - similarity) is above the `percentile` of all
    distances of the document (Kamradt 2023, "5 levels of text splitting", level 4). Tables and
    code are never compared inside. `similarity` is given by whoever builds the cutter.
    """

    similarity: Similarity
    size: int = 400
    overlap: int = 0
    percentile: float = 90.0
    around: int = 2

    def __post_init__(self) -> None:
        check_limits("semantic", self.size, self.overlap)
        if not 0 < self.percentile < 100:
            raise ConfigError(
                f"cutter semantic: percentile {self.percentile} is not between 0 and 100"
            )
        if self.around < 1:
            raise ConfigError(f"cutter semantic: around must be at least 1, not {self.around}")

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        walk = frame(document, ruler, lead_at, self.size, self.overlap)
        units = list(_units(walk))
        cuts = [0, *self._drops(document.text, units), len(units)]
        return tuple(
            piece
            for start, end in itertools.pairwise(cuts)
            for piece in pack(walk, units[start:end])
        )

    def _drops(self, text: str, units: Sequence[Atom]) -> list[int]:
        """Indices of the units that begin a new piece; never one after a heading."""
        places = [at for at in range(1, len(units)) if not units[at - 1].glue]
        if len(places) < 2:
            return []
        before = [self._said(text, units[max(0, at - self.around) : at]) for at in places]
        after = [self._said(text, units[at : at + self.around]) for at in places]
        distances = 1.0 - np.asarray(self.similarity(before, after), dtype=np.float64)
        limit = np.percentile(distances, self.percentile)
        return [at for at, far in zip(places, distances, strict=True) if far > limit]

    @staticmethod
    def _said(text: str, units: Sequence[Atom]) -> str:
        return text[units[0].start : units[-1].end]


def _units(walk: Frame) -> Iterator[Atom]:
    for atom in walk.layout.atoms:
        if walk.layout.kind(atom) in _SOLID:
            yield atom
        else:
            yield from walk.layout.fine(atom)
