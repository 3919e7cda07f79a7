"""Windows of a fixed number of words over the running text, whatever its structure."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document, Span
from answerable.records.index import Piece
from answerable.text.cutters.frame import LeadAt, check_limits
from answerable.text.cutters.running import windows
from answerable.text.ruler import Ruler, measured


@dataclass(frozen=True, slots=True)
class Words:
    """Windows of `size` units that begin every `size - overlap` units; the last ends at the end.

    The lead is not counted (so that a window holds exactly `size` words, as fixed-window studies
    have it) unless `count_lead`. With another unit than words the windows end at word ends.
    """

    size: int = 200
    overlap: int = 0
    count_lead: bool = False

    def __post_init__(self) -> None:
        check_limits("words", self.size, self.overlap)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        if ruler.unit != "words" or self.count_lead:
            return windows(
                document, ruler, lead_at, self.size, self.overlap, counted=self.count_lead
            )
        text, starts = document.text, measured(document.text, ruler).starts
        if not len(starts):
            return ()
        step = self.size - self.overlap
        pieces = []
        # The first window that reaches the last word is the last one.
        for first in range(0, max(len(starts) - self.overlap, 1), step):
            after = first + self.size
            end = starts[after] if after < len(starts) else len(text)
            while text[end - 1].isspace():
                end -= 1
            pieces.append(Piece(Span(starts[first], end)))
        return tuple(pieces)
