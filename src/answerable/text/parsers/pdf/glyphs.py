"""What stands on a page of a PDF: its glyphs, as pdfium tells them.

Imports pypdfium2, so only what reads a PDF may import this.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from ctypes import (
    CFUNCTYPE,
    byref,
    c_double,
    c_int,
    c_uint,
    c_void_p,
    cast,
    create_string_buffer,
)
from typing import Any

import pypdfium2.raw as pdfium

from answerable.errors import InputError
from answerable.text.parsers.pdf.page import Glyph, Link, Page, Style
from answerable.text.parsers.pdf.rules import read_rules

MOST_GLYPHS = 200_000
"""Characters on one page; more is no page that anybody reads."""
MOST_LINKS = 500
_LONGEST_LINK = 4000
_HEAVY = 600
_USUAL_WIDTH = 0.6
"""In sizes: of a letter whose own width is not told, because its box is level and it is not."""
_FIXED = 1
_ITALIC = 64
_BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "sfbx", "bx1", "-bd")
_MONO_NAMES = ("mono", "courier", "consol", "typewriter", "cmtt", "sftt", "menlo")
_SIGN_NAMES = ("dingbat", "wingding", "webding")


def _fast(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of pdfium with plain integers for pointers: called for every character."""
    address = cast(function, c_void_p).value or 0
    return CFUNCTYPE(result, *arguments)(address)


_unicode = _fast(pdfium.FPDFText_GetUnicode, c_uint, c_void_p, c_int)
_owner = _fast(pdfium.FPDFText_GetTextObject, c_void_p, c_void_p, c_int)
_loose = _fast(pdfium.FPDFText_GetLooseCharBox, c_int, c_void_p, c_int, c_void_p)


def read_page(document: Any, number: int) -> Page:
    """Page `number` (from 0) of an open document; InputError for one that cannot be read."""
    page = pdfium.FPDF_LoadPage(document, number)
    if not page:
        raise InputError(f"page {number + 1} cannot be loaded")
    try:
        text = pdfium.FPDFText_LoadPage(page)
        if not text:
            raise InputError(f"page {number + 1} has text that cannot be loaded")
        try:
            left, bottom, right, top = _edges(page)
            glyphs, skewed, unknown = _glyphs(text, number, (left, bottom, right, top))
        finally:
            pdfium.FPDFText_ClosePage(text)
        return Page(
            number=number + 1,
            box=(left, bottom, right, top),
            glyphs=glyphs,
            skewed=skewed,
            unknown=unknown,
            links=tuple(_links(document, page)),
            rules=tuple(read_rules(page, (left, bottom, right, top))) if glyphs else (),
        )
    finally:
        pdfium.FPDF_ClosePage(page)


def _links(document: Any, page: Any) -> Iterator[Link]:
    """The links of a page to addresses outside the file."""
    at, link, box = c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(MOST_LINKS):
        if not pdfium.FPDFLink_Enumerate(page, at, link):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if not action or not pdfium.FPDFLink_GetAnnotRect(link, box):
            continue
        length = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
        if not 1 < length <= _LONGEST_LINK:
            continue
        target = create_string_buffer(length)
        pdfium.FPDFAction_GetURIPath(document, action, target, length)
        words = target.value.decode("utf-8", "replace").strip()
        if words.lower().startswith(("http://", "https://", "mailto:")):
            yield Link(box.left, box.bottom, box.right, box.top, words)


def _edges(page: Any) -> tuple[float, float, float, float]:
    box = pdfium.FS_RECTF()
    if pdfium.FPDF_GetPageBoundingBox(page, box):
        return box.left, box.bottom, box.right, box.top
    return 0.0, 0.0, pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)


def _glyphs(
    text: Any, number: int, edges: tuple[float, float, float, float]
) -> tuple[list[Glyph], list[Glyph], int]:
    """The glyphs in the order of pdfium, those at an odd angle apart; how many are unknown."""
    count = pdfium.FPDFText_CountChars(text)
    if count > MOST_GLYPHS:
        raise InputError(f"page {number + 1} holds {count:,} characters", f"most: {MOST_GLYPHS:,}")
    left, bottom, right, top = edges
    box, x, y = pdfium.FS_RECTF(), c_double(), c_double()
    here, into = cast(text, c_void_p).value, byref(box)
    straight: list[Glyph] = []
    skewed: list[Glyph] = []
    last, size, turn, style, out = 0, 0.0, 0, Style(), straight
    high, level, floor, angle = 0, 0.0, 0.0, 0.0
    unknown, nameless = 0, False
    new = tuple.__new__
    for at in range(count):
        code = _unicode(here, at)
        owner = _owner(here, at)
        if not owner:
            # A blank that pdfium put between two words, or a line end.
            if out and code in (32, 13):
                out.append(Glyph(" ", 0.0, 0.0, 0.0, 0.0, style, turn))
            continue
        if 0xD800 <= code < 0xE000:
            if code < 0xDC00:
                high = code
                continue
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
            high = 0
        if not _loose(here, at, into):
            continue
        x0, x1, y0, y1 = box.left, box.right, box.bottom, box.top
        if owner != last:
            last = owner
            size, angle = _scale(text, at)
            style = _style(text, at)
            quarter = angle / (math.pi / 2)
            turn = round(quarter) % 4
            out = straight if abs(quarter - round(quarter)) < 0.05 else skewed
            nameless = pdfium.FPDFText_HasUnicodeMapError(text, at) == 1
            floor = math.inf
        # One text object has one baseline, unless it is written downwards.
        foot = x0 if turn % 2 else y0
        if abs(foot - floor) > 0.5 * size:
            floor = foot
            pdfium.FPDFText_GetCharOrigin(text, at, x, y)
            level = (-y.value, x.value, y.value, -x.value)[turn]
        if not (left <= (x0 + x1) / 2 <= right and bottom <= (y0 + y1) / 2 <= top):
            continue
        unknown += nameless
        word = "•" if style.signs and code < 0x2000 else chr(code) if code else " "
        if out is skewed:
            pdfium.FPDFText_GetCharOrigin(text, at, x, y)
            near = x.value * math.cos(angle) + y.value * math.sin(angle)
            level = x.value * math.sin(angle) - y.value * math.cos(angle)
            far = near + _USUAL_WIDTH * size
        elif turn == 0:
            near, far = x0, x1
        elif turn == 1:
            near, far = y0, y1
        elif turn == 2:
            near, far = -x1, -x0
        else:
            near, far = -y1, -y0
        out.append(new(Glyph, (word, near, far, level, size, style, turn)))
    return straight, skewed, unknown


def _scale(text: Any, at: int) -> tuple[float, float]:
    """The size in points as it is seen, and the angle of the baseline in radians."""
    matrix = pdfium.FS_MATRIX()
    size = pdfium.FPDFText_GetFontSize(text, at)
    if not pdfium.FPDFText_GetMatrix(text, at, matrix):
        return size, 0.0
    upright = math.hypot(matrix.c, matrix.d)
    return (size * upright or size), math.atan2(matrix.b, matrix.a)


def _style(text: Any, at: int) -> Style:
    name = create_string_buffer(128)
    flags = c_int()
    length = pdfium.FPDFText_GetFontInfo(text, at, name, 128, byref(flags))
    words = name.value.decode("utf-8", "replace").lower() if 0 < length <= 128 else ""
    weight = pdfium.FPDFText_GetFontWeight(text, at)
    return Style(
        bold=weight >= _HEAVY or any(part in words for part in _BOLD_NAMES),
        mono=bool(flags.value & _FIXED) or any(part in words for part in _MONO_NAMES),
        italic=bool(flags.value & _ITALIC) or "italic" in words or "oblique" in words,
        signs=any(part in words for part in _SIGN_NAMES),
    )
