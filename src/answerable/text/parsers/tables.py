"""What the tags of tables do to the pen."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.text.canonical import Run
from answerable.text.parsers.grid import Cell, header_rows, most, resolve
from answerable.text.parsers.lines import runs
from answerable.text.parsers.pen import Action, Pen, Table
from answerable.text.parsers.skip import Jump
from answerable.text.parsers.tokens import Token, attribute, attributes

_TAGS = frozenset(
    name
    for tag in ("table", "/table", "tr", "td", "th")
    for name in (tag, tag.upper(), tag.capitalize())
)


def layouts(tokens: Sequence[Token]) -> frozenset[int]:
    """Numbers of the `table` tags that only place things.

    Those are tables of one cell, tables that say so by their role, and tables of one row or one
    column without header cells around another table.
    """
    found: set[int] = set()
    # Per open table: its number, rows, cells in this row, widest row, header cells, inner tables.
    stack: list[list[int]] = []

    def close() -> None:
        number, rows, _, widest, heads, inner = stack.pop()
        lone = rows <= 1 or widest <= 1
        role = attribute(tokens[number][1], "role")
        if role in ("presentation", "none") or (
            lone and (widest * rows <= 1 or (inner and not heads))
        ):
            found.add(number)
        elif stack:
            stack[-1][5] += 1

    for number, (tag, _, _) in enumerate(tokens):
        if tag not in _TAGS:
            continue
        tag = tag.lower()
        if tag == "table":
            stack.append([number, 0, 0, 0, 0, 0])
        elif stack:
            top = stack[-1]
            if tag == "/table":
                close()
            elif tag == "tr":
                top[1] += 1
                top[2] = 0
            else:
                top[1] = max(top[1], 1)
                top[2] += 1
                top[3] = max(top[3], top[2])
                top[4] += tag == "th"
    while stack:
        close()
    return frozenset(found)


def close_table(pen: Pen) -> None:
    """Draw the open table."""
    table = pen.table
    if table is None:
        return
    _close_cell(pen, table)
    _close_caption(pen, table)
    pen.table = None
    rows = resolve(table.rows)
    kept = [row for row in rows if any(cell.content for cell in row)]
    if kept:
        dropped = sum(not any(cell.content for cell in row) for row in rows[: table.head_rows])
        header = header_rows(kept, table.head_rows - dropped)
        parent = pen.anchor()
        widest = max(len(row) for row in kept)
        if widest * len(kept) > most(sum(len(row) for row in table.rows)):
            _uneven(pen, kept, parent)
        else:
            pen.canvas.table([[cell.content for cell in row] for row in kept], header, parent)


def _uneven(pen: Pen, rows: Sequence[Sequence[Cell]], parent: int) -> None:
    """Rows so uneven that a grid of them would be mostly empty, as lines of words."""
    pen.canvas.note("a table with far more spots than cells was drawn as paragraphs")
    for row in rows:
        line: list[Run] = []
        for cell in row:
            line += [Run(" | "), *runs(cell.content)] if line else runs(cell.content)
        pen.canvas.paragraph(line, parent)


def _table(pen: Pen, written: str, at: int) -> Jump | None:
    table = pen.table
    if table is not None:
        table.inner.append([0, 0])
        pen.buffer.append(" ")
    elif at - 1 in pen.layouts:
        pen.strong()
        pen.unwrapped += 1
    else:
        pen.strong()
        pen.table = Table()
    return None


def _end_table(pen: Pen, written: str, at: int) -> Jump | None:
    table = pen.table
    if table is None:
        pen.flush()
        pen.unwrapped = max(0, pen.unwrapped - 1)
    elif table.inner:
        table.inner.pop()
        pen.buffer.append(" ")
    else:
        close_table(pen)
    return None


def _row(pen: Pen, written: str, at: int) -> Jump | None:
    table = pen.table
    if table is None:
        pen.flush()
    elif table.inner:
        while pen.buffer and pen.buffer[-1].isspace():
            pen.buffer.pop()
        pen.buffer.append("; " if table.inner[-1][0] else " ")
        table.inner[-1][0] += 1
        table.inner[-1][1] = 0
    else:
        _close_cell(pen, table)
        _close_caption(pen, table)
        pen.flush()
        table.rows.append([])
        table.head_rows += table.in_head
    return None


def _cell(head: bool) -> Action:
    def action(pen: Pen, written: str, at: int) -> Jump | None:
        table = pen.table
        if table is None:
            pen.flush()
        elif table.inner:
            pen.buffer.append(" / " if table.inner[-1][1] else " ")
            table.inner[-1][1] += 1
        else:
            _close_cell(pen, table)
            _close_caption(pen, table)
            pen.flush()
            if not table.rows:
                table.rows.append([])
            values = attributes(written) if "span" in written.lower() else {}
            table.cell = Cell(
                "",
                _number(values.get("rowspan", ""), 1),
                max(1, _number(values.get("colspan", ""), 1)),
                head,
            )
        return None

    return action


def _end_cell(pen: Pen, written: str, at: int) -> Jump | None:
    table = pen.table
    if table is None:
        pen.flush()
    elif not table.inner:
        _close_cell(pen, table)
    return None


def _head(inside: bool) -> Action:
    def action(pen: Pen, written: str, at: int) -> Jump | None:
        table = pen.table
        if table is not None and not table.inner:
            _close_cell(pen, table)
            table.in_head = inside
        return None

    return action


def _caption(pen: Pen, written: str, at: int) -> Jump | None:
    table = pen.table
    if table is not None and not table.inner:
        _close_cell(pen, table)
        pen.flush()
        table.caption = True
    else:
        pen.flush()
    return None


def _end_caption(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.table is not None:
        _close_caption(pen, pen.table)
    else:
        pen.flush()
    return None


def _close_caption(pen: Pen, table: Table) -> None:
    if table.caption:
        table.caption = False
        pen.flush()


def _close_cell(pen: Pen, table: Table) -> None:
    cell = table.cell
    if cell is None:
        return
    if pen.level:
        pen.level = 0
    table.cell = None
    table.inner.clear()
    table.rows[-1].append(cell._replace(content=pen.take().content))


def _number(written: str, default: int) -> int:
    digits = written.strip()[:6]
    return int(digits) if digits.isascii() and digits.isdigit() else default


TABLE_ACTIONS: dict[str, Action] = {
    "table": _table,
    "/table": _end_table,
    "tr": _row,
    "/tr": _end_cell,
    "td": _cell(False),
    "th": _cell(True),
    "/td": _end_cell,
    "/th": _end_cell,
    "thead": _head(True),
    "/thead": _head(False),
    "tbody": _head(False),
    "tfoot": _head(False),
    "caption": _caption,
    "/caption": _end_caption,
}
