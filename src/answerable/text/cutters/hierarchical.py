"""Small pieces to find, each inside a larger one to send."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from answerable.errors import ConfigError
from answerable.records.docs import Document, Span
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom
from answerable.text.cutters.frame import Frame, LeadAt, check_limits, frame
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Hierarchical:
    """Packs blocks into parents of at most `parent` units, and each into pieces of `size`.

    The pieces are searched; with `ask.context.expand = "parent"` their parents are shown. No
    piece reaches over its parent's border, and overlap stays inside it.
    """

    size: int = 300
    overlap: int = 0
    parent: int = 1500

    def __post_init__(self) -> None:
        check_limits("hierarchical", self.size, self.overlap)
        if self.parent <= self.size:
            raise ConfigError(
                f"cutter hierarchical: parents of {self.parent} must be larger than "
                f"pieces of {self.size}"
            )

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        large = frame(document, ruler, lead_at, self.parent, 0)
        small = frame(document, ruler, lead_at, self.size, self.overlap)
        return tuple(
            replace(piece, parent=parent.span)
            for parent in pack(large, large.layout.atoms)
            for piece in pack(small, list(_inside(small, parent.span)))
        )


def _inside(walk: Frame, span: Span) -> Iterator[Atom]:
    """The atoms of a span; one that its border divides gives its smaller parts, or their rest."""
    layout = walk.layout
    for atom in layout.atoms[layout.at(span.start) :]:
        if atom.start >= span.end:
            break
        if atom.end <= span.start:
            continue
        if span.start <= atom.start and atom.end <= span.end:
            yield atom
            continue
        for part in layout.fine(atom):
            start, end = max(part.start, span.start), min(part.end, span.end)
            if start < end:
                yield part._replace(start=start, end=end)
