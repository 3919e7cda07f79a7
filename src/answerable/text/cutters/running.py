"""Windows over running text, shared by the cutters that take no notice of structure."""

from __future__ import annotations

from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom
from answerable.text.cutters.frame import LeadAt, frame
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler


def windows(
    document: Document,
    ruler: Ruler,
    lead_at: LeadAt,
    size: int,
    overlap: int,
    *,
    counted: bool,
) -> tuple[Piece, ...]:
    """The longest windows of at most `size` units that end at word ends, to the end of the text."""
    text = document.text
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    if start >= end:
        return ()
    walk = frame(document, ruler, lead_at, size, overlap, counted=counted, repeating=False)
    return tuple(pack(walk, [Atom(start, end)], "words"))
