"""E-books (.epub; EPUB 3.3 and 2) to canonical text: chapters in the order of the spine."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from urllib.parse import unquote

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import decode
from answerable.text.parsers.html import draw
from answerable.text.parsers.ooxml.parts import Element, tree_of, value
from answerable.text.parsers.zipped import Parts, mistaken, open_parts

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_CHAPTERS = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_META = {"creator": "author", "language": "language", "publisher": "publisher", "date": "date"}


def parse(raw: RawDoc, known: Known) -> Document:
    """A book: its chapters in reading order, drawn as web pages are; the list of contents left out.

    InputError for a file that is protected, damaged, of another format, or without words.
    """
    parts = open_parts(raw, "epub")
    where = _package(raw, parts)
    root = tree_of(parts.read(where), f"{raw.uri}: {where}")[0]
    _check_protection(raw, parts)
    meta: dict[str, str] = {}
    items: dict[str, tuple[str, str, str]] = {}
    spine: list[str] = []
    for element in root.iter():
        name, words = _local(element), " ".join((element.text or "").split())
        if name == "title" and words:
            meta.setdefault("title", words)
        elif name in _META and words:
            meta.setdefault(_META[name], words)
        elif name == "item":
            place = normpath(join(dirname(where), unquote(value(element, "href"))))
            kind, marks = value(element, "media-type"), value(element, "properties")
            items[value(element, "id")] = (place, kind, marks)
        elif name == "itemref":
            spine.append(value(element, "idref"))
    canvas = Canvas()
    missing = 0
    for id in dict.fromkeys(spine):
        place, kind, marks = items.get(id, ("", "", ""))
        if "nav" in marks.split() or (kind and kind not in _CHAPTERS):
            continue
        body = parts.read(place) if place else b""
        if body:
            draw(canvas, decode(body).text)
        else:
            missing += 1
    if missing:
        many = "chapter is" if missing == 1 else "chapters are"
        canvas.note(f"{missing} {many} named in the book and not there")
    if not canvas.blocks:
        raise InputError(f"no text in {raw.uri}", "its chapters hold no words")
    title = meta.pop("title", "")
    return canvas.finish(raw, "epub", title, meta=tuple(meta.items()))


def _package(raw: RawDoc, parts: Parts) -> str:
    """The name of the part that lists all others."""
    if _CONTAINER not in parts:
        raise mistaken(raw, parts, "epub")
    root = tree_of(parts.read(_CONTAINER), f"{raw.uri}: {_CONTAINER}")[0]
    for element in root.iter():
        place = value(element, "full-path") if _local(element) == "rootfile" else ""
        if place in parts:
            return place
    raise InputError(f"{raw.uri}: its container names no package", "make the book anew")


def _check_protection(raw: RawDoc, parts: Parts) -> None:
    """Fonts may be scrambled, text must not be."""
    if _ENCRYPTION not in parts:
        return
    root = tree_of(parts.read(_ENCRYPTION), f"{raw.uri}: {_ENCRYPTION}")[0]
    for element in root.iter():
        if _local(element) == "EncryptionMethod" and value(element, "Algorithm") not in _FONTS:
            raise InputError(
                f"{raw.uri}: encrypted: protected by its seller (DRM)",
                "use a copy without protection",
            )


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
