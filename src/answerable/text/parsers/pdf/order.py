"""Reading order: columns are read to their end, headings across them stand between.

A recursive cut at the tallest strip of white that divides lines standing side by side, as in the
XY cut of Nagy and Seth (1984), with the strip looked for before any cut across.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from answerable.text.parsers.pdf.page import Region, Row, Segment, Table
from answerable.text.parsers.pdf.words import rows as rows_of
from answerable.text.parsers.pdf.words import segments

_NARROW, _SURE = 0.75, 1.5
"""In sizes: the narrowest strip between columns, and one wide enough for columns of two lines."""
_DEEPEST = 8
_MOST_PARTS, _MOST_STRIPS = 5000, 400
"""A page of more pieces is read as it stands; no more strips than this are looked at."""
_NEAR = 1.75
"""In sizes: lines of one column that are further apart do not belong to one text."""
_LARGER = 1.12
_HOLE, _WHITE = 1.8, 2.0
"""In sizes: the height of a hole for a heading, and of white that parts all columns."""

Tabled = Callable[[list[Row], Row], tuple[list[Region], bool]]


@dataclass(frozen=True, slots=True)
class _Strip:
    """A strip of white from x `left` to `right` beside rows `first` to `last`."""

    left: float
    right: float
    first: int
    last: int
    height: int


def regions(rows: list[Row], size: float, rtl: bool, tabled: Tabled) -> list[Region]:
    """The rows of a page divided into columns, in the order in which they are read.

    `size` is that of the body text. Columns are read from the right where `rtl`. `tabled` is asked
    whether rows with a strip of white through them are a table, and given the row above them; it
    answers with the table, or nothing, and whether that row is part of it.
    """
    return _Cut(size, rtl, tabled).divided(rows, 0)


@dataclass(frozen=True, slots=True)
class _Cut:
    size: float
    rtl: bool
    tabled: Tabled

    def divided(self, rows: list[Row], depth: int) -> list[Region]:
        if not rows:
            return []
        strip = None
        if depth < _DEEPEST and sum(map(len, rows)) <= _MOST_PARTS:
            strip = _best(rows, self.size)
        if strip is None:
            return [_region(rows)]
        band, first = rows[strip.first : strip.last + 1], strip.first
        made, headed = self.tabled(band, rows[first - 1] if first else [])
        return [
            *self.divided(rows[: first - headed], depth + 1),
            *(made or self._parted(band, strip, depth)),
            *self.divided(rows[strip.last + 1 :], depth + 1),
        ]

    def _parted(self, band: list[Row], strip: _Strip, depth: int) -> list[Region]:
        """The band in parts, where white goes across both of its sides, else its columns."""
        at = _white_across(band, strip, self.size)
        if at is None:
            return self._columns(band, strip, depth)
        return [*self.divided(band[:at], depth + 1), *self.divided(band[at:], depth + 1)]

    def _columns(self, band: list[Row], strip: _Strip, depth: int) -> list[Region]:
        across = _across(band, strip)
        if across is not None:
            return [
                *self._columns(band[:across], strip, depth),
                _region(band[across : across + 1]),
                *self._columns(band[across + 1 :], strip, depth),
            ]
        middle = (strip.left + strip.right) / 2
        sides: list[list[Segment]] = [[], []]
        for row in band:
            for part in row:
                sides[(part.x0 + part.x1) / 2 > middle].append(part)
        if self.rtl:
            sides.reverse()
        return [
            region for side in sides if side for region in self.divided(_again(side), depth + 1)
        ]


def _region(rows: list[Row]) -> Region:
    return Region(
        rows,
        min(part.x0 for row in rows for part in row),
        max(part.x1 for row in rows for part in row),
    )


def _again(parts: Sequence[Segment]) -> list[Row]:
    """The rows of one column: its lines need not stand beside those of the next."""
    found = [segments(row) for row in rows_of([word for part in parts for word in part.words])]
    found += [[part] for part in parts if part.table]
    found.sort(key=lambda row: row[0].top if row[0].table else max(p.bottom for p in row))
    return found


def _best(rows: list[Row], size: float) -> _Strip | None:
    narrow = _NARROW * size
    best: _Strip | None = None
    seen: list[_Strip] = []
    for at, row in enumerate(rows):
        gaps = [(one.x1, two.x0) for one, two in pairwise(row)]
        if at + 1 < len(rows):
            below = rows[at + 1]
            gaps += [(row[-1].x1, below[0].x0), (below[-1].x1, row[0].x0)]
        for left, right in gaps:
            if right - left < narrow or any(
                s.first <= at <= s.last and s.left < right and left < s.right for s in seen
            ):
                continue
            if len(seen) >= _MOST_STRIPS:
                return best
            wide = _grown(rows, at, left, right, narrow)
            seen.append(wide)
            strip = _fitted(rows, wide, size)
            if strip and (
                best is None
                or (strip.height, strip.right - strip.left) > (best.height, best.right - best.left)
            ):
                best = strip
    return best


def _grown(rows: list[Row], at: int, left: float, right: float, narrow: float) -> _Strip:
    """The strip up and down from row `at` as far as nothing stands in it."""
    ends = [at, at]
    for side, step in ((0, -1), (1, 1)):
        here = at + step
        while 0 <= here < len(rows):
            clipped = _clipped(rows[here], left, right)
            if clipped[1] - clipped[0] < narrow:
                break
            left, right = clipped
            ends[side] = here
            here += step
    return _Strip(left, right, ends[0], ends[1], 0)


def _clipped(row: Row, left: float, right: float) -> tuple[float, float]:
    for part in row:
        if part.x1 <= left or part.x0 >= right:
            continue
        if part.x0 <= left:
            left = part.x1
        elif part.x1 >= right:
            right = part.x0
        else:
            return left, left
    return left, right


def _fitted(rows: list[Row], strip: _Strip, size: float) -> _Strip | None:
    """The strip where lines stand on both sides of it; None if there are too few."""
    lefts = [n for n in range(strip.first, strip.last + 1) if rows[n][0].x1 <= strip.left]
    rights = [n for n in range(strip.first, strip.last + 1) if rows[n][-1].x0 >= strip.right]
    if not lefts or not rights:
        return None
    first, last = max(lefts[0], rights[0]), min(lefts[-1], rights[-1])
    # Columns whose lines do not stand side by side begin up to a line apart.
    first = max(strip.first, first - 1) if _lone(rows[first], strip) else first
    last = min(strip.last, last + 1) if _lone(rows[last], strip) else last
    height = min(sum(first <= n <= last for n in side) for side in (lefts, rights))
    if height < (2 if strip.right - strip.left >= _SURE * size else 3):
        return None
    steps = [
        _base(rows[two]) - _base(rows[one])
        for side in (lefts, rights)
        for one, two in pairwise(side)
        if first <= one and two <= last
    ]
    near = 1.25 * median(steps) if steps else 0.0
    while first > strip.first and _goes_on(rows[first - 1], rows[first], near):
        first -= 1
    while last < strip.last and _goes_on(rows[last], rows[last + 1], near):
        last += 1
    return _Strip(strip.left, strip.right, first, last, height)


def _lone(row: Row, strip: _Strip) -> bool:
    return row[0].x1 > strip.left or row[-1].x0 < strip.right


def _goes_on(upper: Row, lower: Row, near: float) -> bool:
    """Whether two rows are lines of one text, as far as their place and size tell."""
    above, below = _size(upper), _size(lower)
    if max(above, below) > _LARGER * min(above, below):
        return False
    step = max(part.bottom for part in lower) - max(part.bottom for part in upper)
    return step <= max(near, _NEAR * max(above, below))


def _size(row: Row) -> float:
    return max((part.size for part in row), default=0.0) or 1.0


def _across(band: list[Row], strip: _Strip) -> int | None:
    """A larger line on one side of a strip beside a hole in the other column: it heads both."""
    usual = median(_size(row) for row in band)
    sides = [
        [n for n, row in enumerate(band) if row[0].x1 <= strip.left],
        [n for n, row in enumerate(band) if row[-1].x0 >= strip.right],
    ]
    for at, row in enumerate(band):
        if not _lone(row, strip) or _size(row) < _LARGER * usual:
            continue
        other = sides[0 if at in sides[1] else 1]
        over = [_base(band[n]) for n in other if n < at]
        under = [_top(band[n]) for n in other if n > at]
        if not over or not under:
            continue
        above, below = _top(row) - max(over), min(under) - _base(row)
        # A hole just as large: beside a picture a heading belongs to its own column.
        if (
            min(above, below) >= 0
            and max(above, below) <= 3 * usual
            and (min(under) - max(over) >= _HOLE * usual)
        ):
            return at
    return None


def _white_across(band: list[Row], strip: _Strip, size: float) -> int | None:
    """Where a band is to be parted: the first row under white that goes through both sides."""
    lefts = [n for n, row in enumerate(band) if row[0].x1 <= strip.left]
    rights = [n for n, row in enumerate(band) if row[-1].x0 >= strip.right]
    if not lefts or not rights:
        return None
    bottom = _base(band[0])
    for at in range(1, len(band)):
        white = _top(band[at]) - bottom
        both = all(side[0] < at <= side[-1] for side in (lefts, rights))
        if both and white >= _WHITE * size:
            return at
        bottom = max(bottom, _base(band[at]))
    return None


def _top(row: Row) -> float:
    return min(part.top for part in row)


def _base(row: Row) -> float:
    return max(part.bottom for part in row)


def table_row(table: Table) -> Row:
    """A table as a row of its own."""
    return [Segment([], table.x0, table.x1, table.top, table.bottom, table)]
