"""Draws the cells of a worksheet as tables, titles and lone values."""

from __future__ import annotations

from collections.abc import Mapping

from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.grid import most
from answerable.text.parsers.ooxml.parts import number
from answerable.text.parsers.ooxml.tables import draw_rows
from answerable.text.parsers.ooxml.text import target_of, words_of
from answerable.text.parsers.xlsx.cells import Place, Sheet
from answerable.text.parsers.xlsx.regions import Region, regions

_LONG = 200


def draw_sheet(canvas: Canvas, sheet: Sheet, links: Mapping[str, str]) -> None:
    """Draw the areas of a sheet; `links` are addresses by the ids that the sheet's links name."""
    _spread(sheet)
    for region in regions(sheet.cells):
        rows = _rows(sheet, region, links)
        titles, rows = _titles(sheet, region, rows)
        for title in titles:
            canvas.paragraph(title)
        if rows:
            draw_rows(canvas, rows, _header(sheet, region, len(titles), len(rows)))


def _spread(sheet: Sheet) -> None:
    """Write the value of merged cells into every spot they cover, within the limits of a grid."""
    limit = most(len(sheet.cells))
    for (top, left), (bottom, right) in sheet.merged:
        words = sheet.cells.get((top, left))
        spots = (bottom - top + 1) * (right - left + 1)
        limit -= max(0, spots)
        if not words or spots <= 1 or limit < 0:
            continue
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                if (row, column) not in sheet.cells:
                    sheet.put((row, column), words)
                if (top, left) in sheet.numeric:
                    sheet.numeric.add((row, column))


def _rows(sheet: Sheet, region: Region, links: Mapping[str, str]) -> list[list[Inlines]]:
    by_row: dict[int, list[Place]] = {}
    for place in region.places:
        by_row.setdefault(place[0], []).append(place)
    # Columns without any value inside an area only set the others apart.
    spots = {column: at for at, column in enumerate(sorted({place[1] for place in region.places}))}
    sparse = len(spots) * len(by_row) > most(len(region.places))
    rows: list[list[Inlines]] = []
    for row in sorted(by_row):
        line: list[Inlines] = [] if sparse else [""] * len(spots)
        for place in by_row[row]:
            content = _linked(sheet, place, links)
            if sparse:
                line.append(content)
            else:
                line[spots[place[1]]] = content
        rows.append(line)
    return rows


def _linked(sheet: Sheet, place: Place, links: Mapping[str, str]) -> Inlines:
    words = sheet.cells[place]
    target = target_of(links.get(sheet.links.get(place, ""), ""))
    return words if target is None else [Run(words, target)]


def _titles(
    sheet: Sheet, region: Region, rows: list[list[Inlines]]
) -> tuple[list[Inlines], list[list[Inlines]]]:
    """Leading rows of one value each over a wider table: they say what it is."""
    titles: list[Inlines] = []
    while len(rows) > 2 and len(rows[1]) > 1:
        values = {words_of(cell) for cell in rows[0] if words_of(cell)}
        filled = sum(bool(words_of(cell)) for cell in rows[1])
        first = region.top + len(titles)
        columns = range(region.left, region.right + 1)
        numeric = any((first, column) in sheet.numeric for column in columns)
        if len(values) != 1 or numeric or (filled < 2 and len(rows) > 3):
            break
        following = {words_of(cell) for cell in rows[1] if words_of(cell)}
        if len(following) < 2 and not titles and len(rows) < 3:
            break
        titles.append(next(cell for cell in rows[0] if words_of(cell)))
        rows = rows[1:]
    return titles, rows


def _header(sheet: Sheet, region: Region, skipped: int, height: int) -> int:
    """Whether the first row names the columns: words, or numbers such as years over others."""
    if height < 2:
        return 0
    top = region.top + skipped
    columns = range(region.left, region.right + 1)
    filled = [(top, column) for column in columns if (top, column) in sheet.cells]
    numbers = [place for place in filled if place in sheet.numeric]
    if any(len(sheet.cells[place]) > _LONG for place in filled):
        return 0
    if not numbers:
        return 1
    years = all(1900 <= number(sheet.cells[place][:4]) <= 2100 for place in numbers)
    corner = (top, region.left)
    return int(years and corner not in numbers and len(filled) > len(numbers) - 1)
