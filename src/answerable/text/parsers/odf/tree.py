"""OpenDocument files (ISO/IEC 26300): their parts as trees, their styles, their inline text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from answerable.errors import InputError
from answerable.records.docs import RawDoc
from answerable.text.canonical import Run
from answerable.text.parsers.ooxml.parts import Element, number, tree_of, value
from answerable.text.parsers.ooxml.text import target_of
from answerable.text.parsers.zipped import Parts, mistaken, open_parts

_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_USUAL = {"drawing": "draw", "svg-compatible": "svg"}
_MOST_SPACES = 200


@lru_cache(maxsize=2048)
def _short(tag: str) -> str:
    space, _, local = tag.rpartition("}")
    family = space[1:].removeprefix(_SPACE).partition(":")[0] if _SPACE in space else "_"
    return f"{_USUAL.get(family, family)}:{local}"


def odf_name(element: Element) -> str:
    """`family:name` of an element (`text:p`), `_:name` outside OpenDocument."""
    return _short(element.tag) if isinstance(element.tag, str) else ""


def kids(element: Element | None, *names: str) -> Iterator[Element]:
    """Children with one of these names."""
    for inner in element if element is not None else ():
        if odf_name(inner) in names:
            yield inner


def deep(element: Element | None, *names: str) -> Iterator[Element]:
    """Elements at any depth with one of these names."""
    for inner in element.iter() if element is not None else ():
        if odf_name(inner) in names:
            yield inner


@dataclass(frozen=True, slots=True)
class OdfStyles:
    """Parents and page breaks of paragraph styles, levels of list styles that are numbered."""

    parents: Mapping[str, str] = field(default_factory=dict)
    breaks: frozenset[str] = frozenset()
    numbered: Mapping[str, frozenset[int]] = field(default_factory=dict)
    lists: Mapping[str, str] = field(default_factory=dict)

    def chain(self, name: str) -> Iterator[str]:
        """A style and those it is made from, nearest first."""
        seen: set[str] = set()
        while name and name not in seen:
            seen.add(name)
            yield name
            name = self.parents.get(name, "")


class Odf:
    """An OpenDocument file: its content, its styles, its other parts."""

    def __init__(self, raw: RawDoc, wanted: str, body: str) -> None:
        self.raw = raw
        self.parts: Parts = open_parts(raw, wanted)
        if b"encryption-data" in self.parts.read("META-INF/manifest.xml"):
            raise InputError(f"{raw.uri}: encrypted: needs a password", "save it without one")
        self.notes: list[str] = []
        root = self.tree("content.xml")
        found = next(deep(root, f"office:{body}"), None)
        if found is None:
            raise mistaken(raw, self.parts, wanted)
        self.body: Element = found
        self.styles = _styles(root, self.tree("styles.xml"))

    def tree(self, name: str) -> Element | None:
        """The root of a part; None if it is not there."""
        body = self.parts.read(name)
        if not body:
            return None
        root, mended = tree_of(body, f"{self.raw.uri}: {name}")
        if mended:
            self.notes.append(f"{name} is not well-formed XML: {mended}")
        return root

    def properties(self) -> dict[str, str]:
        """Title, author and modified of the file's properties, where they are written."""
        root = self.tree("meta.xml")
        named = {"title": "title", "initial-creator": "author", "date": "modified"}
        found: dict[str, str] = {}
        for inner in root.iter() if root is not None else ():
            key = named.get(odf_name(inner).rpartition(":")[2], "")
            words = " ".join((inner.text or "").split())
            if key and words:
                found.setdefault(key, words)
        return found


def _styles(*roots: Element | None) -> OdfStyles:
    parents: dict[str, str] = {}
    breaks: set[str] = set()
    numbered: dict[str, frozenset[int]] = {}
    lists: dict[str, str] = {}
    for root in roots:
        for style in deep(root, "style:style"):
            name = value(style, "name")
            parents.setdefault(name, value(style, "parent-style-name"))
            if value(style, "list-style-name"):
                lists.setdefault(name, value(style, "list-style-name"))
            for properties in kids(style, "style:paragraph-properties"):
                if value(properties, "break-before") == "page":
                    breaks.add(name)
        for style in deep(root, "text:list-style"):
            levels = frozenset(
                number(value(level, "level"), 1)
                for level in kids(style, "text:list-level-style-number")
                if value(level, "num-format")
            )
            numbered.setdefault(value(style, "name"), levels)
    return OdfStyles(parents, frozenset(breaks), numbered, lists)


@dataclass(slots=True)
class OdfLine:
    """A paragraph as read: its runs, notes, frames; comments and page breaks in it."""

    runs: list[Run] = field(default_factory=list)
    notes: list[Element] = field(default_factory=list)
    frames: list[Element] = field(default_factory=list)
    comments: int = 0
    pages: int = 0


def read_line(paragraph: Element) -> OdfLine:
    """The inline content of a paragraph; white space is as ODF 1.3 part 3, 6.1.2 has it."""
    line = OdfLine()
    _walk(paragraph, line, None)
    return line


def _walk(element: Element, line: OdfLine, target: str | None) -> None:
    if element.text:
        line.runs.append(Run(element.text.replace("\n", " "), target))
    for inner in element:
        name = odf_name(inner)
        if name == "text:s":
            many = min(_MOST_SPACES, number(value(inner, "c"), 1))
            line.runs.append(Run(" " * many, target))
        elif name == "text:tab":
            line.runs.append(Run("\t", target))
        elif name == "text:line-break":
            line.runs.append(Run("\n", target))
        elif name == "text:a":
            _walk(inner, line, target_of(value(inner, "href")))
        elif name == "text:note":
            line.notes.append(inner)
            label = next(kids(inner, "text:note-citation"), None)
            line.runs.append(Run(f"[{(label.text if label is not None else '') or '*'}]"))
        elif name == "office:annotation":
            line.comments += 1
        elif name == "text:soft-page-break":
            line.pages += 1
        elif name.startswith("draw:"):
            line.frames.append(inner)
        elif name not in ("office:annotation-end", "text:tracked-changes", "text:ruby-text"):
            _walk(inner, line, target)
        if inner.tail:
            line.runs.append(Run(inner.tail.replace("\n", " "), target))
