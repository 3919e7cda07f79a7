"""OpenDocument texts, spreadsheets and presentations (.odt, .ods, .odp) to canonical text."""

from __future__ import annotations

import re

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas, Run
from answerable.text.parsers.odf.blocks import OdfBody
from answerable.text.parsers.odf.sheets import read_table
from answerable.text.parsers.odf.tree import Odf, kids, odf_name, read_line
from answerable.text.parsers.ooxml.parts import Element, value
from answerable.text.parsers.ooxml.text import flat, runs, spread, tidy, words_of
from answerable.text.parsers.pptx.shapes import Box, Shape, in_order
from answerable.text.parsers.xlsx.cells import Room
from answerable.text.parsers.xlsx.tables import draw_sheet

_LENGTH = re.compile(r"(-?[\d.]+)(cm|mm|in|pt|px|pc)?")
_UNITS = {"cm": 360_000, "mm": 36_000, "in": 914_400, "pt": 12_700, "px": 9_525, "pc": 152_400}


def parse(raw: RawDoc, known: Known) -> Document:
    """An OpenDocument text as it reads with all tracked changes accepted.

    InputError for a file that is encrypted, damaged, of another format, or without words.
    """
    file = Odf(raw, "odt", "text")
    body = OdfBody(Canvas(), file)
    body.draw(file.body)
    return _finished(raw, "odt", body, body.title)


def parse_sheets(raw: RawDoc, known: Known) -> Document:
    """An OpenDocument spreadsheet: each sheet under a heading of its name, its areas as tables.

    InputError as for texts.
    """
    file = Odf(raw, "ods", "spreadsheet")
    body = OdfBody(Canvas(), file)
    room = Room()
    for table in kids(file.body, "table:table"):
        body.canvas.heading(1, " ".join(value(table, "name").split()) or "Sheet")
        draw_sheet(body.canvas, read_table(table, room), {})
    title = file.properties().get("title", "") or raw.uri.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return _finished(raw, "ods", body, title)


def parse_slides(raw: RawDoc, known: Known) -> Document:
    """An OpenDocument presentation: a page for each slide, its title the heading.

    InputError as for texts.
    """
    file = Odf(raw, "odp", "presentation")
    body = OdfBody(Canvas(), file)
    for page, slide in enumerate(kids(file.body, "draw:page"), 1):
        if page > 1:
            body.canvas.page_break(page)
        _slide(body, slide)
    return _finished(raw, "odp", body, "")


def _slide(body: OdfBody, slide: Element) -> None:
    frames = [
        inner
        for inner in slide
        if odf_name(inner).startswith("draw:")
        and value(inner, "class") not in ("header", "footer", "date-time", "page-number")
    ]
    title = next((frame for frame in frames if value(frame, "class") == "title"), None)
    if title is not None:
        lines = [tidy(read_line(inner).runs) for inner in _paragraphs(title)]
        content = flat(tidy(spread(lines, " ")))
        if words_of(content):
            body.canvas.heading(1, content)
    shapes = [Shape(frame, _box(frame)) for frame in frames if frame is not title]
    for shape in in_order(shapes):
        body.frame(shape.element)
    for notes in kids(slide, "presentation:notes"):
        for frame in kids(notes, "draw:frame"):
            lines = [tidy(read_line(inner).runs) for inner in _paragraphs(frame)]
            said = tidy(spread(lines, "\n"))
            if words_of(said) and value(frame, "class") == "notes":
                body.canvas.paragraph([Run("Notes: "), *runs(said)])


def _paragraphs(frame: Element) -> list[Element]:
    return [inner for inner in frame.iter() if odf_name(inner) in ("text:p", "text:h")]


def _box(frame: Element) -> Box:
    left, top = _length(value(frame, "x")), _length(value(frame, "y"))
    return Box(
        left, top, left + _length(value(frame, "width")), top + _length(value(frame, "height"))
    )


def _length(written: str) -> int:
    found = _LENGTH.fullmatch(written.strip())
    try:
        return int(float(found.group(1)) * _UNITS[found.group(2) or "cm"]) if found else 0
    except ValueError:
        return 0


def _finished(raw: RawDoc, type: str, body: OdfBody, title: str) -> Document:
    if all(block.kind in ("page_break", "heading") for block in body.canvas.blocks):
        heads = any(block.kind == "heading" for block in body.canvas.blocks)
        if type == "ods" or not heads:
            raise InputError(f"no text in {raw.uri}", "it holds no words")
    body.finish()
    meta = [(key, words) for key, words in body.file.properties().items() if key != "title"]
    return body.canvas.finish(raw, type, title, meta=meta)
