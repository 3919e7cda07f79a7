"""CSV and TSV files (RFC 4180, other delimiters tried) to one table."""

from __future__ import annotations

import csv
import io
import re

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import charset_of, decode

_DELIMITERS = (",", ";", "\t", "|")
_NUMBER = re.compile(r"[-+]?[\d.,\s]*\d[\d.,\s]*%?")


def parse(raw: RawDoc, known: Known) -> Document:
    """A file of delimited rows as one table, its first row the header unless it holds numbers.

    InputError for binary content and for a cell longer than the csv module reads.
    """
    decoded = decode(raw.body, charset_of(raw.media_type))
    tabbed = raw.uri.lower().endswith((".tsv", ".tab")) or "tab-separated" in raw.media_type
    delimiter = "\t" if tabbed else _delimiter(decoded.text)
    try:
        rows = list(csv.reader(io.StringIO(decoded.text), delimiter=delimiter))
    except csv.Error as fault:
        raise InputError(
            f"not a readable table: {fault} in {raw.uri}", "check its quotes and delimiter"
        ) from fault
    rows = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    canvas = Canvas()
    for note in decoded.notes:
        canvas.note(note)
    if rows:
        named = all(cell and not _NUMBER.fullmatch(cell) for cell in rows[0])
        canvas.table(rows, header=1 if named and len(rows) > 1 else 0)
    return canvas.finish(raw, "table", "")


def _delimiter(text: str) -> str:
    """The delimiter that gives the most columns in the same number on most of the first rows."""
    sample = text[:20_000].rsplit("\n", 1)[0]
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter)]
        except csv.Error:
            continue
        widths = [width for width in widths if width]
        if not widths:
            continue
        usual = max(set(widths), key=lambda width: (widths.count(width), width))
        score = widths.count(usual) / len(widths) * (usual > 1) + usual / 1000
        if usual > 1 and score > most:
            best, most = delimiter, score
    return best
