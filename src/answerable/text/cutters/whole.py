"""One piece for the whole document."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document, Span
from answerable.records.index import Piece
from answerable.text.cutters.frame import LeadAt, check_limits
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Whole:
    """Leaves a document as it is; size and overlap are checked and then ignored."""

    size: int = 0
    overlap: int = 0

    def __post_init__(self) -> None:
        check_limits("whole", self.size, self.overlap, limitless=True)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        text = document.text
        end = len(text.rstrip())
        start = len(text) - len(text.lstrip())
        return (Piece(Span(start, end)),) if start < end else ()
