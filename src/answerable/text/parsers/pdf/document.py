"""PDF to canonical text: layout to reading order, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.parsers.pdf.blocks import Block, blocks, unmarked, usual_steps
from answerable.text.parsers.pdf.flow import Sheet, ordered, sheet, without_furniture
from answerable.text.parsers.pdf.headings import mark_headings
from answerable.text.parsers.pdf.hyphens import Joiner
from answerable.text.parsers.pdf.links import linked
from answerable.text.parsers.pdf.outline import Mark, mark_outlined
from answerable.text.parsers.pdf.page import Item, Line
from answerable.text.parsers.pdf.pages import over_pages

MOST_CHARACTERS = 10_000_000
_BLANK_LINE, _WIDEST = 1.8, 40
"""In code: the step in sizes that is a blank line, and the deepest indent in characters."""
_NAMED = 20
"""Pages that a note names before it counts the rest."""


def parse(raw: RawDoc, known: Known) -> Document:
    """A PDF as a document: columns in order, words whole, running lines left out, pages marked.

    InputError without the extra `pdf`, and for a file that is damaged, needs a password that is not
    among `known.passwords`, or holds no text on any page. A page that cannot be read costs itself.
    """
    sheets, title, outline = _read(raw, known.passwords)
    blank = [one for one in sheets if not (one.rows or one.tables or one.turned)]
    faults = [one for one in blank if one.fault]
    if len(blank) == len(sheets):
        if faults:
            raise InputError(f"damaged PDF {raw.uri}: {faults[0].fault}")
        raise InputError(
            f"no text layer on any page: a scan needs OCR: {raw.uri}",
            "run OCR over it (for example ocrmypdf) and add the result",
        )
    canvas = Canvas()
    for one in faults[:_NAMED]:
        canvas.note(one.fault)
    for words in _lacking([one.number for one in blank if not one.fault]), _nameless(sheets):
        if words:
            canvas.note(words)
    left_out = without_furniture(sheets)
    if left_out:
        canvas.note(f"{len(left_out)} running headers, footers and page numbers left out")
    pages = [ordered(one) for one in sheets]
    _draw(canvas, pages, outline)
    return canvas.finish(raw, "pdf", _title(title, pages[0]))


def _read(raw: RawDoc, passwords: Sequence[str]) -> tuple[list[Sheet], str, list[Mark]]:
    try:
        opening: Any = import_module("answerable.text.parsers.pdf.open")
        reading: Any = import_module("answerable.text.parsers.pdf.glyphs")
    except ImportError as fault:
        if not str(fault.name).startswith("pypdfium2"):
            raise
        raise InputError(
            f"{raw.uri}: reading PDF needs an extra: pip install 'answerable[pdf]'"
        ) from None
    sheets: list[Sheet] = []
    total = 0
    with opening.opened(raw.body, raw.uri, passwords) as document:
        for at in range(len(document)):
            try:
                page = reading.read_page(document, at)
            except InputError as fault:
                sheets.append(Sheet(at + 1, fault=fault.message))
                continue
            total += len(page.glyphs)
            if total > MOST_CHARACTERS:
                raise InputError(
                    f"{raw.uri} holds more than {MOST_CHARACTERS:,} characters", "split the file"
                )
            sheets.append(sheet(page))
        return sheets, opening.title_of(document), opening.outline_of(document)


def _draw(canvas: Canvas, pages: Sequence[Sequence[Item]], outline: Sequence[Mark]) -> None:
    every = [item for page in pages for item in page if isinstance(item, Line)]
    joiner = Joiner(every)
    steps = usual_steps(every)
    found = [blocks(page, steps) for page in pages]
    mark_headings([block for page in found for block in page])
    mark_outlined(found, outline)
    over_pages(found)
    for number, page in enumerate(found, 1):
        if number > 1:
            canvas.page_break(number)
        indents: list[float] = []
        for block in page:
            if block.kind != "list_item":
                indents.clear()
            _put(canvas, block, joiner, indents)


def _put(canvas: Canvas, block: Block, joiner: Joiner, indents: list[float]) -> None:
    if block.table:
        rows = [[joiner.cell(cell) for cell in row] for row in block.table.rows]
        canvas.table(rows, header=block.table.header)
    elif block.kind == "heading":
        canvas.heading(block.level, linked(joiner.joined(block.lines), block.lines))
    elif block.kind == "code":
        canvas.code(_code(block.lines))
    elif block.kind == "list_item":
        start, size = block.lines[0].start, block.size
        while indents and indents[-1] > start + 0.4 * size:
            indents.pop()
        if not indents or indents[-1] < start - 0.4 * size:
            indents.append(start)
        words = unmarked(joiner.joined(block.lines, block.breaks), block.marker)
        canvas.item(len(indents), block.marker, linked(words, block.lines))
    else:
        words = joiner.joined(block.lines, block.breaks)
        canvas.paragraph(linked(words, block.lines))


def _code(lines: Sequence[Line]) -> str:
    """Lines with their indents, in characters as wide as those of the block are."""
    chars = sum(len(line.text) for line in lines)
    width = sum(line.end - line.start for line in lines) / max(chars, 1)
    left = min(line.start for line in lines)
    out: list[str] = []
    for number, line in enumerate(lines):
        if number and line.base - lines[number - 1].base > _BLANK_LINE * line.size:
            out.append("")
        indent = min(_WIDEST, round((line.start - left) / width)) if width else 0
        out.append(" " * indent + line.text)
    return "\n".join(out)


def _title(declared: str, first: Sequence[Item]) -> str:
    """The title that the file declares, if the file also shows it: many are left from templates."""
    words = " ".join(declared.split())
    if len(words) < 3:
        return ""
    shown = " ".join(item.text for item in first if isinstance(item, Line)).casefold()
    return words if words.casefold() in shown else ""


def _lacking(empty: Sequence[int]) -> str:
    """What a note says of pages without text."""
    if len(empty) < 2:
        return f"page {empty[0]} has no text layer" if empty else ""
    return f"pages {_listed(empty)} have no text layer"


def _nameless(sheets: Sequence[Sheet]) -> str:
    """What a note says of pages with many signs whose fonts do not tell their letters."""
    pages = [one.number for one in sheets if one.unknown >= _NAMED]
    if not pages:
        return ""
    total = sum(one.unknown for one in sheets)
    return f"{total} signs on page {_listed(pages)} are of fonts that do not name their letters"


def _listed(pages: Sequence[int]) -> str:
    more = f" and {len(pages) - _NAMED} more" if len(pages) > _NAMED else ""
    return ", ".join(map(str, pages[:_NAMED])) + more
