"""Draws the body of a Word document: paragraphs, lists, code, tables, text boxes, pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.docx.inline import GONE, Inline, Line
from answerable.text.parsers.docx.notes import Key, Notes
from answerable.text.parsers.docx.numbers import Label, Numbers
from answerable.text.parsers.docx.styles import BODY, is_on
from answerable.text.parsers.docx.tables import kept_cells, kept_rows, lay_out, lone_cell
from answerable.text.parsers.ooxml.drawing import draw_graphic
from answerable.text.parsers.ooxml.math import equation
from answerable.text.parsers.ooxml.parts import (
    Element,
    Office,
    child,
    name_of,
    number,
    path,
    shown,
    value,
)
from answerable.text.parsers.ooxml.tables import draw_rows
from answerable.text.parsers.ooxml.text import flat, runs, spread, tidy, words_of

_LONGEST_HEADING = 300
_OPENING = 12
_CODE_SIGNS = re.compile(r"[{}();=<>\[\]\\$#|_]|::|->|^\s*(?:\$|>) ")
_CONTENTS = "Table of Contents"


@dataclass(slots=True)
class Body:
    """Draws blocks on a canvas; `title` is the paragraph in the style of titles.

    `opening` holds the words of the first paragraphs.
    """

    canvas: Canvas
    office: Office
    inline: Inline
    numbers: Numbers
    notes: Notes
    title: str = ""
    opening: list[str] = field(default_factory=list)
    page: int = 1
    comments: int = 0
    contents: int = 0
    _nest: list[tuple[int, int]] = field(default_factory=list)
    _code: list[str] = field(default_factory=list)
    _carried: list[Run] = field(default_factory=list)
    _new_page: bool = False

    def draw(self, container: Element) -> None:
        """Draw the blocks of a body, a text box, a cell or a content control."""
        for inner in container:
            name = name_of(inner)
            if name == "w:p":
                self._paragraph(inner)
            elif name == "w:tbl":
                self._table(inner)
            elif name == "w:sdt":
                content = child(inner, "w:sdtContent")
                gallery = path(inner, "w:sdtPr", "w:docPartObj", "w:docPartGallery")
                if value(gallery, "val") == _CONTENTS:
                    self.contents += 1
                elif content is not None:
                    self.draw(content)
            elif name in ("w:customXml", "w:ins", "w:moveTo", "w:smartTag"):
                self.draw(inner)
            elif name == "mc:AlternateContent":
                branch = shown(inner)
                if branch is not None:
                    self.draw(branch)
            elif name in ("m:oMathPara", "m:oMath"):
                self._words(equation(inner), "", inner)
            elif name == "w:altChunk":
                self.canvas.note("a file embedded in the text was left out")

    def finish(self) -> None:
        """Draw what is still open, and say what was left out."""
        if self._carried:
            self.canvas.paragraph(tidy(self._carried))
        self._end_code()
        if self.comments:
            many = "comment was" if self.comments == 1 else "comments were"
            self.canvas.note(f"{self.comments} {many} left out")
        if self.contents or self.inline.contents:
            self.canvas.note("a generated table of contents was left out")

    def _paragraph(self, paragraph: Element) -> None:
        properties = child(paragraph, "w:pPr")
        style = value(child(properties, "w:pStyle"), "val")
        outline = self._outline(properties, style)
        if outline is not None:
            self.inline.leave_contents()
        line = self.inline.read(paragraph)
        self.comments += line.comments
        if child(child(properties, "w:rPr"), *GONE) is not None:
            self._carried += line.runs
            return
        if self._carried:
            line.runs[:0] = self._carried
            self._carried = []
        asked = is_on(child(properties, "w:pageBreakBefore")) and not self.inline.rendered
        if self._new_page or (asked and self.canvas.blocks and not line.pages_before):
            line.pages_before += 1
        self._new_page = self._ends_page(properties)
        self._pages(line.pages_before)
        label = self._label(properties, style)
        content = tidy(line.runs)
        if self.inline.styles.is_contents(style) and words_of(content):
            self.contents += 1
            content = ""
        block = -1
        if words_of(content):
            if len(self.opening) < _OPENING:
                self.opening.append(words_of(content))
            block = self._block(line, content, paragraph, style, outline, label)
        self._rest(line, block)
        self._pages(line.pages_after)

    def _block(
        self,
        line: Line,
        content: Inlines,
        paragraph: Element,
        style: str,
        outline: int | None,
        label: Label | None,
    ) -> int:
        styles = self.inline.styles
        if outline is not None and len(words_of(content)) <= _LONGEST_HEADING:
            self._end_code()
            self._nest.clear()
            content = flat(content)
            if not self.title and styles.is_title(style):
                self.title = words_of(content)
            return self.canvas.heading(min(outline, 6), _labelled(label, content))
        mono = line.mono > 0 == line.other
        mono = mono and bool(self._code or _CODE_SIGNS.search(words_of(content)))
        if label is None and (styles.is_code(style) or mono):
            self._nest.clear()
            self._code.append("".join(run.text for run in line.runs).rstrip())
            return -1
        self._end_code()
        if label is not None:
            return self._item(paragraph, style, label, content)
        return self._words(content, style, paragraph)

    def _words(self, content: Inlines, style: str, paragraph: Element) -> int:
        if not words_of(content):
            return -1
        if self.inline.styles.is_quote(style):
            self._nest.clear()
            return self.canvas.quote(content)
        indented = path(paragraph, "w:pPr", "w:ind")
        within = number(value(indented, "left") or value(indented, "start")) > 0
        if not (self._nest and (within or self.inline.styles.is_list(style))):
            self._nest.clear()
        return self.canvas.paragraph(content, self._nest[-1][1] if self._nest else -1)

    def _item(self, paragraph: Element, style: str, label: Label, content: Inlines) -> int:
        level = self._numbering(child(paragraph, "w:pPr"), style)[1]
        level = level or self.inline.styles.depth(style)
        while self._nest and self._nest[-1][0] >= level:
            self._nest.pop()
        parent = self._nest[-1][1] if self._nest else -1
        marker = "-" if label.number is None else f"{label.number}."
        if label.number is None:
            content = _labelled(label, content)
        block = self.canvas.item(len(self._nest) + 1, marker, content, parent)
        self._nest.append((level, block))
        return block

    def _rest(self, line: Line, block: int) -> None:
        """What hangs on a paragraph and is not its words."""
        if not (line.pictures or line.graphics or line.boxes or line.notes):
            return
        self._end_code()
        parent = block if block >= 0 and self._nest else -1
        for words in dict.fromkeys(line.pictures):
            self.canvas.figure(words, parent)
        for graphic in line.graphics:
            draw_graphic(self.canvas, self.office, self.office.main, graphic, parent)
        self.notes.draw(self.canvas, line.notes, parent)
        for box in line.boxes:
            self._nest.clear()
            self.draw(box)

    def _table(self, table: Element) -> None:
        self._end_code()
        self._nest.clear()
        lone = lone_cell(table)
        if lone is not None:
            self.draw(lone)
            return
        lines: list[Line] = []
        grid = lay_out(table, lambda cell: self._cell(cell, lines))
        draw_rows(self.canvas, grid.rows, grid.header)
        wanted: list[Key] = []
        for line in lines:
            wanted += line.notes
            self.comments += line.comments
            for graphic in line.graphics:
                draw_graphic(self.canvas, self.office, self.office.main, graphic, -1)
        self.notes.draw(self.canvas, wanted)
        self._pages(sum(line.pages_before + line.pages_after for line in lines))

    def _cell(self, cell: Element, lines: list[Line]) -> Inlines:
        """The content of a cell in one line; rows of a table inside are set apart by `;`."""
        found: list[Inlines] = []
        for inner in cell:
            name = name_of(inner)
            if name == "w:p":
                found.append(self._cell_line(inner, lines))
            elif name == "w:tbl":
                found.append(self._inner_table(inner, lines))
            elif name == "w:sdt":
                content = child(inner, "w:sdtContent")
                found.append(self._cell(content, lines) if content is not None else "")
            elif name in ("w:customXml", "w:ins", "w:moveTo"):
                found.append(self._cell(inner, lines))
            elif name in ("m:oMathPara", "m:oMath"):
                found.append(equation(inner))
        return tidy(spread(found, "\n"))

    def _inner_table(self, table: Element, lines: list[Line]) -> Inlines:
        rows = [
            spread([self._cell(inner, lines) for inner in kept_cells(row)], " / ")
            for row in kept_rows(table)
        ]
        return tidy(spread(rows, "; "))

    def _cell_line(self, paragraph: Element, lines: list[Line]) -> Inlines:
        properties = child(paragraph, "w:pPr")
        line = self.inline.read(paragraph)
        lines.append(line)
        style = value(child(properties, "w:pStyle"), "val")
        label = self._label(properties, style)
        boxes = [self._cell(box, lines) for box in line.boxes]
        return spread([_labelled(label, tidy(line.runs)), *line.pictures, *boxes], "\n")

    def _label(self, properties: Element | None, style: str) -> Label | None:
        id, level = self._numbering(properties, style)
        return self.numbers.next(id, level) if id not in ("", "0") else None

    def _numbering(self, properties: Element | None, style: str) -> tuple[str, int]:
        id, level = self.inline.styles.numbering(style)
        own = path(properties, "w:numPr", "w:numId")
        depth = path(properties, "w:numPr", "w:ilvl")
        id = value(own, "val") if own is not None else id
        return id, number(value(depth, "val")) if depth is not None else level

    def _outline(self, properties: Element | None, style: str) -> int | None:
        own = child(properties, "w:outlineLvl")
        if own is not None:
            level = number(value(own, "val"), BODY)
            return level + 1 if level < BODY else None
        return self.inline.styles.outline(style)

    def _ends_page(self, properties: Element | None) -> bool:
        """Whether a section ends here and the next begins on a new page (17.6.22)."""
        section = child(properties, "w:sectPr")
        if section is None or self.inline.rendered:
            return False
        return value(child(section, "w:type"), "val") not in ("continuous", "nextColumn")

    def _pages(self, many: int) -> None:
        if many:
            self._end_code()
        for _ in range(many):
            self.page += 1
            self.canvas.page_break(self.page)

    def _end_code(self) -> None:
        if self._code:
            code, self._code = "\n".join(self._code), []
            self.canvas.code(code)


def _labelled(label: Label | None, content: Inlines) -> Inlines:
    if label is None or not label.text or not words_of(content):
        return content
    if isinstance(content, str):
        return f"{label.text} {content}"
    return [Run(label.text + " "), *runs(content)]
