"""Tables with drawn lines: the grid that the lines make, and the words in its cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answerable.text.parsers.pdf.aligned import cell_text, column_edges, row_edges
from answerable.text.parsers.pdf.page import Rule, Table, Word

_NEAR, _REACH = 3.0, 4.0
"""Points: lines this close are one, and lines that end this close to another meet it."""
_MOST_RULES = 3000
_MOST_SPOTS, _MOST_TABLES = 5000, 200
_LONGEST_CELL = 1500
"""Characters; a box around more text is a frame."""
_SHORT = 6.0
_THROUGH = 0.6
"""The share of a table's width or height that a line must go through to divide it."""


@dataclass(slots=True)
class _Stroke:
    """A line along one axis: where it lies on the other axis, and from where to where."""

    at: float
    start: float
    end: float


def drawn_tables(
    words: Sequence[Word], rules: Sequence[Rule], rtl: bool
) -> tuple[list[Table], list[Word]]:
    """The tables that lines draw, and the words that stand in none of them.

    Cells that no line divides are one, whose words stand in every spot that it covers. A box around
    one cell, a frame around long text and a grid that holds hardly any words are no tables.
    """
    flat, tall = _strokes(rules)
    if not flat or len(flat) + len(tall) > _MOST_RULES:
        return [], list(words)
    tables: list[Table] = []
    left = list(words)
    for across, down in _meeting(flat, tall)[:_MOST_TABLES]:
        made = _table(left, across, down, rtl)
        if made:
            table, inside = made
            tables.append(table)
            left = [word for word in left if id(word) not in inside]
    return tables, left


def _strokes(rules: Sequence[Rule]) -> tuple[list[_Stroke], list[_Stroke]]:
    flat = [_Stroke(r.y0, min(r.x0, r.x1), max(r.x0, r.x1)) for r in rules if abs(r.y1 - r.y0) <= 1]
    tall = [_Stroke(r.x0, min(r.y0, r.y1), max(r.y0, r.y1)) for r in rules if abs(r.x1 - r.x0) <= 1]
    return _merged(flat), _merged(tall)


def _merged(strokes: list[_Stroke]) -> list[_Stroke]:
    """Pieces of one line as one."""
    out: list[_Stroke] = []
    for stroke in sorted(strokes, key=lambda s: (round(s.at / 2), s.start)):
        last = out[-1] if out else None
        if last and abs(last.at - stroke.at) <= 2 and stroke.start <= last.end + _NEAR:
            last.end = max(last.end, stroke.end)
        else:
            out.append(_Stroke(stroke.at, stroke.start, stroke.end))
    return [stroke for stroke in out if stroke.end - stroke.start >= _SHORT]


def _meeting(flat: list[_Stroke], tall: list[_Stroke]) -> list[tuple[list[_Stroke], list[_Stroke]]]:
    """Groups of lines that meet, and of level lines over each other from edge to edge."""
    parent = list(range(len(flat) + len(tall)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for n, line in enumerate(flat):
        for m, other in enumerate(tall):
            if (
                line.start - _REACH <= other.at <= line.end + _REACH
                and other.start - _REACH <= line.at <= other.end + _REACH
            ):
                parent[root(n)] = root(len(flat) + m)
    met = {root(m + len(flat)) for m in range(len(tall))}
    alone = [n for n in range(len(flat)) if root(n) not in met]
    for n in alone:
        for m in alone:
            if (
                n < m
                and abs(flat[n].start - flat[m].start) <= _NEAR
                and (abs(flat[n].end - flat[m].end) <= _NEAR)
            ):
                parent[root(m)] = root(n)
    groups: dict[int, tuple[list[_Stroke], list[_Stroke]]] = {}
    for at in range(len(parent)):
        group = groups.setdefault(root(at), ([], []))
        if at < len(flat):
            group[0].append(flat[at])
        else:
            group[1].append(tall[at - len(flat)])
    found = [group for group in groups.values() if len(group[0]) > 1]
    return sorted(found, key=lambda group: -len(group[0]) - len(group[1]))


def _places(values: Sequence[float]) -> list[float]:
    out: list[float] = []
    for value in sorted(values):
        if not out or value - out[-1] > _NEAR:
            out.append(value)
    return out


def _table(
    words: Sequence[Word], flat: list[_Stroke], tall: list[_Stroke], rtl: bool
) -> tuple[Table, set[int]] | None:
    if len(flat) < 2:
        return None
    x0, x1 = _extent(flat, tall)
    y0, y1 = _extent(tall, flat)
    inside = [
        word
        for word in words
        if x0 <= (word.x0 + word.x1) / 2 <= x1 and y0 <= word.base - 0.3 * word.size <= y1
    ]
    if len(inside) < 4:
        return None
    rows = _gridded(inside, flat, tall, rtl)
    if rows is None:
        # Boxes inside the cells: the lines that go through make the table.
        long_flat = [s for s in flat if s.end - s.start >= _THROUGH * (x1 - x0)]
        long_tall = [s for s in tall if s.end - s.start >= _THROUGH * (y1 - y0)]
        if (len(long_flat), len(long_tall)) != (len(flat), len(tall)) and len(long_flat) > 1:
            rows = _gridded(inside, long_flat, long_tall, rtl)
    if rows is None:
        return None
    return Table(x0, y0, x1, y1, rows), {id(word) for word in inside}


def _extent(along: list[_Stroke], across: list[_Stroke]) -> tuple[float, float]:
    ends = [s.start for s in along] + [s.end for s in along] + [s.at for s in across]
    return min(ends), max(ends)


def _gridded(
    inside: list[Word], flat: list[_Stroke], tall: list[_Stroke], rtl: bool
) -> tuple[tuple[str, ...], ...] | None:
    xs = _places([s.at for s in tall] + [s.start for s in flat] + [s.end for s in flat])
    ys = _places([s.at for s in flat] + [e for s in tall for e in (s.start, s.end)])
    if len(xs) < 2 or len(ys) < 2 or len(xs) * len(ys) > _MOST_SPOTS:
        return None
    drawn = len(tall) > 0 and len(xs) > 2
    if not drawn:
        if len(ys) < 3:
            return None
        xs = column_edges(inside, xs[0], xs[-1])
        ys = row_edges(inside, xs, ys)
    elif len(ys) == 2:
        ys = row_edges(inside, xs, ys)
    if len(xs) < 3 or len(ys) < 3:
        return None
    spots: dict[tuple[int, int], list[Word]] = {}
    for word in inside:
        column = min(bisect_right(xs, (word.x0 + word.x1) / 2), len(xs) - 1) - 1
        row = min(bisect_right(ys, word.base - 0.3 * word.size), len(ys) - 1) - 1
        spots.setdefault((max(row, 0), max(column, 0)), []).append(word)
    return _cells(spots, xs, ys, flat, tall, drawn, rtl)


def _cells(
    spots: dict[tuple[int, int], list[Word]],
    xs: list[float],
    ys: list[float],
    flat: list[_Stroke],
    tall: list[_Stroke],
    drawn: bool,
    rtl: bool,
) -> tuple[tuple[str, ...], ...] | None:
    high, wide = len(ys) - 1, len(xs) - 1
    owner = {(row, column): (row, column) for row in range(high) for column in range(wide)}

    def root(spot: tuple[int, int]) -> tuple[int, int]:
        while owner[spot] != spot:
            spot = owner[spot]
        return spot

    if drawn:
        walls = [[s for s in tall if abs(s.at - x) <= _NEAR] for x in xs]
        floors = [[s for s in flat if abs(s.at - y) <= _NEAR] for y in ys]
        for row in range(high):
            for column in range(wide):
                middle_x = (xs[column] + xs[column + 1]) / 2
                middle_y = (ys[row] + ys[row + 1]) / 2
                if column and not _divides(walls[column], middle_y):
                    owner[root((row, column))] = root((row, column - 1))
                if row and not _divides(floors[row], middle_x) and len(flat) > 2:
                    owner[root((row, column))] = root((row - 1, column))
    held: dict[tuple[int, int], list[Word]] = {}
    for spot, found in spots.items():
        held.setdefault(root(spot), []).extend(found)
    texts = {spot: cell_text(found, rtl) for spot, found in held.items()}
    cells = {root(spot) for spot in owner}
    if not _rectangular(owner, root):
        return None
    if len(cells) < 4 or len(texts) < max(3, 0.3 * len(cells)):
        return None
    if any(len(text) > _LONGEST_CELL for text in texts.values()):
        return None
    rows = [[texts.get(root((r, c)), "") for c in range(wide)] for r in range(high)]
    if rtl:
        rows = [row[::-1] for row in rows]
    rows = [row for row in rows if any(row)]
    # Where lines are double, a column is there twice.
    full = [
        c
        for c in range(wide)
        if any(row[c] for row in rows) and (not c or any(row[c] != row[c - 1] for row in rows))
    ]
    if len(full) < 2 or len(rows) < 2:
        return None
    return tuple(tuple(row[c] for c in full) for row in rows)


def _rectangular(
    owner: dict[tuple[int, int], tuple[int, int]],
    root: Callable[[tuple[int, int]], tuple[int, int]],
) -> bool:
    """Whether every cell is a rectangle, as in a table and not in a drawing."""
    boxes: dict[tuple[int, int], list[int]] = {}
    for spot in owner:
        row, column = spot
        box = boxes.setdefault(root(spot), [row, column, row, column, 0])
        box[0], box[1] = min(box[0], row), min(box[1], column)
        box[2], box[3] = max(box[2], row), max(box[3], column)
        box[4] += 1
    return all((b[2] - b[0] + 1) * (b[3] - b[1] + 1) == b[4] for b in boxes.values())


def _divides(strokes: list[_Stroke], middle: float) -> bool:
    return any(stroke.start - 1 <= middle <= stroke.end + 1 for stroke in strokes)
