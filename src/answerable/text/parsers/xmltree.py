"""Confluence page bodies as XML trees, whatever is missing around or inside them."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from answerable.errors import InputError
from answerable.text.entities import numeric

Element = etree._Element

_OPEN = (
    '<answerable xmlns="" xmlns:ac="http://atlassian.com/content" xmlns:at="http://atlassian.com/template"'
    ' xmlns:ri="http://atlassian.com/resource/identifier" xmlns:xlink="http://www.w3.org/1999/xlink">'
)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(
    r"\A(\s*(?:<!--.*?-->\s*)*)<!DOCTYPE\b[^>\[\"']*+(?:(?:\"[^\"]*\"|'[^']*')[^>\[\"']*+)*+"
    r"(?:\[(?:[^\]\"']++|\"[^\"]*\"|'[^']*')*+\]\s*)?>",
    re.DOTALL,
)
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LITERAL = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)


class Fragment(NamedTuple):
    """The root around a page's elements, or None if nothing could be read; what was mended."""

    root: Element | None
    notes: tuple[str, ...] = ()


def fragment(text: str) -> Fragment:
    """The tree of a page body: no root or namespace declaration needed, nothing fetched.

    A leading document type is removed with its entities; InputError if one stands elsewhere.
    Entities are never expanded. Broken XML is recovered as far as it goes, with a note.
    """
    notes: list[str] = []
    text = _DECLARATION.sub("", text)
    bare = _DOCTYPE.sub(r"\1", text)
    declared = bare != text
    if declared:
        notes.append("a document type was left out")
    if "<!" in bare and (
        "<!DOCTYPE" in _LITERAL.sub("", bare) or "<!ENTITY" in _LITERAL.sub("", bare)
    ):
        raise InputError(
            "a document type or entity declaration stands inside the page",
            "page bodies of Confluence have none: remove it",
        )
    body = _OPEN + numeric(_ILLEGAL.sub("", bare), declared=declared) + "</answerable>"
    try:
        return Fragment(etree.fromstring(body.encode(), _parser(recover=False)), tuple(notes))
    except etree.XMLSyntaxError as fault:
        notes.append(f"not well-formed XML: {fault.msg}")
    return Fragment(etree.fromstring(body.encode(), _parser(recover=True)), tuple(notes))


def _declares(text: str) -> bool:
    if "<!DOCTYPE" not in text and "<!ENTITY" not in text:
        return False
    markup = _LITERAL.sub("", text)
    return "<!DOCTYPE" in markup or "<!ENTITY" in markup


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        strip_cdata=True,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )


def name_of(element: Element) -> str:
    """Prefix and local name (`ac:link`), lower case; XHTML names have no prefix."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    local = tag.rpartition("}")[2]
    return f"{element.prefix}:{local}".lower() if element.prefix else local.lower()


def value(element: Element, name: str) -> str:
    """An attribute by its local name, whatever its namespace; '' if absent."""
    for key, written in element.attrib.items():
        if str(key).rpartition("}")[2].rpartition(":")[2] == name:
            return str(written)
    return ""


def child(element: Element | None, *names: str) -> Element | None:
    """The first child with one of these names."""
    if element is None:
        return None
    return next((inner for inner in element if name_of(inner) in names), None)


def words(element: Element | None) -> str:
    """All text inside an element."""
    return "" if element is None else "".join(str(part) for part in element.itertext())
