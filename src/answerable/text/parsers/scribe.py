"""Turns a tree of Confluence elements into HTML tags, one step at a time, without recursion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape as quote
from typing import NamedTuple

from answerable.records.docs import Known, RawDoc
from answerable.text.parsers.tokens import Tags, Token, escape
from answerable.text.parsers.xmltree import Element, name_of


class Tag(NamedTuple):
    """An HTML tag to write: `p`, `/p`, with attributes."""

    name: str
    attributes: Mapping[str, str] = {}


class Page(NamedTuple):
    """A page on the path of inclusions: its space, and how to tell it from others."""

    space: str
    key: str


class Leave(NamedTuple):
    """The end of an included page."""


Work = Element | Tag | str | Page | Leave
"""What is still to be written; a Page begins an included page."""


@dataclass(slots=True)
class Surroundings:
    """What the page stands among, and what was seen on the way through it."""

    raw: RawDoc
    known: Known
    path: list[Page]
    included: int = 0
    includes: dict[str, None] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)

    @property
    def space(self) -> str:
        """The space of the page whose elements are being read."""
        return self.path[-1].space


Expand = Callable[[Element, Surroundings], list[Work]]


def write(start: list[Work], around: Surroundings, expansions: Mapping[str, Expand]) -> Tags:
    """HTML tags for `start`; `expansions` say what stands for an element, by its name."""
    tokens: list[Token] = []
    texts: list[str] = []
    lead: list[str] | None = None
    todo: list[Work] = start[::-1]
    pending: tuple[str, str] | None = None
    while todo:
        work = todo.pop()
        if isinstance(work, str):
            texts.append(escape(work))
        elif isinstance(work, Tag):
            if pending is None:
                lead = texts
            else:
                tokens.append((*pending, "".join(texts)))
            texts = []
            pending = (work.name, _written(work.attributes))
        elif isinstance(work, Page):
            around.path.append(work)
        elif isinstance(work, Leave):
            around.path.pop()
        else:
            expand = expansions.get(name_of(work), generic)
            todo.extend(reversed(expand(work, around)))
    if pending is None:
        return Tags("".join(texts), [])
    tokens.append((*pending, "".join(texts)))
    return Tags("".join(lead or []), tokens)


def generic(element: Element, around: Surroundings) -> list[Work]:
    """An XHTML element as itself; one of Confluence's own as what it holds."""
    name = name_of(element)
    if not name or ":" in name:
        return inside(element)
    attributes = {str(key).rpartition("}")[2]: str(value) for key, value in element.attrib.items()}
    return [Tag(name, attributes), *inside(element), Tag("/" + name)]


def inside(element: Element | None) -> list[Work]:
    """Text and elements within an element, in order."""
    if element is None:
        return []
    parts: list[Work] = [element.text] if element.text else []
    for inner in element:
        parts.append(inner)
        if inner.tail:
            parts.append(inner.tail)
    return parts


def block(words: str) -> list[Work]:
    """A paragraph of words."""
    return [Tag("p"), words, Tag("/p")]


def _written(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{quote(value)}"' for name, value in attributes.items())
