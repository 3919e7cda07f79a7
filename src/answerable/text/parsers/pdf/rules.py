"""The lines that are drawn on a page of a PDF, and the edges of its boxes.

Imports pypdfium2, so only what reads a PDF may import this.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float
from typing import Any

import pypdfium2.raw as pdfium

from answerable.text.parsers.pdf.page import Rule

MOST_OBJECTS = 100_000
"""Drawn objects and their points that are looked at on one page; lines beyond are not seen."""
_DEEPEST = 8
_THIN = 3.0
"""Points: a filled box that is not higher or wider is a line."""
_SAME = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_Matrix = tuple[float, float, float, float, float, float]


def read_rules(page: Any, edges: tuple[float, float, float, float]) -> Iterator[Rule]:
    """Lines and the edges of boxes that are drawn, in page space."""
    whole = (edges[2] - edges[0]) * (edges[3] - edges[1])
    left = [MOST_OBJECTS]
    for at in range(pdfium.FPDFPage_CountObjects(page)):
        if left[0] <= 0:
            return
        yield from _drawn(pdfium.FPDFPage_GetObject(page, at), _SAME, whole, 0, left)


def _drawn(drawn: Any, outer: _Matrix, whole: float, depth: int, left: list[int]) -> Iterator[Rule]:
    """The lines of one object; `left` counts down what may still be looked at."""
    left[0] -= 1
    kind = pdfium.FPDFPageObj_GetType(drawn)
    if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
        inner = _times(_matrix(drawn), outer)
        for at in range(pdfium.FPDFFormObj_CountObjects(drawn)):
            if left[0] <= 0:
                return
            part = pdfium.FPDFFormObj_GetObject(drawn, at)
            yield from _drawn(part, inner, whole, depth + 1, left)
    elif kind == pdfium.FPDF_PAGEOBJ_PATH:
        count = pdfium.FPDFPath_CountSegments(drawn)
        left[0] -= count
        if left[0] <= 0:
            return
        matrix = _times(_matrix(drawn), outer)
        for x0, y0, x1, y1 in _pieces(drawn, count, matrix):
            if abs(x1 - x0) * abs(y1 - y0) < 0.9 * whole:
                yield from _edges_of(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _edges_of(x0: float, y0: float, x1: float, y1: float) -> Iterator[Rule]:
    wide, high = x1 - x0, y1 - y0
    if high <= _THIN:
        if wide > _THIN:
            yield Rule(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2)
    elif wide <= _THIN:
        yield Rule((x0 + x1) / 2, y0, (x0 + x1) / 2, y1)
    else:
        yield Rule(x0, y0, x1, y0)
        yield Rule(x0, y1, x1, y1)
        yield Rule(x0, y0, x0, y1)
        yield Rule(x1, y0, x1, y1)


def _pieces(path: Any, count: int, matrix: _Matrix) -> Iterator[tuple[float, float, float, float]]:
    """The bounds of every subpath of straight lines; one line of it at a time where it is open."""
    x, y = c_float(), c_float()
    points: list[tuple[float, float]] = []
    curved = False
    for at in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, at)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            yield from _outline(points, curved)
            points, curved = [], False
        curved = curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            a, b, c, d, e, f = matrix
            points.append((a * x.value + c * y.value + e, b * x.value + d * y.value + f))
    yield from _outline(points, curved)


def _outline(
    points: list[tuple[float, float]], curved: bool
) -> Iterator[tuple[float, float, float, float]]:
    if curved or len(points) < 2 or len(points) > 6:
        return
    xs, ys = [x for x, _ in points], [y for _, y in points]
    straight = len(points) == 2 or min(max(xs) - min(xs), max(ys) - min(ys)) <= _THIN
    if straight or all(x in (min(xs), max(xs)) and y in (min(ys), max(ys)) for x, y in points):
        yield min(xs), min(ys), max(xs), max(ys)


def _matrix(drawn: Any) -> _Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(drawn, matrix):
        return _SAME
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _times(one: _Matrix, two: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )
