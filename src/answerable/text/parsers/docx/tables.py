"""Tables of Word documents laid out on a grid (ECMA-376 part 1, 17.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from answerable.text.canonical import Inlines
from answerable.text.parsers.docx.styles import is_on
from answerable.text.parsers.grid import MAX_COLUMNS, most
from answerable.text.parsers.ooxml.parts import Element, child, name_of, number, path, shown, value

_WRAPPERS = frozenset({"w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag"})


class Grid(NamedTuple):
    """Rows of contents, spanning cells in every spot they cover, and leading header rows."""

    rows: list[list[Inlines]]
    header: int


def wrapped(element: Element, name: str) -> Iterator[Element]:
    """Children with a name, also those inside content controls and tracked insertions."""
    for inner in element:
        found = name_of(inner)
        if found == name:
            yield inner
        elif found in _WRAPPERS:
            yield from wrapped(inner, name)
        elif found == "w:sdt":
            content = child(inner, "w:sdtContent")
            if content is not None:
                yield from wrapped(content, name)
        elif found == "mc:AlternateContent":
            branch = shown(inner)
            if branch is not None:
                yield from wrapped(branch, name)


def kept_rows(table: Element) -> list[Element]:
    """The rows that no tracked change deletes."""
    return [row for row in wrapped(table, "w:tr") if path(row, "w:trPr", "w:del") is None]


def kept_cells(row: Element) -> list[Element]:
    """The cells that no tracked change deletes."""
    return [cell for cell in wrapped(row, "w:tc") if path(cell, "w:tcPr", "w:cellDel") is None]


def lone_cell(table: Element) -> Element | None:
    """The one cell of a table that only frames its content."""
    rows = kept_rows(table)
    cells = kept_cells(rows[0]) if len(rows) == 1 else []
    return cells[0] if len(cells) == 1 else None


def lay_out(table: Element, read: Callable[[Element], Inlines]) -> Grid:
    """The table as a grid; `read` gives the content of a cell, asked once for each in order.

    Without rows marked as header rows the first is the header, if others follow.
    """
    written = kept_rows(table)
    cells = [kept_cells(row) for row in written]
    spanning = _spots(written, cells) <= most(sum(len(row) for row in cells))
    rows: list[list[Inlines]] = []
    for row, inner in zip(written, cells, strict=True):
        line: list[Inlines] = [""] * (_before(row) if spanning else 0)
        for cell in inner:
            properties = child(cell, "w:tcPr")
            content = read(cell)
            if _continues(child(properties, "w:vMerge")):
                above = rows[-1] if rows else []
                content = above[len(line)] if len(line) < len(above) else content
            elif _continues(child(properties, "w:hMerge")) and line:
                content = line[-1]
            line += [content] * (_wide(cell) if spanning else 1)
        rows.append(line)
    header = 0
    for row in written:
        if not is_on(path(row, "w:trPr", "w:tblHeader")):
            break
        header += 1
    if not 0 < header < len(rows):
        header = 1 if len(rows) > 1 else 0
    kept = [number for number, line in enumerate(rows) if any(line)]
    header -= sum(number not in kept for number in range(header))
    return Grid([rows[number] for number in kept], max(0, header))


def _spots(written: Sequence[Element], cells: Sequence[Sequence[Element]]) -> int:
    """How many spots the grid has with all spans."""
    widths = [
        _before(row) + sum(map(_wide, inner)) for row, inner in zip(written, cells, strict=True)
    ]
    return max(widths, default=0) * len(widths)


def _before(row: Element) -> int:
    return max(0, min(number(value(path(row, "w:trPr", "w:gridBefore"), "val")), MAX_COLUMNS))


def _wide(cell: Element) -> int:
    written = number(value(path(cell, "w:tcPr", "w:gridSpan"), "val"), 1)
    return max(1, min(written, MAX_COLUMNS))


def _continues(merge: Element | None) -> bool:
    return merge is not None and value(merge, "val") in ("", "continue")
