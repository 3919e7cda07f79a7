"""Links, mentions, pictures and other small elements of the storage format."""

from __future__ import annotations

from answerable.records.docs import KnownPage
from answerable.text.parsers.scribe import Expand, Surroundings, Tag, Work, inside
from answerable.text.parsers.xmltree import Element, child, name_of, value, words

_SIGNS = {
    "tick": "✔", "cross": "✘", "warning": "⚠", "information": "ℹ", "question": "?",
    "plus": "+", "minus": "-", "smile": "🙂", "sad": "🙁", "cheeky": "😛", "laugh": "😃",
    "wink": "😉", "thumbs-up": "👍", "thumbs-down": "👎", "heart": "❤", "broken-heart": "💔",
    "light-on": "💡", "light-off": "💡", "yellow-star": "★", "red-star": "★", "green-star": "★",
    "blue-star": "★",
}  # fmt: skip


# A picture right inside one of these stands for itself; elsewhere it may stand in a line of text.
_HOLDING_BLOCKS = frozenset(
    ("answerable", "ac:rich-text-body", "ac:layout-cell", "ac:adf-content", "div", "ac:confluence")
)


def find(resource: Element, around: Surroundings) -> KnownPage | None:
    """The known page that `ri:page` or `ri:blog-post` names; without a space, one of this space."""
    title = value(resource, "content-title")
    space = value(resource, "space-key")
    pages = around.known.pages
    for key in (space,) if space else (around.space, ""):
        page = pages.get((key, title))
        if page is not None:
            return page
    # The page's own space written out is the same as none.
    return pages.get(("", title)) if space and space == around.space else None


def resource_of(element: Element) -> Element | None:
    """The `ri:` child that says what an element refers to."""
    return next((inner for inner in element if name_of(inner).startswith("ri:")), None)


def user(resource: Element, around: Surroundings) -> str:
    """The display name of a mentioned user, with a stand-in for one who is not known."""
    for kind in ("account-id", "userkey", "username"):
        known = around.known.users.get(value(resource, kind)) if value(resource, kind) else None
        if known:
            return known
    around.notes["mentions of unknown users"] += 1
    return "@unknown user"


def title_of(resource: Element, around: Surroundings) -> str:
    """What a reference shows when it brings no words of its own."""
    name = name_of(resource)
    if name == "ri:user":
        return user(resource, around)
    for kind in ("content-title", "filename", "value", "space-key", "key", "content-id"):
        if value(resource, kind):
            return value(resource, kind)
    return ""


def link(element: Element, around: Surroundings) -> list[Work]:
    """`ac:link`: its words, or the title of what it leads to; broken links are noted."""
    resource = resource_of(element)
    body = child(element, "ac:link-body", "ac:plain-text-link-body")
    anchor = value(element, "anchor")
    shown = inside(body) if words(body).strip() or (body is not None and len(body)) else []
    if resource is None:
        shown = shown or [anchor]
        return _led(f"#{anchor}", shown) if anchor else shown
    shown = shown or [title_of(resource, around)]
    name = name_of(resource)
    if name in ("ri:page", "ri:blog-post"):
        page = find(resource, around)
        if page is None:
            space = value(resource, "space-key")
            title = value(resource, "content-title")
            around.broken[f"{space}:{title}" if space else title] += 1
            return [Tag("a", {"data-broken": ""}), *shown, Tag("/a")]
        return _led(page.uri + (f"#{anchor}" if anchor else ""), shown)
    if name == "ri:url":
        return _led(value(resource, "value"), shown)
    return shown


def _led(target: str, shown: list[Work]) -> list[Work]:
    return [Tag("a", {"href": target}), *shown, Tag("/a")]


def resource(element: Element, around: Surroundings) -> list[Work]:
    """A reference that stands alone."""
    return [title_of(element, around)]


def image(element: Element, around: Surroundings) -> list[Work]:
    """`ac:image`: its caption and alternative text; the file's name if there is neither."""
    source = resource_of(element)
    caption = child(element, "ac:caption")
    name = "" if source is None else value(source, "filename") or value(source, "value")
    alt = value(element, "alt") or value(element, "title")
    captioned = bool(words(caption).strip())
    if not alt or (captioned and alt == name):
        alt = "" if captioned else name
    parts: list[Work] = [Tag("img", {"alt": alt})] if alt else []
    if captioned:
        parts += [Tag("figcaption"), *inside(caption), Tag("/figcaption")]
    around_it = element.getparent()
    if around_it is None or name_of(around_it) in _HOLDING_BLOCKS:
        return [Tag("figure"), *parts, Tag("/figure")]
    return parts


def emoticon(element: Element, around: Surroundings) -> list[Work]:
    """`ac:emoticon`: its character, else its short name."""
    name = value(element, "name")
    fallback = value(element, "emoji-fallback")
    if fallback and not fallback.startswith(":"):
        return [fallback]
    if name in _SIGNS and name != "blue-star":
        return [_SIGNS[name]]
    return [fallback or value(element, "emoji-shortname") or _SIGNS.get(name) or f":{name}:"]


def task_list(element: Element, around: Surroundings) -> list[Work]:
    """`ac:task-list`: a list."""
    return [Tag("ul"), *(inner for inner in element), Tag("/ul")]


def task(element: Element, around: Surroundings) -> list[Work]:
    """`ac:task`: an item that begins with its state."""
    done = words(child(element, "ac:task-status")).strip() == "complete"
    body = inside(child(element, "ac:task-body"))
    return [Tag("li"), "[x] " if done else "[ ] ", *body, Tag("/li")]


def _nothing(element: Element, around: Surroundings) -> list[Work]:
    return []


def _division(element: Element, around: Surroundings) -> list[Work]:
    return [Tag("div"), *inside(element), Tag("/div")]


def _extension(element: Element, around: Surroundings) -> list[Work]:
    """`ac:adf-extension` says things twice: the fallback is read only where the nodes are empty."""
    nodes = [inner for inner in element if name_of(inner) == "ac:adf-node" and _content(inner)]
    if nodes:
        return [*nodes]
    fallback = child(element, "ac:adf-fallback")
    return inside(element) if fallback is None else _division(fallback, around)


def _content(node: Element) -> bool:
    return any(words(inner).strip() or len(inner) for inner in node if name_of(inner) in _HOLDING)


_HOLDING = ("ac:adf-content", "ac:adf-node")


def _node(element: Element, around: Surroundings) -> list[Work]:
    held: list[Work] = [inner for inner in element if name_of(inner) in _HOLDING]
    kind = ""
    for inner in element:
        if name_of(inner) == "ac:adf-attribute" and value(inner, "key") == "panel-type":
            kind = words(inner).strip()
    return (
        labelled(kind.capitalize(), "", held)
        if kind and kind != "custom"
        else [Tag("div"), *held, Tag("/div")]
    )


def labelled(kind: str, title: str, body: list[Work]) -> list[Work]:
    """A body that begins with its kind as a word (`Warning: ...`) and its title."""
    parts: list[Work] = [Tag("div")]
    if kind:
        parts += [Tag("dl"), Tag("dt"), kind, Tag("/dt"), Tag("dd")]
        if title:
            parts += [Tag("p"), title, Tag("/p")]
        return [*parts, *body, Tag("/dd"), Tag("/dl"), Tag("/div")]
    if title:
        parts += [Tag("p"), title, Tag("/p")]
    return [*parts, *body, Tag("/div")]


_LEFT_OUT = (
    "ac:adf-attribute",
    "ac:adf-mark",
    "ac:adf-fragment-mark",
    "ac:adf-fragment-mark-detail",
    "ac:parameter",
    "ac:default-parameter",
    "ac:placeholder",
    "ac:task-id",
    "ac:task-uuid",
    "ac:task-status",
    "script",
    "style",
    "template",
)

REFERENCES: dict[str, Expand] = {
    "ac:link": link,
    "ri:user": resource,
    "ri:page": resource,
    "ri:blog-post": resource,
    "ri:attachment": resource,
    "ri:url": resource,
    "ri:space": resource,
    "ri:shortcut": resource,
    "ri:content-entity": resource,
    "ac:image": image,
    "ac:emoticon": emoticon,
    "ac:task-list": task_list,
    "ac:task": task,
    "ac:layout": _division,
    "ac:layout-section": _division,
    "ac:layout-cell": _division,
    "ac:caption": _division,
    "ac:adf-extension": _extension,
    "ac:adf-node": _node,
    "ac:adf-content": _division,
    **dict.fromkeys(_LEFT_OUT, _nothing),
}
