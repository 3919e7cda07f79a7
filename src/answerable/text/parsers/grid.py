"""Table cells that span rows or columns, laid out on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answerable.text.canonical import Inlines

MAX_COLUMNS = 1000
SPOTS, SPOTS_PER_CELL = 10_000, 20
"""How large spans may make a grid: a fixed part, and a part for every cell that is written."""


class Cell(NamedTuple):
    """A cell as written: its content, how many rows and columns it covers, header or not.

    `rows` 0 reaches to the last row (HTML standard 4.9.11).
    """

    content: Inlines
    rows: int = 1
    columns: int = 1
    head: bool = False


def most(cells: int) -> int:
    """How many spots a table of so many written cells may fill."""
    return SPOTS + SPOTS_PER_CELL * cells


def resolve(written: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Rows of equal width in which a spanning cell stands in every spot that it covers.

    A spot that nothing covers holds an empty cell. Spans that reach past the last row are cut, and
    a table whose spans would make it far larger than written is laid out as if nothing spanned.
    """
    height = len(written)
    covered: list[dict[int, Cell]] = [{} for _ in written]
    limit = most(sum(len(row) for row in written))
    spots = 0
    for number, row in enumerate(written):
        column = 0
        for cell in row:
            while column in covered[number]:
                column += 1
            wide = max(1, min(cell.columns, MAX_COLUMNS))
            tall = height - number if cell.rows == 0 else min(max(1, cell.rows), height - number)
            spots += wide * tall
            if spots > limit:
                return _even(written)
            for line in covered[number : number + tall]:
                for spot in range(column, column + wide):
                    line.setdefault(spot, cell)
            column += wide
    width = max((max(line, default=-1) + 1 for line in covered), default=0)
    if width * height > limit:
        return _even(written)
    return [[line.get(spot, _EMPTY) for spot in range(width)] for line in covered]


def header_rows(rows: Sequence[Sequence[Cell]], declared: int) -> int:
    """How many leading rows are header rows: as declared by `thead`, else those of `th` only."""
    if 0 < declared < len(rows):
        return declared
    count = 0
    for row in rows:
        if not row or not all(cell.head for cell in row):
            break
        count += 1
    # A table of nothing but header cells still has a body: only its first row is the header.
    return count if count < len(rows) else min(count, 1)


_EMPTY = Cell("")


def _even(written: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    return [list(row) for row in written]
