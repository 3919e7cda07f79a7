"""What styles and numbering of Word documents say of a paragraph, whatever language they are in.

Styles are followed by `basedOn` (ECMA-376 part 1, 17.7): names of styles are local, but outline
levels, numbering and the built-in names of the styles part (`heading 1`) are the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from answerable.text.parsers.ooxml.parts import (
    Element,
    Office,
    child,
    children,
    number,
    path,
    value,
)

_HEADING = re.compile(r"heading ([1-9])")
_LIST = re.compile(r"list(?: bullet| number| continue)?(?: ([2-5]))?")
_CODE = frozenset(
    [
        "html preformatted",
        "source code",
        "sourcecode",
        "code",
        "code block",
        "codeblock",
        "preformatted text",
        "macro text",
        "macro",
        "verbatim",
        "listing",
        "program listing",
        "preformatted",
    ]
)
_QUOTES = frozenset({"quote", "intense quote", "block text", "block quote", "quotations"})
MONO = re.compile(r"courier|consolas|menlo|monaco|lucida console|mono\b|cascadia|inconsolata", re.I)
BODY = 9


@dataclass(frozen=True, slots=True)
class Style:
    """A style as written: outline level from 0 (9: body text), numbering, font; None: not said."""

    id: str
    name: str = ""
    based_on: str = ""
    outline: int | None = None
    numbering: str | None = None
    level: int | None = None
    font: str = ""


@dataclass(frozen=True, slots=True)
class Styles:
    """All styles of a document by id, and the style of paragraphs that name none."""

    by_id: Mapping[str, Style] = field(default_factory=dict)
    usual: str = ""

    def chain(self, id: str) -> Iterator[Style]:
        """A style and those that it is based on, nearest first."""
        seen: set[str] = set()
        id = id or self.usual
        while id in self.by_id and id not in seen:
            seen.add(id)
            style = self.by_id[id]
            yield style
            id = style.based_on

    def outline(self, id: str) -> int | None:
        """The heading level from 1 that a style gives, None for body text."""
        for style in self.chain(id):
            named = _HEADING.fullmatch(style.name)
            if style.outline is not None:
                return style.outline + 1 if style.outline < BODY else None
            if named:
                return int(named.group(1))
            if style.name == "title":
                return 1
            if style.name == "subtitle":
                return 2
        return None

    def is_title(self, id: str) -> bool:
        """Whether the style is that of the document's title."""
        return any(style.name == "title" for style in self.chain(id))

    def is_code(self, id: str) -> bool:
        """Whether paragraphs of the style are code."""
        return any(style.name in _CODE for style in self.chain(id))

    def is_quote(self, id: str) -> bool:
        """Whether paragraphs of the style are what somebody else said."""
        return any(style.name in _QUOTES for style in self.chain(id))

    def is_contents(self, id: str) -> bool:
        """Whether paragraphs of the style are lines of a table of contents."""
        return any(re.fullmatch(r"toc [1-9]|toc heading", style.name) for style in self.chain(id))

    def font(self, id: str) -> str:
        """The Latin font that a style names, '' if none."""
        return next((style.font for style in self.chain(id) if style.font), "")

    def numbering(self, id: str) -> tuple[str, int]:
        """The numbering id that a style gives ('' or '0': none) and its level from 0."""
        found, level = None, None
        for style in self.chain(id):
            found = style.numbering if found is None else found
            level = style.level if level is None else level
        return found or "", level or 0

    def is_list(self, id: str) -> bool:
        """Whether the style is one of the built-in list styles."""
        return any(
            _LIST.fullmatch(style.name) or style.name == "list paragraph"
            for style in self.chain(id)
        )

    def depth(self, id: str) -> int:
        """How deep the built-in list styles (`List Bullet 2`) stand, from 0."""
        for style in self.chain(id):
            named = _LIST.fullmatch(style.name)
            if named:
                return int(named.group(1) or 1) - 1
        return 0


def read_styles(office: Office) -> Styles:
    """The styles part of a document."""
    root = office.tree(office.related(office.main, "styles"))
    found: dict[str, Style] = {}
    usual = ""
    for written in children(root, "w:style"):
        properties = child(written, "w:pPr")
        font = path(written, "w:rPr", "w:rFonts")
        outline = child(properties, "w:outlineLvl")
        level = path(properties, "w:numPr", "w:ilvl")
        numbering = path(properties, "w:numPr", "w:numId")
        id = value(written, "styleId")
        found[id] = Style(
            id,
            value(child(written, "w:name"), "val").strip().lower(),
            value(child(written, "w:basedOn"), "val"),
            number(value(outline, "val"), BODY) if outline is not None else None,
            value(numbering, "val") if numbering is not None else None,
            number(value(level, "val")) if level is not None else None,
            value(font, "ascii"),
        )
        if value(written, "type") == "paragraph" and value(written, "default") in ("1", "true"):
            usual = id
    return Styles(found, usual)


def is_on(element: Element | None) -> bool:
    """Whether a toggle property is set (17.17.4): present and not switched off."""
    return element is not None and value(element, "val") not in ("0", "false", "off")
