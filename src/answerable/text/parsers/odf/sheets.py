"""Tables of OpenDocument spreadsheets as cells by place, repeats written out within bounds."""

from __future__ import annotations

from answerable.text.parsers.odf.blocks import rows_of
from answerable.text.parsers.odf.tree import kids, odf_name, read_line
from answerable.text.parsers.ooxml.parts import Element, number, value
from answerable.text.parsers.ooxml.text import spread, tidy, words_of
from answerable.text.parsers.xlsx.cells import MOST_CELLS, Sheet

_NUMBERS = ("float", "percentage", "currency", "date", "time")
_MOST_REPEATS = 1000


def read_table(table: Element) -> Sheet:
    """One sheet. Dates are ISO 8601 as stored, other values as they are shown."""
    sheet = Sheet()
    row = 0
    for written, _ in rows_of(table):
        again = max(1, number(value(written, "number-rows-repeated"), 1))
        cells = _row(written)
        for step in range(min(again, _MOST_REPEATS) if cells else 0):
            for column, (words, numeric, tall, wide) in cells.items():
                if len(sheet.cells) >= MOST_CELLS:
                    sheet.cut = True
                    return sheet
                place = (row + step + 1, column)
                sheet.cells[place] = words
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
