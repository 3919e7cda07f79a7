"""Blocks packed up to the size; what is too long is divided, level by level."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.frame import LeadAt, check_limits, frame
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Recursive:
    """Packs neighbouring blocks, across headings, into pieces of at most `size` units.

    A block that is too long is divided into rows, lines or sentences, those into words, those
    into characters. Overlap repeats the last whole sentences, rows or lines that it has room for.
    """

    size: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        check_limits("recursive", self.size, self.overlap)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        walk = frame(document, ruler, lead_at, self.size, self.overlap)
        return tuple(pack(walk, walk.layout.atoms))
