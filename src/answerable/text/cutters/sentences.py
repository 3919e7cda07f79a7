"""Whole sentences packed up to the size."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.frame import LeadAt, check_limits, frame
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Sentences:
    """Packs whole sentences (rows, lines of code) into pieces of at most `size` units.

    Pieces are fuller than with `recursive`, since a block may be divided wherever a sentence
    ends. Overlap is made of whole sentences only.
    """

    size: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        check_limits("sentences", self.size, self.overlap)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        walk = frame(document, ruler, lead_at, self.size, self.overlap)
        parts = [part for atom in walk.layout.atoms for part in walk.layout.fine(atom)]
        return tuple(pack(walk, parts, "sentences"))
