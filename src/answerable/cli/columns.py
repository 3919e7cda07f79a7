"""Rows as lines in columns, whatever the width of the terminal or pipe."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], *, left: Sequence[int] = (0, -1)) -> list[str]:
    """Rows of equal length as lines; the columns `left` stand to the left, others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    to_left = {at % len(widths) for at in left}
    return [
        "  ".join(
            cell.ljust(width) if at in to_left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
