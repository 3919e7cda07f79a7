"""Formats from before Office Open XML: named as such, with the way out."""

from __future__ import annotations

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.parsers.zipped import Parts, mistaken, open_parts


def parse(raw: RawDoc, known: Known) -> Document:
    """Never a document: InputError says what the file is and how to save it for reading."""
    extension = raw.uri.rsplit(".", 1)[-1].lower()
    if raw.body.startswith(b"{\\rtf"):
        raise InputError(f"{raw.uri}: RTF, which is not read: save it as .docx")
    parts: Parts = open_parts(raw, extension)
    if "xl/workbook.bin" in parts:
        raise InputError(f"{raw.uri}: binary format of Excel (.xlsb): save it as .xlsx")
    raise mistaken(raw, parts, extension)
