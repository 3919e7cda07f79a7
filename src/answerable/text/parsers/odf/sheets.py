"""Tables of OpenDocument spreadsheets as cells by place, repeats written out within bounds."""

from __future__ import annotations

from answerable.text.parsers.odf.blocks import rows_of
from answerable.text.parsers.odf.tree import kids, odf_name, read_line
from answerable.text.parsers.ooxml.parts import Element, number, value
from answerable.text.parsers.ooxml.text import spread, tidy, words_of
from answerable.text.parsers.xlsx.cells import Room, Sheet

_NUMBERS = ("float", "percentage", "currency", "date", "time")
_MOST_REPEATS = 1000
_MOST_SPOTS = 20_000
"""Cells that repeated rows of a sheet may fill: nobody writes the same row thousands of times."""


def read_table(table: Element, room: Room) -> Sheet:
    """One sheet, as much of it as there is room for.

    Dates are ISO 8601 as stored, other values as they are shown.
    """
    sheet = Sheet(room=room)
    row = 0
    spots = _MOST_SPOTS
    for written, _ in rows_of(table):
        again = max(1, number(value(written, "number-rows-repeated"), 1))
        cells = _row(written)
        times = min(again, _MOST_REPEATS, 1 + spots // len(cells)) if cells else 0
        spots -= max(0, times - 1) * len(cells)
        for step in range(times):
            for column, (words, numeric, tall, wide) in cells.items():
                if sheet.room.cells <= 0:
                    sheet.cut = True
                    return sheet
                place = (row + step + 1, column)
                sheet.put(place, words)
                if numeric:
                    sheet.numeric.add(place)
                if tall > 1 or wide > 1:
                    sheet.merged.append((place, (place[0] + tall - 1, column + wide - 1)))
        row += again
    return sheet


def _row(written: Element) -> dict[int, tuple[str, bool, int, int]]:
    found: dict[int, tuple[str, bool, int, int]] = {}
    column = 0
    for cell in kids(written, "table:table-cell", "table:covered-table-cell"):
        again = max(1, number(value(cell, "number-columns-repeated"), 1))
        if odf_name(cell) == "table:table-cell" and len(cell) + len(cell.attrib):
            kind = value(cell, "value-type")
            lines = [tidy(read_line(inner).runs) for inner in kids(cell, "text:p")]
            words = " ".join(words_of(tidy(spread(lines, " "))).split())
            if kind == "date":
                words = (
                    value(cell, "date-value").removesuffix("T00:00:00").replace("T", " ") or words
                )
            if words:
                tall = max(1, number(value(cell, "number-rows-spanned"), 1))
                wide = max(1, number(value(cell, "number-columns-spanned"), 1))
                for step in range(min(again, _MOST_REPEATS)):
                    found[column + step + 1] = (words, kind in _NUMBERS, tall, wide)
        column += again
    return found
