"""Shapes of slides in the order in which people read them (ECMA-376 part 1, 19.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from answerable.text.parsers.ooxml.parts import Element, child, name_of, number, path, shown, value

SHAPES = frozenset({"p:sp", "p:graphicFrame", "p:pic", "p:grpSp", "p:cxnSp"})
_UNDRAWN = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})
TITLES = frozenset({"title", "ctrTitle"})


@dataclass(frozen=True, slots=True)
class Box:
    """Where a shape stands: left, top, right, bottom, in English Metric Units."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape, its place, the kind and number of its placeholder ('': none), its members."""

    element: Element
    box: Box
    holder: str = ""
    index: str = ""
    members: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """Placeholders of a layout and of its master, nearest first, and the master's text styles."""

    holders: Sequence[Mapping[tuple[str, str], Element]] = ()
    styles: Element | None = field(default=None)

    def behind(self, shape: Shape) -> list[Element]:
        """The placeholders that a placeholder takes over from."""
        if not shape.holder:
            return []
        found = []
        for number_, holders in enumerate(self.holders):
            match = holders.get(("", shape.index)) if shape.index and number_ == 0 else None
            match = match if match is not None else holders.get((_usual(shape.holder), ""))
            if match is not None:
                found.append(match)
        return found


def holders_of(root: Element | None) -> dict[tuple[str, str], Element]:
    """The placeholders of a layout or master, by index and by kind."""
    found: dict[tuple[str, str], Element] = {}
    tree = path(root, "p:cSld", "p:spTree")
    for element in tree if tree is not None else ():
        holder = _holder(element)
        if holder is not None:
            if value(holder, "idx"):
                found.setdefault(("", value(holder, "idx")), element)
            found.setdefault((_usual(value(holder, "type") or "obj"), ""), element)
    return found


def read_shapes(tree: Element | None, layout: Layout) -> list[Shape]:
    """The shapes of a slide or a group that say something, in reading order."""
    found: list[Shape] = []
    for element in tree if tree is not None else ():
        name = name_of(element)
        if name == "mc:AlternateContent":
            found += read_shapes(shown(element), layout)
            continue
        if name not in SHAPES:
            continue
        holder = _holder(element)
        kind = (value(holder, "type") or "obj") if holder is not None else ""
        if kind in _UNDRAWN:
            continue
        shape = Shape(element, Box(), kind, value(holder, "idx"))
        box = _box(element)
        for other in layout.behind(shape):
            box = box or _box(other)
        members = tuple(read_shapes(element, layout)) if name == "p:grpSp" else ()
        found.append(Shape(element, box or Box(), kind, value(holder, "idx"), members))
    return in_order(found)


def in_order(shapes: Sequence[Shape]) -> list[Shape]:
    """Divided at gaps: above before below, then left before right, as deep as there are gaps.

    Shapes that cover each other keep the order of the file, which screen readers follow.
    """
    if len(shapes) < 2:
        return list(shapes)
    for low, high in ((_top, _bottom), (_left, _right)):
        parts = _divided(shapes, low, high)
        if len(parts) > 1:
            return [shape for part in parts for shape in in_order(part)]
    return list(shapes)


def _divided(
    shapes: Sequence[Shape], low: Callable[[Shape], int], high: Callable[[Shape], int]
) -> list[list[Shape]]:
    """Shapes in parts, where a gap on one axis lies between them."""
    ordered = sorted(enumerate(shapes), key=lambda pair: low(pair[1]))
    parts: list[list[tuple[int, Shape]]] = [[ordered[0]]]
    edge = high(ordered[0][1])
    for after in ordered[1:]:
        slack = (high(after[1]) - low(after[1])) // 10
        if low(after[1]) >= edge - slack:
            parts.append([])
        parts[-1].append(after)
        edge = max(edge, high(after[1]))
    # Inside a part the order of the file is kept.
    return [[shape for _, shape in sorted(part, key=lambda pair: pair[0])] for part in parts]


def _top(shape: Shape) -> int:
    return shape.box.top


def _bottom(shape: Shape) -> int:
    return shape.box.bottom


def _left(shape: Shape) -> int:
    return shape.box.left


def _right(shape: Shape) -> int:
    return shape.box.right


def _box(element: Element) -> Box | None:
    place = child(element, "p:xfrm")
    for properties in ("p:spPr", "p:grpSpPr"):
        place = place if place is not None else path(element, properties, "a:xfrm")
    offset, extent = child(place, "a:off"), child(place, "a:ext")
    if offset is None or extent is None:
        return None
    left, top = number(value(offset, "x")), number(value(offset, "y"))
    return Box(left, top, left + number(value(extent, "cx")), top + number(value(extent, "cy")))


def _holder(element: Element) -> Element | None:
    for properties in ("p:nvSpPr", "p:nvPicPr", "p:nvGraphicFramePr", "p:nvGrpSpPr"):
        holder = path(element, properties, "p:nvPr", "p:ph")
        if holder is not None:
            return holder
    return None


def _usual(kind: str) -> str:
    """Kinds of placeholders that stand for each other."""
    if kind in TITLES:
        return "title"
    return "body" if kind in ("obj", "subTitle", "") else kind


def texts_of(shapes: Iterable[Shape]) -> Iterable[Shape]:
    """All shapes, those of groups in place of the groups."""
    for shape in shapes:
        if shape.members:
            yield from texts_of(shape.members)
        else:
            yield shape
