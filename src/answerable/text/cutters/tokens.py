"""Windows of at most a number of tokens over the running text, whatever its structure."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.frame import LeadAt, check_limits
from answerable.text.cutters.running import windows
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Tokens:
    """The longest windows of at most `size` units, lead included, that end at word ends.

    A word is cut only if it alone is over the limit, and then between characters as a reader
    sees them. The next window begins at most `overlap` units before the end of the last.
    """

    size: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        check_limits("tokens", self.size, self.overlap)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        return windows(document, ruler, lead_at, self.size, self.overlap, counted=True)
