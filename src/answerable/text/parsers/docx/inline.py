"""The inline content of Word paragraphs: words, links, notes, drawings, changes accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from answerable.text.canonical import Run
from answerable.text.parsers.docx.styles import MONO, Styles, is_on
from answerable.text.parsers.ooxml.drawing import alt
from answerable.text.parsers.ooxml.math import equation
from answerable.text.parsers.ooxml.parts import (
    Element,
    Relation,
    child,
    name_of,
    number,
    path,
    relation_id,
    shown,
    value,
)
from answerable.text.parsers.ooxml.text import target_of

GONE = frozenset({"w:del", "w:moveFrom", "w:delText", "w:delInstrText", "w:instrText"})
"""Content that a tracked change takes away, and what fields are computed from."""
_INSIDE = frozenset(
    [
        "w:ins",
        "w:moveTo",
        "w:smartTag",
        "w:customXml",
        "w:sdtContent",
        "w:dir",
        "w:bdo",
        "w:rubyBase",
        "w:fldSimple",
    ]
)
_SIGNS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:cr": "\n",
    "w:noBreakHyphen": "-",
}
_SYMBOLS = {
    0xFE: "[x]",
    0x52: "[x]",
    0x54: "[x]",
    0xFD: "[x]",
    0xA8: "[ ]",
    0x6F: "[ ]",
    0xA3: "[ ]",
    0xFC: "✓",
    0xFB: "✗",
    0xE0: "→",
    0xDF: "←",
}
_POWER = re.compile(r"[-+−]?\d+")
_LINK = re.compile(r"\s*HYPERLINK\s+(?:\\l\s+)?\"([^\"]*)\"", re.IGNORECASE)
_ANCHOR = re.compile(r"\s*HYPERLINK\s+\\l\s", re.IGNORECASE)


@dataclass(slots=True)
class Line:
    """A paragraph as read: its runs, and what stands in it that is not words.

    `notes` are (kind, id) of foot- and endnotes in order; `mono` and `other` count characters in
    fonts of equal width and in others.
    """

    runs: list[Run] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    graphics: list[Element] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    pages_before: int = 0
    pages_after: int = 0
    comments: int = 0
    mono: int = 0
    other: int = 0


@dataclass(slots=True)
class _Field:
    """An open complex field (17.16): its instruction, whether its result has begun."""

    instruction: str = ""
    result: bool = False


@dataclass(slots=True)
class Inline:
    """Reads paragraphs of one part in their order: fields may reach over several.

    `labels` gives every note that was met its label; `rendered` says that page breaks are taken
    as Word saved them, instead of those that a writer asked for.
    """

    styles: Styles
    relations: Mapping[str, Relation]
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    rendered: bool = False
    contents: int = 0
    _fields: list[_Field] = field(default_factory=list)

    def read(self, paragraph: Element) -> Line:
        """One paragraph. Tracked insertions stay, deletions go."""
        line = Line()
        self._fields = [open for open in self._fields if open.result]
        style = value(path(paragraph, "w:pPr", "w:pStyle"), "val")
        mono = bool(MONO.search(self.styles.font(style)))
        self._walk(paragraph, line, None, mono)
        return line

    def leave_contents(self) -> None:
        """A heading stands here: a table of contents that is still open has ended."""
        self._fields = [open for open in self._fields if not _is_contents(open)]

    @property
    def in_contents(self) -> bool:
        """Whether a generated table of contents is open."""
        return any(_is_contents(open) for open in self._fields)

    def _walk(self, element: Element, line: Line, target: str | None, mono: bool) -> None:
        for inner in element:
            name = name_of(inner)
            if name == "w:r":
                self._run(inner, line, target, mono)
            elif name in GONE:
                continue
            elif name == "w:hyperlink":
                self._walk(inner, line, self._leads(inner), mono)
            elif name == "w:fldSimple":
                found = _LINK.match(value(inner, "instr"))
                self._walk(inner, line, target_of(found.group(1)) if found else target, mono)
            elif name in _INSIDE:
                self._walk(inner, line, target, mono)
            elif name == "w:sdt":
                self._control(inner, line, target, mono)
            elif name in ("m:oMath", "m:oMathPara"):
                self._equation(inner, line, target)
            elif name == "mc:AlternateContent":
                branch = shown(inner)
                if branch is not None:
                    self._walk(branch, line, target, mono)

    def _run(self, run: Element, line: Line, target: str | None, mono: bool) -> None:
        properties = child(run, "w:rPr")
        if properties is not None:
            if is_on(child(properties, "w:vanish")):
                return
            font = value(child(properties, "w:rFonts"), "ascii")
            mono = bool(MONO.search(font)) if font else mono
        raised = value(child(properties, "w:vertAlign"), "val") == "superscript"
        self._content(run, line, target, mono, raised)

    def _content(
        self, run: Element, line: Line, target: str | None, mono: bool, raised: bool
    ) -> None:
        for inner in run:
            name = name_of(inner)
            if name == "w:t":
                self._words(inner.text or "", line, target, mono, raised)
            elif name in _SIGNS:
                self._add(_SIGNS[name], line, target)
            elif name == "w:br":
                self._break(value(inner, "type"), line, target)
            elif name == "w:lastRenderedPageBreak":
                self._page(line, self.rendered)
            elif name in ("w:footnoteReference", "w:endnoteReference"):
                self._note(name, inner, line)
            elif name == "w:commentReference":
                line.comments += 1
            elif name == "w:fldChar":
                self._field(inner, line)
            elif name == "w:instrText":
                if self._fields and not self._fields[-1].result:
                    self._fields[-1].instruction += inner.text or ""
            elif name == "w:sym":
                self._symbol(inner, line, target)
            elif name in ("w:drawing", "w:pict", "w:object"):
                self._drawing(inner, line)
            elif name == "w:ruby":
                self._walk(inner, line, target, mono)
            elif name == "mc:AlternateContent":
                branch = shown(inner)
                if branch is not None:
                    self._content(branch, line, target, mono, raised)
            elif name in ("m:oMath", "m:oMathPara"):
                self._equation(inner, line, target)

    def _words(self, text: str, line: Line, target: str | None, mono: bool, raised: bool) -> None:
        if raised and _POWER.fullmatch(text) and line.runs:
            before = line.runs[-1].text[-1:]
            if before.isalnum() or before == ")":
                text = "^" + text
        if self._add(text, line, target):
            seen = len(text) - text.count(" ")
            line.mono += seen if mono else 0
            line.other += 0 if mono else seen

    def _add(self, text: str, line: Line, target: str | None) -> bool:
        if any(not open.result for open in self._fields):
            return False
        for open in reversed(self._fields):
            if _is_contents(open):
                self.contents += 1
                return False
            found = _LINK.match(open.instruction) if target is None else None
            if found:
                local = "#" if _ANCHOR.match(open.instruction) else ""
                target = target_of(local + found.group(1))
        line.runs.append(Run(text, target))
        return True

    def _break(self, kind: str, line: Line, target: str | None) -> None:
        if kind == "page":
            self._page(line, not self.rendered)
        else:
            self._add("\n", line, target)

    @staticmethod
    def _page(line: Line, counts: bool) -> None:
        if counts and any(run.text.strip() for run in line.runs):
            line.pages_after += 1
        elif counts:
            line.pages_before += 1

    def _note(self, name: str, element: Element, line: Line) -> None:
        if any(not open.result for open in self._fields):
            return
        kind = name.removeprefix("w:").removesuffix("Reference")
        key = (kind, value(element, "id"))
        if key not in self.labels:
            self.labels[key] = str(len(self.labels) + 1)
        line.notes.append(key)
        line.runs.append(Run(f"[{self.labels[key]}]"))

    def _field(self, element: Element, line: Line) -> None:
        kind = value(element, "fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
            box = path(element, "w:ffData", "w:checkBox")
            if box is not None:
                state = child(box, "w:checked")
                state = state if state is not None else child(box, "w:default")
                line.runs.append(Run("[x] " if is_on(state) else "[ ] "))
        elif self._fields and kind == "separate":
            self._fields[-1].result = True
        elif self._fields and kind == "end":
            self._fields.pop()

    def _symbol(self, element: Element, line: Line, target: str | None) -> None:
        try:
            code = int(value(element, "char") or "0", 16)
        except ValueError:
            return
        private = 0xF000 <= code <= 0xF0FF
        if private or "wingdings" in value(element, "font").lower():
            self._add(_SYMBOLS.get(code & 0xFF, ""), line, target)
        elif 0x20 <= code < 0xD800:
            self._add(chr(code), line, target)

    def _control(self, control: Element, line: Line, target: str | None, mono: bool) -> None:
        content = child(control, "w:sdtContent")
        box = path(control, "w:sdtPr", "w14:checkbox")
        if box is not None:
            on = number(value(child(box, "w14:checked"), "val").replace("true", "1"), 0)
            self._add("[x]" if on else "[ ]", line, target)
        elif content is not None:
            self._walk(content, line, target, mono)

    def _equation(self, element: Element, line: Line, target: str | None) -> None:
        words = equation(element)
        if name_of(element) == "m:oMathPara" and line.runs:
            words = f"\n{words}\n"
        elif line.runs and line.runs[-1].text[-1:].isalnum():
            words = " " + words
        self._add(words, line, target)

    def _drawing(self, element: Element, line: Line) -> None:
        line.graphics.append(element)
        words = ""
        for inner in _walk_shown(element):
            name = name_of(inner)
            if name == "w:txbxContent":
                line.boxes.append(inner)
            elif name in ("wp:docPr", "pic:cNvPr"):
                said = alt(inner)
                words = said if said and said != words else ""
                if words:
                    line.pictures.append(words)
            elif name in ("v:imagedata", "v:shape", "v:rect"):
                said = " ".join((value(inner, "alt") or "").split())
                if said:
                    line.pictures.append(said)

    def _leads(self, element: Element) -> str | None:
        relation = self.relations.get(relation_id(element, "id"))
        anchor = value(element, "anchor")
        if relation is not None:
            return target_of(relation.target + (f"#{anchor}" if anchor else ""))
        return f"#{anchor}" if anchor else None


def _walk_shown(element: Element) -> Iterator[Element]:
    """Elements below, of alternatives only the one shown; text boxes are not entered."""
    for inner in element:
        yield inner
        name = name_of(inner)
        if name == "mc:AlternateContent":
            branch = shown(inner)
            if branch is not None:
                yield from _walk_shown(branch)
        elif name != "w:txbxContent":
            yield from _walk_shown(inner)


def _is_contents(open: _Field) -> bool:
    return bool(re.match(r"\s*TOC\b", open.instruction, re.IGNORECASE))
