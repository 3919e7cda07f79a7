"""Word documents (.docx; ECMA-376 WordprocessingML, transitional and strict) to canonical text."""

from __future__ import annotations

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.parsers.docx.blocks import Body
from answerable.text.parsers.docx.inline import Inline
from answerable.text.parsers.docx.notes import Notes, read_notes
from answerable.text.parsers.docx.numbers import read_numbers
from answerable.text.parsers.docx.styles import read_styles
from answerable.text.parsers.ooxml.parts import Office, child, within


def parse(raw: RawDoc, known: Known) -> Document:
    """A Word document as it reads with all tracked changes accepted.

    Headings by outline level, lists with their numbers, tables with merged cells, notes after the
    paragraph that refers to them. Headers, footers and comments are left out. InputError for a
    file that is encrypted, damaged, of another format, or without words.
    """
    office = Office(raw, "docx", "word/")
    canvas = Canvas()
    root = office.tree(office.main)
    content = child(root, "w:body")
    if content is None:
        raise InputError(f"{raw.uri}: {office.main} has no body", "open it and save it again")
    styles = read_styles(office)
    inline = Inline(
        styles,
        office.relations(office.main),
        rendered=next(within(content, "w:lastRenderedPageBreak"), None) is not None,
    )
    notes = Notes(read_notes(office, styles), inline.labels)
    body = Body(canvas, office, inline, read_numbers(office), notes)
    body.draw(content)
    body.finish()
    if not any(block.kind != "page_break" for block in canvas.blocks):
        raise InputError(f"no text in {raw.uri}", "its pages hold no words")
    for note in office.notes:
        canvas.note(note)
    properties = office.properties()
    title = body.title or office.shown_title(body.opening)
    meta = [(key, words) for key, words in properties.items() if key != "title"]
    return canvas.finish(raw, "docx", title, meta=meta)
