"""The sections of a document and the heading path at every offset."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from answerable.records.docs import Document, Span
from answerable.text.once import Once


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what follows it up to the next heading of any level.

    `path` holds the headings around it, outermost first, its own last; `heading_block` is the
    index of its heading (-1 and an empty path before the first heading). `level` is 1-6, or 0.
    """

    path: tuple[str, ...]
    span: Span
    heading_block: int
    level: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections of one document in reading order; together they cover its text."""

    parts: tuple[Section, ...]
    starts: tuple[int, ...]

    def sections(self) -> tuple[Section, ...]:
        """All sections in reading order."""
        return self.parts

    def index_at(self, offset: int) -> int:
        """Which section holds the character at `offset`."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def path_at(self, offset: int) -> tuple[str, ...]:
        """The heading path at `offset`, outermost first; () before the first heading."""
        return self.parts[self.index_at(offset)].path

    def with_subsections(self, index: int) -> Span:
        """From the heading of section `index` to the next heading of its level or above."""
        top = self.parts[index]
        end = top.span.end
        for section in self.parts[index + 1 :]:
            if not top.level or section.level <= top.level:
                break
            end = section.span.end
        return Span(top.span.start, end)


@Once
def outline(document: Document) -> Outline:
    """The outline of `document`.

    A heading of level n closes every open section of level n or deeper; a skipped level makes no
    empty parent, and a heading without words names nothing.
    """
    heads = [(i, block) for i, block in enumerate(document.blocks) if block.kind == "heading"]
    ends = [block.span.start for _, block in heads] + [len(document.text)]
    parts: list[Section] = []
    if ends[0] > 0 or not heads:
        parts.append(Section((), Span(0, ends[0]), -1, 0))
    open_: list[tuple[int, str]] = []
    for number, (index, block) in enumerate(heads):
        words = " ".join(document.text[block.inner.start : block.inner.end].split())
        while open_ and open_[-1][0] >= block.level:
            open_.pop()
        open_.append((block.level, words))
        path = tuple(name for _, name in open_ if name)
        parts.append(Section(path, Span(ends[number], ends[number + 1]), index, block.level))
    return Outline(tuple(parts), tuple(part.span.start for part in parts))
