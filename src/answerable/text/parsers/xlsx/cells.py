"""Cells of Excel worksheets as words: streamed, so that empty cells by the million cost little."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from answerable.errors import InputError
from answerable.text.parsers.ooxml.parts import Element, name_of, number, short, value
from answerable.text.parsers.xlsx.formats import Format, worded

MOST_CELLS = 1_000_000
"""How many cells with words are read of one workbook."""
MOST_CHARACTERS = 20_000_000
"""How long the words of all cells of one workbook may be: one shared text may stand in each."""
MOST_ROWS = 1 << 20
_MOST_COLUMNS = 1 << 14

Place = tuple[int, int]


@dataclass(slots=True)
class Room:
    """How much is still read of a workbook, all sheets together."""

    cells: int = MOST_CELLS
    characters: int = MOST_CHARACTERS


@dataclass(slots=True)
class Sheet:
    """Cells with words by (row, column) from 1, merged ranges, links; relationship of drawings."""

    cells: dict[Place, str] = field(default_factory=dict)
    numeric: set[Place] = field(default_factory=set)
    merged: list[tuple[Place, Place]] = field(default_factory=list)
    links: dict[Place, str] = field(default_factory=dict)
    drawings: list[str] = field(default_factory=list)
    uncomputed: int = 0
    cut: bool = False
    room: Room = field(default_factory=Room)

    def put(self, place: Place, words: str) -> None:
        """Write words into a cell; InputError when the workbook holds more than are read."""
        self.cells[place] = words
        self.room.cells -= 1
        self.room.characters -= len(words)
        if self.room.characters < 0:
            raise InputError(
                f"the cells of this workbook hold more than {MOST_CHARACTERS:,} characters",
                "split the workbook",
            )


@dataclass(frozen=True, slots=True)
class Book:
    """What the cells of all sheets share: texts, number formats by style, days from 1904 or not."""

    texts: Sequence[str] = ()
    formats: Mapping[int, Format] = field(default_factory=dict)
    from_1904: bool = False


def read_sheet(part: io.BytesIO, book: Book, where: str, room: Room) -> Sheet:
    """One worksheet part, as much of it as there is room for."""
    sheet = Sheet(room=room)
    at = 0
    for element in ended(part, where, "row", "mergeCell", "hyperlink", "drawing"):
        name = name_of(element)
        if name == "x:row":
            at = number(element.get("r") or "", at + 1)
            if not _row(element, at, sheet, book):
                sheet.cut = True
                break
        elif name == "x:mergeCell":
            first, _, last = value(element, "ref").partition(":")
            begin, end = parse_place(first), parse_place(last)
            if begin and end:
                sheet.merged.append((begin, end))
        elif name == "x:hyperlink":
            place = parse_place(value(element, "ref").partition(":")[0])
            if place:
                sheet.links[place] = value(element, "id")
        elif name == "x:drawing":
            sheet.drawings.append(value(element, "id"))
    return sheet


def ended(part: io.BytesIO, where: str, *locals: str) -> Iterator[Element]:
    """Elements by local name, each complete and thrown away when the next is asked for.

    InputError for XML that is broken or declares entities.
    """
    head = part.getvalue()[:4096].replace(b"\0", b"")
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise InputError(
            f"{where} declares a document type or entities", "office files have none: save it anew"
        )
    try:
        for _, element in etree.iterparse(
            part,
            events=("end",),
            tag=[f"{{*}}{local}" for local in locals],
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        ):
            yield element
            element.clear()
            above = element.getparent()
            while above is not None and element.getprevious() is not None:
                del above[0]
    except etree.XMLSyntaxError as fault:
        raise InputError(f"{where} is not well-formed XML: {fault.msg}", "save it anew") from fault


def read_texts(part: io.BytesIO, where: str) -> list[str]:
    """The shared strings of a workbook, without phonetic guides."""
    return [rich(element) for element in ended(part, where, "si")]


def _row(element: Element, row: int, sheet: Sheet, book: Book) -> bool:
    """The cells of a row; False when there are too many. Most cells of large sheets are empty."""
    column, before = 0, ""
    for cell in element:
        written = cell.get("r")
        if not len(cell):
            column, before = (0, written) if written else (column + 1, before)
            continue
        place = parse_place(written or "")
        if place is None:
            behind = parse_place(before)
            place = (row, (behind[1] if behind else 0) + column + 1)
        column, before = place[1], ""
        if 0 < place[0] <= MOST_ROWS and 0 < column <= _MOST_COLUMNS:
            if sheet.room.cells <= 0:
                return False
            _cell(cell, place, sheet, book)
    return True


def rich(element: Element) -> str:
    """The words of a string item: its text or the texts of its runs."""
    pieces: list[str] = []
    for inner in element:
        name = name_of(inner)
        if name == "x:t":
            pieces.append(inner.text or "")
        elif name == "x:r":
            pieces += [part.text or "" for part in inner if name_of(part) == "x:t"]
    return "".join(pieces)


def _cell(element: Element, place: Place, sheet: Sheet, book: Book) -> None:
    kind = element.get("t") or "n"
    written, formula, inline = "", None, ""
    for inner in element:
        name = short(inner.tag) if isinstance(inner.tag, str) else ""
        if name == "x:v":
            written = inner.text or ""
        elif name == "x:f":
            formula = inner.text or ""
        elif name == "x:is":
            inline = rich(inner)
    if kind == "s":
        at = number(written, -1)
        words = book.texts[at] if 0 <= at < len(book.texts) else ""
    elif kind == "inlineStr":
        words = inline
    elif kind == "b":
        words = {"1": "TRUE", "0": "FALSE"}.get(written, written)
    elif kind == "d":
        words = written.removesuffix("Z").removesuffix("T00:00:00").replace("T", " ")
    elif kind in ("str", "e"):
        words = written
    else:
        format = book.formats.get(number(element.get("s") or ""), Format())
        words = worded(written, format, book.from_1904)
        if words:
            sheet.numeric.add(place)
    words = " ".join(words.split())
    if not words and formula and not written:
        sheet.uncomputed += 1
        words = f"={formula}"
    if words:
        sheet.put(place, words)


def parse_place(written: str) -> Place | None:
    """`B7` as (7, 2); None for anything else."""
    column = 0
    written = written.replace("$", "")
    for at, sign in enumerate(written):
        if sign.isdigit():
            digits = written[at:]
            if column and digits.isascii() and digits.isdigit() and len(digits) <= 7:
                return int(digits), column
            return None
        if not ("A" <= sign <= "Z") or at > 2:
            return None
        column = column * 26 + ord(sign) - 64
    return None
