"""The units of a document that are not cut while they fit: blocks, rows, lines, sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from answerable.language.sentences import sentence_spans
from answerable.records.docs import Block, Document
from answerable.text.once import Once


class Atom(NamedTuple):
    """A stretch of text; `block` is its index or -1.

    `whole` atoms are blocks that `Layout.fine` can divide; after a `glue` atom (a heading, a
    table's header) no piece ends while that can be avoided.
    """

    start: int
    end: int
    block: int = -1
    whole: bool = False
    glue: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks of a document as atoms: in order, apart, holding every non-space character."""

    document: Document
    atoms: tuple[Atom, ...]
    starts: tuple[int, ...]
    memo: dict[int, tuple[Atom, ...]] = field(default_factory=dict)

    def kind(self, atom: Atom) -> str:
        """The kind of the atom's block; text outside every block is a paragraph."""
        return self.document.blocks[atom.block].kind if atom.block >= 0 else "paragraph"

    def at(self, offset: int) -> int:
        """The index of the atom that holds `offset`, or of the last one before it."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def fine(self, atom: Atom) -> tuple[Atom, ...]:
        """The rows of a table, lines of code or sentences of any other block."""
        if not atom.whole:
            return (atom,)
        if atom.start not in self.memo:
            self.memo[atom.start] = tuple(self._divide(atom))
        return self.memo[atom.start]

    def repeats(self, offset: int) -> tuple[str, ...]:
        """What a piece that starts at `offset` needs repeated, the fullest form first, '' last.

        Inside a table its header rows with the ruler line, then without; inside code its fence.
        """
        if not self.atoms:
            return ("",)
        atom = self.atoms[self.at(offset)]
        if atom.block < 0 or offset <= atom.start:
            return ("",)
        block, text = self.document.blocks[atom.block], self.document.text
        if block.kind == "code" and block.inner.start < offset:
            fence = text[block.span.start : block.inner.start].strip()
            return (fence, "") if fence else ("",)
        data = _data_rows(block)
        if block.header and data and offset >= data[0]:
            full = text[block.span.start : data[0]].strip()
            bare = text[block.span.start : block.rows[block.header - 1].end].strip()
            return (full, bare, "")
        return ("",)

    def _divide(self, atom: Atom) -> Iterator[Atom]:
        block = self.document.blocks[atom.block] if atom.block >= 0 else None
        text = self.document.text
        glued = False
        if block and block.kind == "table" and block.rows:
            data = _data_rows(block)
            starts = [atom.start, *(start for start in data if atom.start < start < atom.end)]
            glued = bool(data)
        elif block and block.kind == "code":
            starts = [atom.start, *_line_starts(text, block)]
        else:
            language = self.document.language
            spans = sentence_spans(text, atom.start, atom.end, language)
            starts = [atom.start, *(span.start for span in spans[1:])]
        for number, (start, after) in enumerate(zip(starts, [*starts[1:], atom.end], strict=True)):
            end = _rstrip(text, start, after)
            if start < end:
                glue = atom.glue or (glued and number == 0 and len(starts) > 1)
                yield Atom(start, end, atom.block, glue=glue)


@Once
def layout(document: Document) -> Layout:
    """The layout of `document`, remembered while the same documents are cut again."""
    text, blocks = document.text, document.blocks
    marks: list[tuple[int, int]] = []
    if not blocks or blocks[0].span.start > 0:
        marks.append((0, -1))
    reached = marks[0][0] if marks else -1
    for index, block in enumerate(blocks):
        start = block.span.start
        if reached < start < len(text):
            marks.append((start, index))
            reached = start
    atoms: list[Atom] = []
    after = len(text)
    for start, index in reversed(marks):
        end = _rstrip(text, start, after)
        if start < end:
            glue = index >= 0 and blocks[index].kind == "heading"
            atoms.append(Atom(start, end, index, True, glue))
        after = start
    atoms.reverse()
    return Layout(document, tuple(atoms), tuple(atom.start for atom in atoms))


def _data_rows(block: Block) -> Sequence[int]:
    """Where rows begin that hold data; the first stays with the header if that is not drawn."""
    return [row.start for row in block.rows[max(block.header, 1) :]]


def _line_starts(text: str, block: Block) -> Iterator[int]:
    """Where lines of code with words on them begin, after the first such line."""
    here, seen = block.inner.start, False
    while here < block.inner.end:
        cut = text.find("\n", here, block.inner.end)
        after = block.inner.end if cut < 0 else cut + 1
        if not text[here:after].isspace():
            if seen:
                yield here
            seen = True
        here = after


def _rstrip(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
