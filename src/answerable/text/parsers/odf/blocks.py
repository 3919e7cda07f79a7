"""Draws the body of OpenDocument texts and slides: paragraphs, lists, tables, frames."""

from __future__ import annotations

from dataclasses import dataclass, field

from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.grid import Cell, resolve
from answerable.text.parsers.odf.tree import Odf, deep, kids, odf_name, read_line
from answerable.text.parsers.ooxml.parts import Element, number, value
from answerable.text.parsers.ooxml.tables import draw_rows
from answerable.text.parsers.ooxml.text import flat, spread, tidy, words_of

_MOST_REPEATS = 1000
_LEFT_OUT = ("text:table-of-content", "text:alphabetical-index", "text:illustration-index")
_CODE = ("Preformatted_20_Text", "Source_20_Code")
_QUOTES = ("Quotations",)


@dataclass(slots=True)
class OdfBody:
    """Draws blocks on a canvas; `title` is the first paragraph in the style of titles."""

    canvas: Canvas
    file: Odf
    title: str = ""
    comments: int = 0
    contents: int = 0
    page: int = 1
    _code: list[str] = field(default_factory=list)
    _nest: list[tuple[int, int]] = field(default_factory=list)
    _counts: dict[int, int] = field(default_factory=dict)

    def draw(self, container: Element) -> None:
        """Draw the blocks of a body, a section, a frame or a text box."""
        for inner in container:
            name = odf_name(inner)
            if name != "text:list":
                self._nest.clear()
            if name in ("text:p", "text:h"):
                self._paragraph(inner, name == "text:h")
            elif name == "text:list":
                self._end_code()
                self._list(inner, 1, "")
            elif name == "table:table":
                self._table(inner)
            elif name in _LEFT_OUT:
                self.contents += 1
            elif name == "text:soft-page-break":
                self._pages(1)
            elif name.startswith("draw:"):
                self._end_code()
                self.frame(inner)
            elif name in ("text:section", "text:numbered-paragraph", "draw:text-box"):
                self.draw(inner)
        self._end_code()

    def frame(self, frame: Element) -> None:
        """Draw what a frame, a shape or a group holds."""
        words = [
            " ".join((said.text or "").split()) for said in kids(frame, "svg:desc", "svg:title")
        ]
        # A frame holds one content in several forms: the first that can be drawn is enough.
        for inner in frame:
            name = odf_name(inner)
            if name == "draw:object":
                self._object(inner)
            elif name == "table:table":
                self._table(inner)
            elif name in ("draw:text-box", "text:p", "text:list"):
                self.draw(inner if name == "draw:text-box" else frame)
                break
            elif name == "draw:image" and any(words):
                self.canvas.figure(next(filter(None, reversed(words))))
                break
            elif name in ("draw:frame", "draw:g", "draw:custom-shape", "draw:rect", "draw:a"):
                self.frame(inner)

    def finish(self) -> None:
        """Say what was left out."""
        if self.comments:
            many = "comment was" if self.comments == 1 else "comments were"
            self.canvas.note(f"{self.comments} {many} left out")
        if self.contents:
            self.canvas.note("a generated table of contents was left out")
        for note in self.file.notes:
            self.canvas.note(note)

    def _paragraph(self, paragraph: Element, heading: bool) -> None:
        line = read_line(paragraph)
        self.comments += line.comments
        chain = list(self.file.styles.chain(value(paragraph, "style-name")))
        if chain and chain[0] in self.file.styles.breaks and self.canvas.blocks:
            self._pages(1)
        if any(name in _CODE for name in chain):
            self._code.append("".join(run.text for run in line.runs))
            return
        self._end_code()
        content = tidy(line.runs)
        if words_of(content):
            if heading:
                level = number(value(paragraph, "outline-level"), 1)
                self.canvas.heading(max(1, min(6, level)), flat(content))
            elif "Title" in chain or "Subtitle" in chain:
                self.title = self.title or words_of(flat(content))
                self.canvas.heading(1 if "Title" in chain else 2, flat(content))
            elif any(name in _QUOTES for name in chain):
                self.canvas.quote(content)
            else:
                self.canvas.paragraph(content)
        self._rest(line.frames, line.notes, -1)
        self._pages(line.pages)

    def _rest(self, frames: list[Element], notes: list[Element], parent: int) -> None:
        for frame in frames:
            self.frame(frame)
        for note in notes:
            label = next(kids(note, "text:note-citation"), None)
            lines = [
                tidy(read_line(inner).runs)
                for body in kids(note, "text:note-body")
                for inner in deep(body, "text:p")
            ]
            mark = (label.text if label is not None else "") or "*"
            if any(lines):
                self.canvas.paragraph([Run(f"[{mark}] "), *spread(lines, " ")], parent)

    def _list(self, element: Element, depth: int, style: str) -> None:
        style = value(element, "style-name") or style
        numbered = depth in self.file.styles.numbered.get(style, frozenset())
        goes_on = value(element, "continue-list") or value(element, "continue-numbering") == "true"
        count = self._counts.get(depth, 0) if goes_on else 0
        for item in kids(element, "text:list-item", "text:list-header"):
            worded = any(odf_name(inner) in ("text:p", "text:h") for inner in item)
            count = number(value(item, "start-value"), count + worded)
            self._counts[depth] = count
            first = True
            for inner in item:
                name = odf_name(inner)
                if name == "text:list":
                    self._list(inner, depth + 1, style)
                elif name in ("text:p", "text:h"):
                    self._item(inner, depth, f"{count}." if numbered else "-", first)
                    first = False

    def _item(self, paragraph: Element, depth: int, marker: str, first: bool) -> None:
        line = read_line(paragraph)
        self.comments += line.comments
        content = tidy(line.runs)
        block = -1
        if words_of(content):
            if odf_name(paragraph) == "text:h":
                level = number(value(paragraph, "outline-level"), 1)
                self.canvas.heading(max(1, min(6, level)), flat(content))
            elif first:
                while self._nest and self._nest[-1][0] >= depth:
                    self._nest.pop()
                parent = self._nest[-1][1] if self._nest else -1
                block = self.canvas.item(len(self._nest) + 1, marker, content, parent)
                self._nest.append((depth, block))
            else:
                block = self.canvas.paragraph(content, self._nest[-1][1] if self._nest else -1)
        self._rest(line.frames, line.notes, block)

    def _table(self, table: Element) -> None:
        self._end_code()
        frames: list[Element] = []
        notes: list[Element] = []
        rows: list[list[Cell]] = []
        header = 0
        for row, head in rows_of(table):
            line: list[Cell] = []
            for cell in kids(row, "table:table-cell"):
                content = self._cell(cell, frames, notes)
                tall = number(value(cell, "number-rows-spanned"), 1)
                wide = number(value(cell, "number-columns-spanned"), 1)
                again = number(value(cell, "number-columns-repeated"), 1)
                line += [Cell(content, max(1, tall), max(1, wide))] * _times(again, content)
            rows += [line] * _times(number(value(row, "number-rows-repeated"), 1), any(line))
            header += head
        grid = [[cell.content for cell in row] for row in resolve(rows)]
        kept = [row for row in grid if any(words_of(content) for content in row)]
        draw_rows(self.canvas, kept, min(max(header, 1), max(0, len(kept) - 1)))
        self._rest(frames, notes, -1)

    def _cell(self, cell: Element, frames: list[Element], notes: list[Element]) -> Inlines:
        found: list[Inlines] = []
        for inner in cell:
            name = odf_name(inner)
            if name in ("text:p", "text:h"):
                line = read_line(inner)
                found.append(tidy(line.runs))
                frames += line.frames
                notes += line.notes
                self.comments += line.comments
            elif name == "table:table":
                rows = [
                    spread(
                        [self._cell(part, frames, notes) for part in kids(row, "table:table-cell")],
                        " / ",
                    )
                    for row, _ in rows_of(inner)
                ]
                found.append(tidy(spread(rows, "; ")))
            elif name in ("text:list", "text:list-item", "text:section"):
                found.append(self._cell(inner, frames, notes))
        return tidy(spread(found, "\n"))

    def _object(self, element: Element) -> None:
        """A chart inside the file: its title and the table of its numbers."""
        place = value(element, "href").removeprefix("./")
        root = self.file.tree(f"{place}/content.xml") if place else None
        chart = next(deep(root, "office:chart"), None)
        if chart is None:
            return
        for title in deep(chart, "chart:title"):
            said = spread([tidy(read_line(inner).runs) for inner in kids(title, "text:p")], " ")
            if said and odf_name(title.getparent() or title) == "chart:chart":
                self.canvas.figure(said)
        for table in deep(chart, "table:table"):
            self._table(table)

    def _pages(self, many: int) -> None:
        for _ in range(many):
            self.page += 1
            self.canvas.page_break(self.page)

    def _end_code(self) -> None:
        if self._code:
            code, self._code = "\n".join(self._code), []
            self.canvas.code(code)


def rows_of(table: Element) -> list[tuple[Element, bool]]:
    """Rows of a table in order, and whether each is one of its header rows."""
    found: list[tuple[Element, bool]] = []
    for inner in table:
        name = odf_name(inner)
        if name == "table:table-row":
            found.append((inner, False))
        elif name in ("table:table-rows", "table:table-row-group", "table:table-header-rows"):
            head = name == "table:table-header-rows"
            found += [(row, head or inside) for row, inside in rows_of(inner)]
    return found


def _times(written: int, filled: object) -> int:
    """How often something stands: empty cells are repeated by the million to fill a sheet."""
    return max(1, min(written, _MOST_REPEATS if filled else 64))
