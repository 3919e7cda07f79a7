"""Rows of office files drawn as a table, or as lines where a table would be mostly empty."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.text.canonical import Canvas, Inlines
from answerable.text.parsers.grid import most
from answerable.text.parsers.ooxml.text import spread, words_of


def draw_rows(canvas: Canvas, rows: Sequence[Sequence[Inlines]], header: int) -> None:
    """Draw rows of contents; nothing for no rows, a paragraph for a single content."""
    filled = sum(bool(words_of(content)) for row in rows for content in row)
    widest = max((len(row) for row in rows), default=0)
    if not filled:
        return
    if filled == 1 and len(rows) == 1:
        canvas.paragraph(spread(rows[0], " "))
    elif widest * len(rows) > most(filled):
        canvas.note("a table with far more spots than values was drawn as paragraphs")
        for row in rows:
            canvas.paragraph(spread(row, " | "))
    else:
        canvas.table(rows, header)
