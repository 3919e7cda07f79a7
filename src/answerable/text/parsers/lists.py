"""What the tags of lists do to the pen."""

from __future__ import annotations

from answerable.text.parsers.pen import Action, Nest, Pen
from answerable.text.parsers.skip import Jump
from answerable.text.parsers.tokens import attributes


def _list(ordered: bool) -> Action:
    def action(pen: Pen, written: str, at: int) -> Jump | None:
        pen.strong()
        if pen.soft:
            return None
        nest = Nest(ordered=ordered)
        if ordered and written and len(pen.nests) < _DEEP:
            values = attributes(written)
            nest.step = -1 if "reversed" in values else 1
            first = _integer(values.get("start", ""))
            if first is None:
                first = _items(pen, at) if nest.step < 0 else 1
            nest.number = first
        pen.nests.append(nest)
        pen.lists += 1
        return None

    return action


def _end_list(pen: Pen, written: str, at: int) -> Jump | None:
    pen.flush()
    if not pen.soft and pen.lists:
        index = len(pen.nests) - 1
        while pen.nests[index].quote:
            index -= 1
        pen.drop_nests(index)
    return None


def _item(pen: Pen, written: str, at: int) -> Jump | None:
    pen.strong()
    if pen.soft:
        return None
    if not pen.nests or pen.nests[-1].quote:
        pen.nests.append(Nest(implied=True))
        pen.lists += 1
    pen.drop_frames(len(pen.nests) - 1)
    nest = pen.nests[-1]
    if nest.ordered:
        value = _integer(attributes(written).get("value", "")) if written else None
        if value is not None:
            nest.number = value
        nest.marker = f"{nest.number}."
        nest.number += nest.step
    else:
        nest.marker = "-"
    nest.block = -1
    return None


def _end_item(pen: Pen, written: str, at: int) -> Jump | None:
    pen.flush()
    if not pen.soft and pen.nests and not pen.nests[-1].quote:
        pen.nests[-1].marker = ""
        if pen.nests[-1].implied:
            pen.drop_nests(len(pen.nests) - 1)
    return None


def _term(pen: Pen, written: str, at: int) -> Jump | None:
    """A `dt`: an earlier term without a definition shares the next one."""
    _begin_definition(pen, written, at)
    if not pen.soft:
        pen.in_term = True
    return None


def _end_term(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.in_term:
        pen.end_term()
    elif pen.soft:
        pen.buffer.append(": ")
    else:
        pen.flush()
    return None


def _begin_definition(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.in_term:
        pen.end_term()
    else:
        pen.strong()
    return None


def _end_definition(pen: Pen, written: str, at: int) -> Jump | None:
    _begin_definition(pen, written, at)
    if not pen.soft and pen.terms:
        terms, pen.terms = pen.terms, []
        pen.put(terms)
    return None


def _items(pen: Pen, at: int) -> int:
    """How many items the list opened before token `at` has itself, within a bounded look."""
    depth = count = 0
    for tag, _, _ in pen.tokens[at : at + 5000]:
        name = tag.lower()
        if name in ("ol", "ul"):
            depth += 1
        elif name in ("/ol", "/ul"):
            depth -= 1
            if depth < 0:
                break
        elif name == "li" and not depth:
            count += 1
    return count


def _integer(written: str) -> int | None:
    digits = written.strip()[:10]
    plain = digits.lstrip("+-")
    return (
        int(digits)
        if plain.isascii() and plain.isdigit() and len(digits) - len(plain) < 2
        else None
    )


# Deeper lists number from 1: looking ahead in each would cost the square of the depth.
_DEEP = 200

LIST_ACTIONS: dict[str, Action] = {
    "ul": _list(False),
    "menu": _list(False),
    "dir": _list(False),
    "ol": _list(True),
    "/ul": _end_list,
    "/menu": _end_list,
    "/dir": _end_list,
    "/ol": _end_list,
    "li": _item,
    "/li": _end_item,
    "dl": _begin_definition,
    "/dl": _end_definition,
    "dt": _term,
    "/dt": _end_term,
    "dd": _begin_definition,
    "/dd": _end_definition,
}
