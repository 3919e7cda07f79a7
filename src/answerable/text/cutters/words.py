"""Windows of a fixed number of words over the running text, whatever its structure."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document, Span
from answerable.records.index import Piece
from answerable.text.cutters.frame import LeadAt, check_limits
from answerable.text.cutters.running import windows
from answerable.text.ruler import Ruler, word_spans


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
        spans = word_spans(document.text)
        if not len(spans):
            return ()
        step = self.size - self.overlap
        # The first window that reaches the last word is the last one.
        begins = range(0, max(len(spans) - self.overlap, 1), step)
        starts = spans[list(begins), 0].tolist()
        ends = spans[[min(i + self.size, len(spans)) - 1 for i in begins], 1].tolist()
        return tuple(Piece(Span(a, b)) for a, b in zip(starts, ends, strict=True))
