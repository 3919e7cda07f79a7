"""Pages shown within pages, where everyone who reads the one may read the other."""

from __future__ import annotations

from answerable.errors import InputError
from answerable.records.docs import page_named
from answerable.text.decode import decode
from answerable.text.parsers.references import find, resource_of, title_of
from answerable.text.parsers.scribe import Leave, Page, Surroundings, Tag, Work, block, inside
from answerable.text.parsers.xmltree import Element, child, fragment, name_of, value, words

MOST = 200
"""Inclusions that one page may draw, whatever its includes include."""


def include(element: Element, around: Surroundings) -> list[Work]:
    """`include` and `excerpt-include`: the other page's words with its name, or a pointer to it.

    Followed only if the page is known with its body, everyone who may read this page may read it,
    and it is not already being included; each page left out is counted in a note.
    """
    excerpt = value(element, "name").lower() == "excerpt-include"
    target, named = _target(element)
    if target is None:
        return _pointer("", "no page named", around)
    title = title_of(target, around)
    page = find(target, around)
    if page is None:
        space = value(target, "space-key") or around.space
        around.includes[page_named(space, title)] = None
        return _pointer(title, "page not known", around)
    # Also where it is not shown: what it says, or who may read it, may let it be shown later.
    around.includes[page.uri] = None
    if not around.raw.access.within(page.access):
        return _pointer(title, "not readable for all readers of this page", around)
    body = page.body or around.known.body(page.uri)
    if not body:
        return _pointer(title, "body not at hand", around)
    if page.uri in (step.key for step in around.path):
        return _pointer(title, "it includes itself", around)
    if around.included >= MOST:
        return _pointer(title, f"more than {MOST} inclusions", around)
    held = _held(body, excerpt, named)
    if held is None:
        return _pointer(title, "no excerpt" if excerpt else "not readable", around)
    around.included += 1
    space = value(target, "space-key") or around.space
    name: list[Work] = [
        Tag("p"),
        "From ",
        Tag("a", {"href": page.uri}),
        title,
        Tag("/a"),
        ":",
        Tag("/p"),
    ]
    return [Tag("div"), *name, Page(space, page.uri), *held, Leave(), Tag("/div")]


def _target(element: Element) -> tuple[Element | None, str]:
    """The page that an include names, and the name of the excerpt asked for."""
    target: Element | None = None
    named = ""
    for inner in element:
        kind = name_of(inner)
        if kind == "ac:parameter" and value(inner, "name") in ("name", "excerpt-name"):
            named = words(inner).strip()
        if kind in ("ac:parameter", "ac:default-parameter") and target is None:
            link = child(inner, "ac:link")
            target = resource_of(inner if link is None else link)
    return target, named


def _held(body: bytes, excerpt: bool, named: str) -> list[Work] | None:
    try:
        root = fragment(decode(body).text).root
    except InputError:
        return None
    if root is None or not excerpt:
        return None if root is None else inside(root)
    bodies: list[Work] = []
    for inner in root.iter():
        if name_of(inner) == "ac:structured-macro" and value(inner, "name") == "excerpt":
            name = next(
                (words(part).strip() for part in inner
                 if name_of(part) == "ac:parameter" and value(part, "name") == "name"),
                "",
            )  # fmt: skip
            if not named or named == name:
                bodies += [Tag("div"), *inside(child(inner, "ac:rich-text-body")), Tag("/div")]
                break
    return bodies or None


def _pointer(title: str, why: str, around: Surroundings) -> list[Work]:
    around.notes[f"inclusions not followed ({why})"] += 1
    return block(f"[Included page: {title}]" if title else "[Included page]")
