"""What drawings of office files say: charts, diagrams, words instead of pictures (DrawingML)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from answerable.text.canonical import Canvas
from answerable.text.parsers.ooxml.parts import (
    Element,
    Office,
    child,
    children,
    name_of,
    number,
    path,
    relation_id,
    value,
    within,
)

_MADE = re.compile(
    r"\s*(?:Description automatically generated(?: with \w+ confidence)?|"
    r"AI-generated content may be incorrect)\.?$"
)
_UNNAMED = re.compile(r"(?:picture|image|graphic|chart|shape|bild|grafik)\s*\d*", re.IGNORECASE)
_MOST_POINTS = 2000
_MOST_SERIES = 100


class Chart(NamedTuple):
    """A chart's title, and its series as a table whose first row names them."""

    title: str
    rows: Sequence[Sequence[str]]


def alt(properties: Element | None) -> str:
    """The words instead of a picture, '' for a decorative one and for mere file names."""
    if properties is None or any(
        value(mark, "val") in ("1", "true") for mark in within(properties, "adec:decorative")
    ):
        return ""
    words = " ".join((value(properties, "descr") or value(properties, "title")).split())
    words = _MADE.sub("", words).strip()
    if _UNNAMED.fullmatch(words):
        return ""
    last = words.rsplit(".", 1)[-1].lower()
    named = " " not in words and last in ("png", "jpg", "jpeg", "gif", "emf", "wmf", "svg", "bmp")
    return "" if named else words


def draw_graphic(canvas: Canvas, office: Office, part: str, graphic: Element, parent: int) -> None:
    """Draw the charts and diagrams inside `graphic` of a part of the file."""
    for data in within(graphic, "a:graphicData"):
        for inner in data:
            name, wanted = name_of(inner), relation_id(inner, "id", "dm")
            relation = office.relations(part).get(wanted) if wanted else None
            if relation is None or relation.outside:
                continue
            root = office.tree(relation.target)
            if root is None:
                continue
            if name == "c:chart":
                draw_chart(canvas, read_chart(root), parent)
            elif name == "dgm:relIds":
                for words in read_diagram(root):
                    canvas.item(1, "-", words, parent)
            elif name == "cx:chart":
                title = " ".join(lines(next(within(root, "cx:title"), None)))
                if title:
                    canvas.figure(title, parent)


def draw_chart(canvas: Canvas, chart: Chart, parent: int = -1) -> None:
    """A chart's title as a figure and its numbers as a table."""
    if chart.title:
        canvas.figure(chart.title, parent)
    if len(chart.rows) > 1:
        canvas.table(chart.rows, 1, parent)


def read_chart(root: Element) -> Chart:
    """The title and the numbers that a chart part keeps (`c:chartSpace`)."""
    chart = child(root, "c:chart")
    title = " ".join(lines(child(chart, "c:title")))
    heads: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for series in list(within(root, "c:ser"))[:_MOST_SERIES]:
        heads.append(" ".join(_cached(child(series, "c:tx")).values()))
        columns.append(_cached(child(series, "c:val", "c:yVal")))
        categories = categories or _cached(child(series, "c:cat", "c:xVal"))
    if not title and len(heads) == 1 and child(chart, "c:title") is not None:
        title = heads[0]
    points = sorted({at for column in columns for at in column})[:_MOST_POINTS]
    rows = [
        [categories.get(at, str(at + 1)), *(column.get(at, "") for column in columns)]
        for at in points
    ]
    return Chart(title, [["", *heads], *rows] if rows else [])


def read_diagram(root: Element) -> list[str]:
    """The words of a SmartArt diagram's points (`dgm:dataModel`), in their order."""
    found = []
    for point in within(root, "dgm:pt"):
        if value(point, "type") not in ("pres", "parTrans", "sibTrans"):
            words = " ".join(lines(child(point, "dgm:t")))
            if words:
                found.append(words)
    return found


def lines(body: Element | None) -> list[str]:
    """The paragraphs of a text body, each one line, those without words left out."""
    if body is None:
        return []
    found = []
    for paragraph in within(body, "a:p"):
        pieces = [
            " " if name_of(inner) == "a:br" else inner.text or ""
            for inner in paragraph.iter()
            if name_of(inner) in ("a:t", "a:br")
        ]
        words = " ".join("".join(pieces).split())
        if words:
            found.append(words)
    return found


def _cached(holder: Element | None) -> dict[int, str]:
    """Points by index as the chart keeps them; levels of categories joined."""
    if holder is None:
        return {}
    levels = list(within(holder, "c:lvl"))
    if levels:
        found: dict[int, str] = {}
        for level in levels:
            for at, words in _points(level).items():
                found[at] = f"{words} / {found[at]}" if at in found else words
        return found
    for cache in within(holder, "c:strCache", "c:numCache", "c:strLit", "c:numLit"):
        return _points(cache)
    written = path(holder, "c:v")
    return {0: written.text or ""} if written is not None else {}


def _points(cache: Element) -> dict[int, str]:
    found = {}
    for point in children(cache, "c:pt"):
        written = child(point, "c:v")
        if written is not None and written.text:
            found[number(value(point, "idx"))] = tidy_number(written.text.strip())
    return found


def tidy_number(written: str) -> str:
    """A number as stored with the noise of binary fractions taken off; other words as they are."""
    if len(written) < 12 and "E" not in written and "e" not in written:
        return written
    try:
        read = float(written)
    except ValueError:
        return written
    if read != read or read in (float("inf"), float("-inf")):
        return written
    if read == int(read) and abs(read) < 1e15:
        return str(int(read))
    short = f"{read:.15g}"
    return f"{read:.15f}".rstrip("0") if "e" in short and 1e-6 < abs(read) < 1 else short
