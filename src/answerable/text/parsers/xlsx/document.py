"""Excel workbooks (.xlsx, .xlsm; ECMA-376 SpreadsheetML) to canonical text: sheets as tables."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.parsers.ooxml.drawing import alt, lines, read_chart
from answerable.text.parsers.ooxml.parts import (
    Office,
    Relation,
    child,
    children,
    number,
    path,
    relation_id,
    value,
    within,
)
from answerable.text.parsers.xlsx.cells import (
    MOST_CELLS,
    Book,
    Room,
    Sheet,
    read_sheet,
    read_texts,
)
from answerable.text.parsers.xlsx.formats import Format, format_of
from answerable.text.parsers.xlsx.tables import draw_sheet


def parse(raw: RawDoc, known: Known) -> Document:
    """A workbook: each sheet under a heading of its name, its areas as tables.

    Formulas show the value that was computed last, dates are ISO 8601, merged cells stand in every
    spot that they cover. Hidden sheets and comments are left out with a note. InputError for a file
    that is encrypted, damaged, of another format, or without words.
    """
    office = Office(raw, "xlsx", "xl/")
    root = office.tree(office.main)
    relations = office.relations(office.main)
    book = _book(office, value(path(root, "x:workbookPr"), "date1904") in ("1", "true"))
    canvas = Canvas()
    room = Room()
    hidden: list[str] = []
    names: list[str] = []
    for entry in children(child(root, "x:sheets"), "x:sheet"):
        name = value(entry, "name")
        relation = relations.get(relation_id(entry, "id"))
        if value(entry, "state") in ("hidden", "veryHidden"):
            hidden.append(name)
        elif relation is not None and not relation.outside:
            _sheet(canvas, office, relation, book, name, room)
            names.append(name)
    for name in hidden:
        canvas.note(f"the hidden sheet {name!r} was left out")
    for note in office.notes:
        canvas.note(note)
    if not any(block.kind != "heading" for block in canvas.blocks):
        raise InputError(f"no text in {raw.uri}", "its sheets hold no values")
    properties = office.properties()
    meta = [(key, words) for key, words in properties.items() if key != "title"]
    return canvas.finish(raw, "xlsx", _title(raw, properties), meta=meta)


def _sheet(
    canvas: Canvas, office: Office, relation: Relation, book: Book, name: str, room: Room
) -> None:
    """Draw one sheet."""
    canvas.heading(1, " ".join(name.split()) or "Sheet")
    part = relation.target
    where = f"{office.raw.uri}: sheet {name!r}"
    if relation.kind == "chartsheet":
        root = office.tree(part)
        drawings = [relation_id(found, "id") for found in children(root, "x:drawing")]
        sheet = Sheet(drawings=drawings)
    else:
        sheet = read_sheet(office.parts.stream(part), book, where, room)
    related = office.relations(part)
    links = {id: found.target for id, found in related.items()}
    draw_sheet(canvas, sheet, links)
    if sheet.cut:
        canvas.note(f"sheet {name!r} was cut: more than {MOST_CELLS:,} cells with values")
    if sheet.uncomputed:
        canvas.note(
            f"sheet {name!r}: {sheet.uncomputed} formulas without a stored value are shown as "
            "formulas"
        )
    if any(found.kind in ("comments", "threadedComment") for found in related.values()):
        canvas.note(f"comments on sheet {name!r} were left out")
    for id in sheet.drawings:
        if id in related and not related[id].outside:
            _drawing(canvas, office, related[id].target)


def _drawing(canvas: Canvas, office: Office, part: str) -> None:
    """Titles of charts (their numbers stand on a sheet), words of shapes and pictures."""
    root = office.tree(part)
    if root is None:
        return
    related = office.relations(part)
    for found in within(root, "xdr:cNvPr"):
        words = alt(found)
        if words:
            canvas.figure(words)
    for body in within(root, "xdr:txBody"):
        for line in lines(body):
            canvas.paragraph(line)
    for relation in related.values():
        chart = office.tree(relation.target) if relation.kind == "chart" else None
        title = read_chart(chart).title if chart is not None else ""
        if title:
            canvas.figure(title)


def _book(office: Office, from_1904: bool) -> Book:
    strings = office.related(office.main, "sharedStrings")
    texts: Sequence[str] = ()
    if strings in office.parts:
        texts = read_texts(office.parts.stream(strings), f"{office.raw.uri}: {strings}")
    root = office.tree(office.related(office.main, "styles"))
    codes = {
        number(value(entry, "numFmtId")): value(entry, "formatCode")
        for entry in children(child(root, "x:numFmts"), "x:numFmt")
    }
    formats: dict[int, Format] = {}
    for at, entry in enumerate(children(child(root, "x:cellXfs"), "x:xf")):
        id = number(value(entry, "numFmtId"))
        formats[at] = format_of(id, codes.get(id))
    return Book(texts, formats, from_1904)


def _title(raw: RawDoc, properties: dict[str, str]) -> str:
    """The title of the properties, else the file's name: names of sheets say too little."""
    return properties.get("title", "") or raw.uri.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
