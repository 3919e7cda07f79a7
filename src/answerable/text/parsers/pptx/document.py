"""PowerPoint presentations (.pptx; ECMA-376) to canonical text: a slide is a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.grid import Cell, resolve
from answerable.text.parsers.ooxml.drawing import alt, draw_graphic
from answerable.text.parsers.ooxml.parts import (
    Element,
    Office,
    Relation,
    child,
    children,
    name_of,
    number,
    path,
    relation_id,
    value,
    within,
)
from answerable.text.parsers.ooxml.tables import draw_rows
from answerable.text.parsers.ooxml.text import flat, spread, tidy, words_of
from answerable.text.parsers.pptx.shapes import (
    TITLES,
    Layout,
    Shape,
    holders_of,
    read_shapes,
    texts_of,
)
from answerable.text.parsers.pptx.text import draw_text, read_text


def parse(raw: RawDoc, known: Known) -> Document:
    """A presentation: a page for each slide, its title the heading, its notes at the end.

    Shapes stand in reading order; tables, charts and diagrams keep their words and numbers.
    Comments and the furniture of slides (date, footer, number) are left out. InputError for a file
    that is encrypted, damaged, of another format, or without words.
    """
    office = Office(raw, "pptx", "ppt/")
    root = office.tree(office.main)
    relations = office.relations(office.main)
    deck = _Deck(Canvas(), office)
    opening: list[str] = []
    for page, entry in enumerate(children(child(root, "p:sldIdLst"), "p:sldId"), 1):
        relation = relations.get(relation_id(entry, "id"))
        if page > 1:
            deck.canvas.page_break(page)
        if relation is not None and not relation.outside:
            deck.slide(relation.target, page)
            if page == 1:
                opening = [deck.title]
    canvas = deck.canvas
    if all(block.kind == "page_break" for block in canvas.blocks):
        raise InputError(f"no text in {raw.uri}", "its slides hold no words")
    if deck.comments:
        canvas.note("comments were left out")
    if deck.hidden:
        canvas.note(f"hidden slides are among the text: {', '.join(map(str, deck.hidden))}")
    for note in office.notes:
        canvas.note(note)
    properties = office.properties()
    meta = [(key, words) for key, words in properties.items() if key != "title"]
    return canvas.finish(raw, "pptx", office.shown_title(opening), meta=meta)


@dataclass(slots=True)
class _Deck:
    """Draws slides; layouts are read once."""

    canvas: Canvas
    office: Office
    title: str = ""
    comments: bool = False
    hidden: list[int] = field(default_factory=list)
    _layouts: dict[str, Layout] = field(default_factory=dict)

    def slide(self, part: str, page: int) -> None:
        root = self.office.tree(part)
        if root is None:
            return
        related = self.office.relations(part)
        if value(root, "show") in ("0", "false"):
            self.hidden.append(page)
        self.comments = self.comments or any("omment" in found.kind for found in related.values())
        layout = self._layout(_target(related, "slideLayout"))
        shapes = list(texts_of(read_shapes(path(root, "p:cSld", "p:spTree"), layout)))
        title = next((shape for shape in shapes if shape.holder in TITLES), None)
        if title is not None:
            self._heading(title, related, page)
        for shape in shapes:
            if shape is not title:
                self._shape(shape, part, related, layout)
        notes = _target(related, "notesSlide")
        if notes:
            self._notes(notes)

    def _heading(self, shape: Shape, related: Mapping[str, Relation], page: int) -> None:
        lines = [line.content for line in read_text(child(shape.element, "p:txBody"), related)]
        content = flat(tidy(spread(lines, " ")))
        if words_of(content):
            self.title = words_of(content)
            self.canvas.heading(1, content)

    def _shape(
        self, shape: Shape, part: str, related: Mapping[str, Relation], layout: Layout
    ) -> None:
        element = shape.element
        for words in (alt(found) for found in within(element, "p:cNvPr")):
            if words and name_of(element) != "p:sp":
                self.canvas.figure(words)
        table = next(within(element, "a:tbl"), None)
        if table is not None:
            self._table(table, related)
        elif name_of(element) == "p:graphicFrame":
            draw_graphic(self.canvas, self.office, part, element, -1)
        body = child(element, "p:txBody")
        if body is not None:
            draw_text(self.canvas, read_text(body, related, _styles(shape, layout)))

    def _table(self, table: Element, related: Mapping[str, Relation]) -> None:
        rows: list[list[Cell]] = []
        for row in children(table, "a:tr"):
            line: list[Cell] = []
            for cell in children(row, "a:tc"):
                if value(cell, "hMerge") in ("1", "true") or value(cell, "vMerge") in ("1", "true"):
                    continue
                lines = [text.content for text in read_text(child(cell, "a:txBody"), related)]
                content: Inlines = tidy(spread(lines, "\n"))
                tall, wide = number(value(cell, "rowSpan"), 1), number(value(cell, "gridSpan"), 1)
                line.append(Cell(content, max(1, tall), max(1, wide)))
            rows.append(line)
        grid = [[cell.content for cell in row] for row in resolve(rows)]
        grid = [row for row in grid if any(words_of(content) for content in row)]
        draw_rows(self.canvas, grid, 1 if len(grid) > 1 else 0)

    def _notes(self, part: str) -> None:
        root = self.office.tree(part)
        related = self.office.relations(part)
        for shape in read_shapes(path(root, "p:cSld", "p:spTree"), Layout()):
            if shape.holder in ("body", "obj"):
                lines = read_text(child(shape.element, "p:txBody"), related)
                if lines:
                    self.canvas.paragraph([Run("Notes: "), *spread([lines[0].content], "")])
                    draw_text(self.canvas, lines[1:])

    def _layout(self, part: str) -> Layout:
        if part not in self._layouts:
            root = self.office.tree(part)
            above = self.office.related(part, "slideMaster") if part else ""
            master = self.office.tree(above)
            self._layouts[part] = Layout(
                (holders_of(root), holders_of(master)), child(master, "p:txStyles")
            )
        return self._layouts[part]


def _styles(shape: Shape, layout: Layout) -> list[Element]:
    """List styles of the placeholders behind a shape, then those of the master."""
    found = [path(other, "p:txBody", "a:lstStyle") for other in layout.behind(shape)]
    if shape.holder:
        found.append(child(layout.styles, "p:bodyStyle"))
    return [style for style in found if style is not None]


def _target(related: Mapping[str, Relation], kind: str) -> str:
    for relation in related.values():
        if relation.kind == kind and not relation.outside:
            return relation.target
    return ""
