"""A piece per paragraph, list, table or code block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom, Layout
from answerable.text.cutters.frame import Frame, LeadAt, check_limits, frame
from answerable.text.cutters.pack import pack
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """One piece for each block, a heading with the block after it, a list with all its items.

    Only inside a block that is too long: windows of `size` units with `overlap` in prose; in
    lists, tables and code whole items, rows and lines. Size 0 is no limit.
    """

    size: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        check_limits("paragraphs", self.size, self.overlap, limitless=True)

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        walk = frame(document, ruler, lead_at, self.size, self.overlap)
        return tuple(piece for group in _groups(walk.layout) for piece in _cut(walk, group))


def _groups(layout: Layout) -> Iterator[list[Atom]]:
    group: list[Atom] = []
    for atom in layout.atoms:
        if group and not group[-1].glue and not _continues_list(layout, group[-1], atom):
            yield group
            group = []
        group.append(atom)
    if group:
        yield group


def _continues_list(layout: Layout, before: Atom, atom: Atom) -> bool:
    return _in_list(layout, before) and _in_list(layout, atom)


def _in_list(layout: Layout, atom: Atom) -> bool:
    """Whether the atom is a list item or stands inside one."""
    blocks = layout.document.blocks
    index = atom.block
    while index >= 0:
        if blocks[index].kind == "list_item":
            return True
        index = blocks[index].parent
    return False


def _cut(walk: Frame, group: list[Atom]) -> Iterator[Piece]:
    prose = [
        walk.layout.kind(atom) in ("heading", "paragraph", "quote", "figure") for atom in group
    ]
    if all(prose):
        yield from pack(walk, [Atom(group[0].start, group[-1].end, group[-1].block)], "words")
    else:
        yield from pack(walk, group, "sentences")
