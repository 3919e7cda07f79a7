"""Parts of Office Open XML files (ECMA-376, transitional and strict) as trees, read safely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import NamedTuple

from lxml import etree

from answerable.errors import InputError
from answerable.records.docs import RawDoc
from answerable.text.parsers.zipped import Parts, mistaken, open_parts

Element = etree._Element

_SPACES = {
    "wordprocessingml": "w",
    "spreadsheetml": "x",
    "presentationml": "p",
    "drawingml": "a",
    "officeDocument": "r",
}
_PLACES = {
    "math": "m",
    "chart": "c",
    "diagram": "dgm",
    "wordprocessingDrawing": "wp",
    "spreadsheetDrawing": "xdr",
    "picture": "pic",
    "lockedCanvas": "lc",
}
_OTHERS = {
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx",
    "http://schemas.microsoft.com/office/drawing/2017/decorative": "adec",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
}
MOST_MARKS = 4_000_000
"""How many tags and attributes a part may have that is read as a tree: each takes memory."""


class Relation(NamedTuple):
    """What a part refers to: the last word of the type, a part's name or an outside address."""

    kind: str
    target: str
    outside: bool = False


@lru_cache(maxsize=4096)
def short(tag: str) -> str:
    """`{namespace}name` as `prefix:name`, the same for the transitional and the strict namespace.

    Names of namespaces that are not known here stand with the prefix `_`.
    """
    space, _, local = tag.rpartition("}")
    space = space[1:]
    if space in _OTHERS:
        return f"{_OTHERS[space]}:{local}"
    if space.startswith(("http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/")):
        words = space.split("/")
        for place, prefix in _PLACES.items():
            if place in words[3:]:
                return f"{prefix}:{local}"
        for family, prefix in _SPACES.items():
            if family in words[3:]:
                return f"{prefix}:{local}"
    return f"_:{local}" if space else local


def name_of(element: Element) -> str:
    """`prefix:name` of an element, '' of a comment or an entity."""
    return short(element.tag) if isinstance(element.tag, str) else ""


def value(element: Element | None, local: str) -> str:
    """An attribute by its local name, whatever its namespace; '' if absent."""
    if element is None:
        return ""
    found = element.get(local)
    if found is not None:
        return str(found)
    for key, written in element.attrib.items():
        if str(key).rpartition("}")[2] == local:
            return str(written)
    return ""


def relation_id(element: Element, *locals: str) -> str:
    """The id of a relationship: an attribute of the relationships' namespace, by its local name."""
    for key, written in element.attrib.items():
        if str(key).startswith("{") and short(str(key)) in {f"r:{local}" for local in locals}:
            return str(written)
    return ""


def number(written: str, default: int = 0) -> int:
    """A whole number as attributes write it; `default` for anything else."""
    digits = written.strip()
    sign = digits[:1] == "-"
    digits = digits.removeprefix("-").split(".", 1)[0]
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 15:
        return default
    return -int(digits) if sign else int(digits)


def child(element: Element | None, *names: str) -> Element | None:
    """The first child with one of these names; with several, None if there is none."""
    if element is None:
        return None
    for inner in element:
        tag = inner.tag
        if isinstance(tag, str) and short(tag) in names:
            return inner
    return None


def path(element: Element | None, *names: str) -> Element | None:
    """The element that is reached by the first child of each name in turn."""
    for name in names:
        element = child(element, name)
    return element


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """Children with one of these names."""
    if element is not None:
        for inner in element:
            if name_of(inner) in names:
                yield inner


def within(element: Element, *names: str) -> Iterator[Element]:
    """Elements at any depth with one of these names."""
    for inner in element.iter():
        if name_of(inner) in names:
            yield inner


def shown(element: Element) -> Element | None:
    """The branch of `mc:AlternateContent` that is shown: the choice, else the fallback."""
    choice = child(element, "mc:Choice")
    return choice if choice is not None and len(choice) else child(element, "mc:Fallback")


class Office:
    """An office file: its parts as trees, and what they refer to."""

    def __init__(self, raw: RawDoc, wanted: str, main: str) -> None:
        self.raw = raw
        self.parts: Parts = open_parts(raw, wanted)
        self.notes: list[str] = []
        self._relations: dict[str, dict[str, Relation]] = {}
        self.main = self._main(main)
        if not self.main or self.main not in self.parts:
            raise mistaken(raw, self.parts, wanted)

    def tree(self, name: str) -> Element | None:
        """The root of a part; None if it is not there. InputError if it declares entities."""
        body = self.parts.read(name) if name else b""
        if not body:
            return None
        root, mended = tree_of(body, f"{self.raw.uri}: {name}")
        if mended:
            self.notes.append(f"{name} is not well-formed XML: {mended}")
        return root

    def relations(self, name: str) -> dict[str, Relation]:
        """What a part refers to, by relationship id."""
        if name in self._relations:
            return self._relations[name]
        folder, _, file = name.rpartition("/")
        root = self.tree(join(folder, "_rels", f"{file}.rels"))
        found: dict[str, Relation] = {}
        for entry in children(root, "rel:Relationship"):
            kind = value(entry, "Type").rpartition("/")[2]
            target, outside = value(entry, "Target"), value(entry, "TargetMode") == "External"
            if not outside:
                target = normpath(join("/", dirname(name), target)).lstrip("/")
            found[value(entry, "Id")] = Relation(kind, target, outside)
        self._relations[name] = found
        return found

    def related(self, name: str, kind: str) -> str:
        """The name of the first part of a kind that a part refers to; '' if there is none."""
        for relation in self.relations(name).values():
            if relation.kind == kind and not relation.outside:
                return relation.target
        return ""

    def properties(self) -> dict[str, str]:
        """Title, author and modified of the file's properties, where they are written."""
        root = self.tree("docProps/core.xml")
        found: dict[str, str] = {}
        for inner in root if root is not None else ():
            local = name_of(inner).rpartition(":")[2]
            named = {"title": "title", "creator": "author", "modified": "modified"}.get(local)
            words = " ".join((inner.text or "").split())
            if named and words:
                found[named] = words
        return found

    def shown_title(self, opening: Sequence[str]) -> str:
        """The title of the file's properties if the opening words show it too, else ''.

        Properties are often those of another file, from which this one was copied.
        """
        title = self.properties().get("title", "")
        read = " ".join(" ".join(opening).split()).casefold()
        return title if title and title.casefold() in read else ""

    def _main(self, folder: str) -> str:
        try:
            for relation in self.relations("").values():
                if relation.kind == "officeDocument" and relation.target.lower().startswith(folder):
                    return relation.target
        except InputError:
            if "_rels/.rels" in self.parts:
                raise
        return ""


def tree_of(body: bytes, where: str) -> tuple[Element, str]:
    """The root of an XML part and what had to be mended; nothing is fetched or expanded.

    InputError for a document type (office files have none) and for a part that holds no element.
    """
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = body.decode("utf-16", "replace").encode()
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise InputError(
            f"{where} declares a document type or entities", "office files have none: save it anew"
        )
    marks = body.count(b"<") + body.count(b"=")
    if marks > MOST_MARKS:
        raise InputError(
            f"{where} has {marks:,} tags and attributes, at most {MOST_MARKS:,} are read",
            "divide the file",
        )
    mended = ""
    try:
        root = etree.fromstring(body, _parser(recover=False))
    except etree.XMLSyntaxError as fault:
        mended = str(fault.msg)
        try:
            root = etree.fromstring(body, _parser(recover=True))
        except etree.XMLSyntaxError as worse:
            raise InputError(f"{where} is not XML: {worse.msg}", "save it anew") from worse
    except (ValueError, LookupError) as fault:
        raise InputError(f"{where} is not XML: {fault}", "save it anew") from fault
    if root is None:
        raise InputError(f"{where} is not XML: {mended}", "save it anew")
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]
        raise InputError(
            f"{where} declares a document type", "office files have none: save it anew"
        )
    return root, mended


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
