"""A page to its lines and tables in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from answerable.text.parsers.pdf.aligned import tabled
from answerable.text.parsers.pdf.furniture import furniture
from answerable.text.parsers.pdf.grid import drawn_tables
from answerable.text.parsers.pdf.lines import lines, reads_left
from answerable.text.parsers.pdf.links import put_links
from answerable.text.parsers.pdf.order import regions
from answerable.text.parsers.pdf.page import Item, Line, Link, Page, Row, Rule, Segment, Table, Word
from answerable.text.parsers.pdf.words import body_size, rows, segments, words


@dataclass(slots=True)
class Sheet:
    """A page with its words, in the frame of most of them; those turned another way beside.

    `fault` says why a page could not be read, `unknown` is as in `Page`.
    """

    number: int
    rows: list[Row] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    turned: list[list[Word]] = field(default_factory=list)
    top: float = 0.0
    bottom: float = 0.0
    rtl: bool = False
    size: float = 0.0
    unknown: int = 0
    fault: str = ""


def sheet(page: Page) -> Sheet:
    """The words of a page, its drawn tables apart."""
    turns = Counter(glyph.turn for glyph in page.glyphs if glyph.size)
    if not turns:
        return Sheet(page.number, turned=_turned(page, -1))
    turn = max(turns, key=lambda t: (turns[t], -t))
    found = words(glyph for glyph in page.glyphs if glyph.turn == turn)
    rtl = reads_left(found)
    put_links(found, [_placed(link, turn) for link in page.links])
    _, top, _, bottom = _framed(Rule(*page.box), turn)
    tables, free = drawn_tables(found, [_framed(rule, turn) for rule in page.rules], rtl)
    return Sheet(
        number=page.number,
        rows=[segments(row) for row in rows(free)],
        tables=tables,
        turned=_turned(page, turn),
        top=min(top, bottom),
        bottom=max(top, bottom),
        rtl=rtl,
        size=body_size(found),
        unknown=page.unknown,
    )


def _turned(page: Page, turn: int) -> list[list[Word]]:
    others = {glyph.turn for glyph in page.glyphs if glyph.turn != turn and glyph.size}
    found = [words(g for g in page.glyphs if g.turn == other) for other in sorted(others)]
    if page.skewed:
        found.append(words(page.skewed))
    return [group for group in found if group]


def _placed(link: Link, turn: int) -> Link:
    x0, y0, x1, y1 = _framed(Rule(*link[:4]), turn)
    return Link(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), link.target)


def _framed(rule: Rule, turn: int) -> Rule:
    """A line of the page in the frame of text with that quarter turn."""
    x0, y0, x1, y1 = rule
    if turn == 0:
        return Rule(x0, -y0, x1, -y1)
    if turn == 1:
        return Rule(y0, x0, y1, x1)
    if turn == 2:
        return Rule(-x0, y0, -x1, y1)
    return Rule(-y0, -x0, -y1, -x1)


def without_furniture(sheets: Sequence[Sheet]) -> list[str]:
    """Take running lines out of the sheets; their words, one for each time."""
    size = body_size([w for one in sheets for row in one.rows for part in row for w in part.words])
    left_out = furniture([(one.rows, one.top, one.bottom) for one in sheets], size)
    for one in sheets:
        kept = [[part for part in row if id(part) not in left_out] for row in one.rows]
        one.rows = [row for row in kept if row]
    return list(left_out.values())


def ordered(one: Sheet) -> list[Item]:
    """The lines and tables of a sheet in reading order; what is turned another way comes last."""
    found = [*one.rows, *([_as_segment(table)] for table in one.tables)]
    found.sort(key=_middle)
    size = one.size or 10.0
    out: list[Item] = []
    column = 0
    for region in regions(
        found, size, one.rtl, lambda band, above: tabled(band, above, size, one.rtl)
    ):
        out.extend(lines(region, one.number, column))
        column += 1
    for group in one.turned:
        turned = [segments(row) for row in rows(group)]
        for region in regions(turned, size, False, lambda _, above: ([], False)):
            found_here = lines(region, one.number, column)
            out.extend(replace(i, aside=True) for i in found_here if isinstance(i, Line))
            column += 1
    return out


def _as_segment(table: Table) -> Segment:
    return Segment([], table.x0, table.x1, table.top, table.bottom, table)


def _middle(row: Row) -> float:
    if row[0].table:
        return row[0].top
    return max(part.bottom for part in row)
