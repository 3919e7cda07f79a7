"""Tables without drawn lines: columns of cells that stand under each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from answerable.text.parsers.pdf.page import Region, Row, Segment, Table, Word
from answerable.text.parsers.pdf.said import said
from answerable.text.parsers.pdf.words import LEADERS, segments
from answerable.text.parsers.pdf.words import rows as rows_of

_PROSE = 12
"""Characters of the usual line of a column of text."""
_CLOSE, _APART = 1.6, 2.5
"""In sizes: a step between lines that is always close, and a usual one that text never has."""
_GOING_ON, _FULL = 0.35, 0.5
"""In running text, the share of lines that begin in lower case; without case, of full lines."""
_ALIGNED, _HEAD = 0.6, 2.5
_NARROW = 0.6


def cell_text(words: Sequence[Word], rtl: bool) -> str:
    """The words of one cell; a line feed stands where a line ends."""
    return "\n".join(LEADERS.sub(" … ", said(row, rtl)).strip() for row in rows_of(words))


def tabled(band: list[Row], above: Row, size: float, rtl: bool) -> tuple[list[Region], bool]:
    """The rows as a table, or nothing; and whether the row above them is its header.

    A header has words close enough for a line of text, but none over a gap between the columns.
    """
    made = aligned(band, size, rtl)
    if not made or not made[0].rows[0][0].table:
        return made or [], False
    head = _headed(above, band, size)
    headed = aligned([head, *band], size, rtl) if head else None
    return (headed, True) if headed else (made, False)


def _headed(above: Row, band: list[Row], size: float) -> Row:
    """The row above a table divided at its columns; nothing where it does not fit them."""
    words = [word for part in above for word in part.words]
    edges = _columns(band, _NARROW * size)
    if not words or any(part.table for part in above) or len(words) > 4 * len(edges):
        return []
    if _base(band[0]) - _base(above) > _HEAD * max(part.size for part in band[0]):
        return []
    if len(above) == len(edges):
        rights = [float("-inf"), *(edge[1] for edge in edges[:-1])]
        lefts = [*(edge[0] for edge in edges[1:]), float("inf")]
        if all(
            right <= part.x0 and part.x1 <= left
            for part, right, left in zip(above, rights, lefts, strict=True)
        ):
            return [_put(p.words, edge) for p, edge in zip(above, edges, strict=True)]
    gaps = [(one[1] + two[0]) / 2 for one, two in pairwise(edges)]
    out: Row = []
    bounds = pairwise([float("-inf"), *gaps, float("inf")])
    for (left, right), edge in zip(bounds, edges, strict=True):
        inside = [word for word in words if left <= word.x0 and word.x1 <= right]
        if inside:
            out.append(_put(inside, edge))
    whole = sum(len(part.words) for part in out) == len(words)
    return out if whole and len(out) > max(1, len(edges) / 2) else []


def _put(words: list[Word], edge: tuple[float, float]) -> Segment:
    """Words as the cell of a column, wherever in it they stand."""
    top, bottom = min(word.top for word in words), max(word.bottom for word in words)
    return Segment(words, edge[0], edge[1], top, bottom)


def _base(row: Row) -> float:
    return max(part.bottom for part in row)


def aligned(band: list[Row], size: float, rtl: bool) -> list[Region] | None:
    """The rows as a table, where they are one; None for columns of running text.

    Most lines of a table stand side by side in more than half of its columns. Two columns of
    running text are none, nor is one beside a single other.
    """
    if any(part.table for row in band for part in row):
        return None
    words = [word for row in band for part in row for word in part.words]
    led = sum(
        LEADERS.search(said([w for p in row for w in p.words], rtl)) is not None for row in band
    )
    if sum(word.style.mono for word in words) > 0.7 * len(words) or led > 0.4 * len(band):
        return [
            Region(band, min(word.x0 for word in words), max(word.x1 for word in words))
        ]  # a listing, or a table of contents
    edges = _columns(band, _NARROW * size)
    count = len(edges)
    if count < 2:
        return None
    columns = [_within(band, edge) for edge in edges]
    prose = sum(_is_prose(lines, edge) for lines, edge in zip(columns, edges, strict=True))
    if prose >= min(2, count - 1):
        return None
    filled = [sum(_meets(row, edge) for edge in edges) for row in band]
    if sum(n > count / 2 for n in filled) < _ALIGNED * len(band):
        return None
    rows = _rows(band, edges, filled, rtl)
    if len(rows) + count < 5:
        return None
    x0, x1 = edges[0][0], edges[-1][1]
    top = min(part.top for part in band[0])
    bottom = max(part.bottom for part in band[-1])
    table = Table(x0, top, x1, bottom, rows)
    return [Region([[Segment([], x0, x1, top, bottom, table)]], x0, x1)]


def _columns(band: list[Row], narrow: float) -> list[tuple[float, float]]:
    """The edges of the columns that the rows with most cells make."""
    most = max(len(row) for row in band)
    spans = sorted(
        (part.x0, part.x1) for row in band if len(row) >= max(2, 0.6 * most) for part in row
    )
    out: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if out and x0 - out[-1][1] < narrow:
            out[-1] = (out[-1][0], max(out[-1][1], x1))
        else:
            out.append((x0, x1))
    return out


def _meets(row: Row, edge: tuple[float, float]) -> bool:
    return any(part.x0 < edge[1] and part.x1 > edge[0] for part in row)


def _within(band: list[Row], edge: tuple[float, float]) -> list[Segment]:
    return [
        part for row in band for part in row if edge[0] - 1 <= part.x0 and part.x1 <= edge[1] + 1
    ]


def _is_prose(lines: list[Segment], edge: tuple[float, float]) -> bool:
    """Whether the lines of a column are close, and most go on from the one before."""
    if len(lines) < 2:
        return False
    if median(sum(len(word.text) for word in part.words) for part in lines) < _PROSE:
        return False
    steps = [(two.bottom - one.bottom) / max(two.size, 1.0) for one, two in pairwise(lines)]
    usual = median(steps)
    if usual > _APART or sum(step <= max(_CLOSE, 1.2 * usual) for step in steps) < 0.7 * len(steps):
        return False
    begins = [part.words[0].text[0] for part in lines[1:]]
    cased = [char for char in begins if char.lower() != char.upper()]
    if len(cased) >= 0.5 * len(begins):
        return sum(char.islower() for char in cased) >= _GOING_ON * len(begins)
    full = [part for part in lines if part.x1 >= edge[1] - 2.5 * part.size]
    return len(full) >= _FULL * len(lines)


def _rows(
    band: list[Row], edges: list[tuple[float, float]], filled: list[int], rtl: bool
) -> tuple[tuple[str, ...], ...]:
    """A line with more than half of its cells begins a row; others go on in the row above."""
    held: list[list[list[Word]]] = []
    last = 0.0
    for row, count in zip(band, filled, strict=True):
        base = _base(row)
        size = max(part.size for part in row)
        if not held or count > len(edges) / 2 or base - last > 1.8 * size:
            held.append([[] for _ in edges])
        last = base
        for part in row:
            for at, edge in enumerate(edges):
                if part.x0 < edge[1] and part.x1 > edge[0]:
                    held[-1][at].extend(part.words)
    rows = [[cell_text(words, rtl) for words in row] for row in held]
    return tuple(tuple(row[::-1] if rtl else row) for row in rows)


def column_edges(words: Sequence[Word], left: float, right: float) -> list[float]:
    """Where the columns of words divide that stand between level lines."""
    band = [segments(row) for row in rows_of(words)]
    size = median(word.size for word in words)
    edges = _columns(band, _NARROW * size) if any(len(row) > 1 for row in band) else []
    inner = [(one[1] + two[0]) / 2 for one, two in pairwise(edges)]
    return [left, *inner, right]


def row_edges(words: Sequence[Word], xs: Sequence[float], ys: Sequence[float]) -> list[float]:
    """Where rows divide: at the lines drawn, and between lines of words that fill most columns."""
    out = [ys[0]]
    for top, bottom in pairwise(ys):
        inside = [word for word in words if top <= word.base - 0.3 * word.size <= bottom]
        lines = rows_of(inside)
        for last, row in pairwise(lines):
            if _columns_of(row, xs) > (len(xs) - 1) / 2 and _columns_of(last, xs):
                out.append((max(w.bottom for w in last) + min(w.top for w in row)) / 2)
        out.append(bottom)
    return out


def _columns_of(row: Sequence[Word], xs: Sequence[float]) -> int:
    middles = [(word.x0 + word.x1) / 2 for word in row]
    return sum(any(left <= middle < right for middle in middles) for left, right in pairwise(xs))
