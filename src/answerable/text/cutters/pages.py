"""Pages as the source had them; long pages are divided."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom
from answerable.text.cutters.frame import LeadAt, check_limits, frame
from answerable.text.cutters.headings import Headings
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Pages:
    """Cuts at every page break; a page over `size` units is divided between blocks.

    A document without pages is cut at its headings. Size 0 is no limit.
    """

    size: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        check_limits("pages", self.size, self.overlap, limitless=True)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        breaks = [block.span.start for block in document.blocks if block.kind == "page_break"]
        if not breaks:
            return Headings(self.size, self.overlap)(document, ruler, lead_at)
        walk = frame(document, ruler, lead_at, self.size, self.overlap)
        pages: list[list[Atom]] = [[] for _ in range(len(breaks) + 1)]
        number = 0
        for atom in walk.layout.atoms:
            while number < len(breaks) and atom.start >= breaks[number]:
                number += 1
            pages[number].append(atom)
        return tuple(piece for page in pages for piece in pack(walk, page))
