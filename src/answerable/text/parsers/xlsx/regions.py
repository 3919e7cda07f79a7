"""Tables on a worksheet: areas of cells with empty rows or columns between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

Place = tuple[int, int]

_MOST_PARTS = 5000
_ROWS, _COLUMNS = 0, 1
_SHARED = 0.6


class Region(NamedTuple):
    """An area of a sheet: first and last row and column, and its filled places in order."""

    top: int
    left: int
    bottom: int
    right: int
    places: list[Place]


class _Part(NamedTuple):
    """Places to be divided: where next, whether the other way failed, whether columns stay."""

    places: list[Place]
    axis: int = _ROWS
    failed: bool = False
    joined: bool = False


def regions(places: Iterable[Place]) -> list[Region]:
    """Filled places divided at empty rows, then at empty columns, as long as there are any.

    A lone column stays with the columns beside it when it fills the same rows: it holds their
    labels. Areas that only touch at a corner are divided too. In reading order: from the top,
    beside each other from the left.
    """
    found: list[Region] = []
    # A pile instead of recursion: a sheet may be divided thousands of times.
    pile = [_Part(sorted(places))]
    while pile:
        part = pile.pop()
        if not part.places:
            continue
        many = len(found) + len(pile) > _MOST_PARTS
        pieces = [] if many else _divide(part)
        if len(pieces) > 1:
            pile += reversed(pieces)
        elif part.failed or part.joined or many:
            corner = None if many else _corner(part.places)
            if corner is None:
                found.append(_region(part.places))
            else:
                upper = [place for place in part.places if place[0] < corner]
                lower = [place for place in part.places if place[0] >= corner]
                pile += [_Part(lower), _Part(upper)]
        else:
            pile.append(_Part(part.places, 1 - part.axis, failed=True))
    return found


def _divide(part: _Part) -> list[_Part]:
    axis = _ROWS if part.joined else part.axis
    lines = sorted({place[axis] for place in part.places})
    cuts = {after for before, after in pairwise(lines) if after - before > 1}
    if not cuts:
        return []
    numbers: dict[int, int] = {}
    at = 0
    for line in lines:
        at += line in cuts
        numbers[line] = at
    pieces: list[list[Place]] = [[] for _ in range(len(cuts) + 1)]
    for place in part.places:
        pieces[numbers[place[axis]]].append(place)
    if axis == _ROWS:
        return [_Part(piece, _COLUMNS, joined=part.joined) for piece in pieces]
    return _joined(pieces)


def _joined(pieces: Sequence[list[Place]]) -> list[_Part]:
    """Parts beside each other, a lone column put together with the part that it labels."""
    found: list[_Part] = []
    for piece in pieces:
        if found and _labels(found[-1].places, piece):
            found[-1] = _Part(sorted(found[-1].places + piece), _ROWS, joined=True)
        else:
            found.append(_Part(piece, _ROWS))
    # One joined part of all columns is no division, but its columns must not be divided again.
    return found if len(found) > 1 or not found[0].joined else [found[0], _Part([])]


def _labels(left: Sequence[Place], right: Sequence[Place]) -> bool:
    rows, others = {row for row, _ in left}, {row for row, _ in right}
    lone = len({column for _, column in right}) == 1 or len({column for _, column in left}) == 1
    shared = len(rows & others)
    return lone and shared > 1 and shared >= _SHARED * max(len(rows), len(others))


def _corner(places: Sequence[Place]) -> int | None:
    """The row at which the places below share no columns' range with those above."""
    spans: dict[int, tuple[int, int]] = {}
    for row, column in places:
        low, high = spans.get(row, (column, column))
        spans[row] = (min(low, column), max(high, column))
    rows = sorted(spans)
    lows, highs = [0] * len(rows), [0] * len(rows)
    low, high = 1 << 30, 0
    for at in range(len(rows) - 1, -1, -1):
        low, high = min(low, spans[rows[at]][0]), max(high, spans[rows[at]][1])
        lows[at], highs[at] = low, high
    low, high = 1 << 30, 0
    for at, row in enumerate(rows[:-1]):
        low, high = min(low, spans[row][0]), max(high, spans[row][1])
        if high < lows[at + 1] or highs[at + 1] < low:
            return rows[at + 1]
    return None


def _region(places: list[Place]) -> Region:
    rows = [row for row, _ in places]
    columns = [column for _, column in places]
    return Region(min(rows), min(columns), max(rows), max(columns), places)
