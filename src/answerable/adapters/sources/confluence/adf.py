"""The Atlassian document format, which the new editor keeps, as HTML that a parser reads.

The nodes and marks: Atlassian, "Atlassian Document Format".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

Work = str | Mapping[str, Any]
"""HTML that is written as it stands, or a node still to be written."""

_WRAPS = {
    "doc": "div", "paragraph": "p", "bulletList": "ul", "listItem": "li",
    "blockquote": "blockquote", "table": "table", "tableRow": "tr",
    "layoutSection": "div", "layoutColumn": "div",
    "mediaGroup": "div", "decisionList": "ul", "decisionItem": "li", "taskList": "ul",
    "bodiedExtension": "div", "caption": "figcaption", "mediaSingle": "figure",
}  # fmt: skip
_MARKS = {"strong": "strong", "em": "em", "code": "code", "strike": "del", "subsup": ""}


def html_of(document: Any) -> str:
    """A document as HTML; nodes of an unknown kind are written as what they hold."""
    parts: list[str] = []
    todo: list[Work] = [document] if isinstance(document, Mapping) else []
    while todo:
        work = todo.pop()
        if isinstance(work, str):
            parts.append(work)
        else:
            todo.extend(reversed(_node(work)))
    return "".join(parts)


def _node(node: Mapping[str, Any]) -> list[Work]:
    kind = str(node.get("type", ""))
    attributes = node.get("attrs")
    attributes = attributes if isinstance(attributes, Mapping) else {}
    if kind in _WRITTEN:
        return _WRITTEN[kind](node, attributes)
    if kind in _WRAPS:
        return _wrapped(_WRAPS[kind], _inside(node))
    inner = _inside(node)
    # What an unknown node shows stands in its attributes, if it holds no nodes.
    return inner or [escape(_word(attributes, "text", "title", "alt"))]


def _wrapped(tag: str, inner: Sequence[Work], more: str = "") -> list[Work]:
    return [f"<{tag}{more}>", *inner, f"</{tag}>"]


def _inside(node: Mapping[str, Any]) -> list[Work]:
    content = node.get("content")
    if not isinstance(content, list):
        return []
    return [one for one in content if isinstance(one, Mapping)]


def _word(attributes: Mapping[str, Any], *keys: str) -> str:
    return next((str(attributes[key]) for key in keys if attributes.get(key)), "")


def _text(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    written = escape(str(node.get("text", "")))
    marks = node.get("marks")
    for mark in marks if isinstance(marks, list) else ():
        if not isinstance(mark, Mapping):
            continue
        if mark.get("type") == "link":
            held = mark.get("attrs")
            target = _word(held, "href") if isinstance(held, Mapping) else ""
            written = f'<a href="{escape(target)}">{written}</a>'
        elif tag := _MARKS.get(str(mark.get("type"))):
            written = f"<{tag}>{written}</{tag}>"
    return [written]


def _heading(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    level = attributes.get("level")
    level = level if isinstance(level, int) and 1 <= level <= 6 else 1
    return _wrapped(f"h{level}", _inside(node))


def _ordered(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    order = attributes.get("order")
    start = f' start="{order}"' if isinstance(order, int) else ""
    return _wrapped("ol", _inside(node), start)


def _code(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    language = _word(attributes, "language")
    name = f' class="language-{escape(language)}"' if language else ""
    return [f"<pre><code{name}>", *_inside(node), "</code></pre>"]


def _cell(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    tag = "th" if node.get("type") == "tableHeader" else "td"
    spans = "".join(
        f' {key}="{attributes[key]}"'
        for key in ("colspan", "rowspan")
        if isinstance(attributes.get(key), int)
    )
    return _wrapped(tag, _inside(node), spans)


def _panel(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    kind = _word(attributes, "panelType")
    shown = (
        "" if kind in ("", "custom") else f"<p><strong>{escape(kind.capitalize())}:</strong></p>"
    )
    return _wrapped("div", [shown, *_inside(node)])


def _expand(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    title = _word(attributes, "title")
    return _wrapped("div", [f"<p>{escape(title)}</p>" if title else "", *_inside(node)])


def _task(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    box = "[x] " if attributes.get("state") == "DONE" else "[ ] "
    return _wrapped("li", [box, *_inside(node)])


def _date(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    try:
        at = datetime.fromtimestamp(int(attributes["timestamp"]) / 1000, UTC)
    except (KeyError, ValueError, TypeError, OverflowError, OSError):
        return []
    return [at.date().isoformat()]


def _card(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    url = escape(_word(attributes, "url"))
    return [f'<a href="{url}">{url}</a>'] if url else []


def _media(node: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Work]:
    alt = _word(attributes, "alt")
    return [f'<img alt="{escape(alt)}">'] if alt else []


def _shown(*keys: str) -> Callable[[Mapping[str, Any], Mapping[str, Any]], list[Work]]:
    return lambda node, attributes: [escape(_word(attributes, *keys))]


_WRITTEN: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], list[Work]]] = {
    "text": _text,
    "heading": _heading,
    "orderedList": _ordered,
    "codeBlock": _code,
    "tableCell": _cell,
    "tableHeader": _cell,
    "panel": _panel,
    "expand": _expand,
    "nestedExpand": _expand,
    "taskItem": _task,
    "date": _date,
    "inlineCard": _card,
    "blockCard": _card,
    "embedCard": _card,
    "media": _media,
    "mediaInline": _media,
    "hardBreak": lambda node, attributes: ["<br>"],
    "rule": lambda node, attributes: ["<hr>"],
    "mention": _shown("text", "id"),
    "emoji": _shown("text", "shortName"),
    "status": _shown("text"),
    "placeholder": lambda node, attributes: [],
}
