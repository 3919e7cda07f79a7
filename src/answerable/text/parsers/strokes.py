"""What each HTML tag does to the pen, and drawing HTML with it."""

from __future__ import annotations

import re

from answerable.text.canonical import Canvas
from answerable.text.parsers.lists import LIST_ACTIONS
from answerable.text.parsers.pen import KEEP_ALL, KEEP_CONTENT, Action, Nest, Pen
from answerable.text.parsers.preformatted import language, preformatted
from answerable.text.parsers.skip import Jump
from answerable.text.parsers.tables import TABLE_ACTIONS, close_table, layouts
from answerable.text.parsers.tokens import (
    BREAK,
    LINK_END,
    PICTURE,
    Tags,
    attribute,
    attributes,
    escape,
)

_POWER = re.compile(r"\s*[-+−]?[0-9]+\s*")
_DEAD = re.compile(r"\s*(?:javascript|data|vbscript)\s*:", re.IGNORECASE)
_NO_BREAKS = str.maketrans("", "", "\t\n\r")
_INLINE = [
    mark + name
    for name in [
        "span",
        "b",
        "i",
        "em",
        "strong",
        "code",
        "font",
        "u",
        "small",
        "label",
        "abbr",
        "sub",
        "kbd",
        "samp",
        "var",
        "mark",
        "s",
        "del",
        "ins",
        "cite",
        "big",
        "tt",
        "nobr",
        "dfn",
        "bdi",
        "bdo",
        "data",
        "wbr",
        "link",
        "meta",
    ]
    for mark in ("", "/")
]
_INSIDE = ("main", "article", "section")


def draw_tags(canvas: Canvas, tags: Tags, keep: int) -> bool:
    """Draw HTML tags as blocks; `keep` is one of pen.KEEP_*. Never raises, never recurses.

    True if navigation or other margins of the page were left out.
    """
    pen = Pen(canvas, keep)
    pen.run(tags, ACTIONS, layouts(tags.tokens))
    close_table(pen)
    pen.finish()
    return pen.trimmed


class _Actions(dict[str, Action | None]):
    """Actions by tag name, in any case; None for tags that change nothing."""

    def __missing__(self, tag: str) -> Action | None:
        return self.get(tag.lower())


def _flush(pen: Pen, written: str, at: int) -> Jump | None:
    pen.flush()
    return None


def _strong(pen: Pen, written: str, at: int) -> Jump | None:
    pen.strong()
    return None


def _heading(level: int) -> Action:
    def action(pen: Pen, written: str, at: int) -> Jump | None:
        if pen.table is not None and pen.table.cell is not None:
            pen.buffer.append(" ")
            return None
        pen.strong()
        if not pen.soft:
            pen.level = level
        return None

    return action


def _end_heading(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.level:
        pen.end_heading()
    else:
        pen.flush()
    return None


def _division(tag: str) -> Action:
    def action(pen: Pen, written: str, at: int) -> Jump | None:
        pen.flush()
        if not pen.soft:
            pen.enter(tag, language(written) if "highlight" in written else "")
        return None

    return action


def _end_division(tag: str) -> Action:
    def action(pen: Pen, written: str, at: int) -> Jump | None:
        pen.flush()
        if not pen.soft:
            pen.leave(tag)
        return None

    return action


def _margin(tag: str, anywhere: bool) -> Action:
    """Parts of a page around its content; inside an article they belong to it."""
    enter = _division(tag)

    def action(pen: Pen, written: str, at: int) -> Jump | None:
        if pen.keep == KEEP_CONTENT and (anywhere or not any(map(pen.open.get, _INSIDE))):
            pen.flush()
            jump = pen.ends.past(tag, at)
            if jump is not None:
                pen.trimmed = True
                return jump
        return enter(pen, written, at)

    return action


def _quote(pen: Pen, written: str, at: int) -> Jump | None:
    pen.strong()
    if not pen.soft:
        pen.enter("blockquote")
        pen.nests.append(Nest(quote=True))
    return None


def _unseen(tag: str) -> Action:
    """Elements that a browser does not show as words of the page."""

    def action(pen: Pen, written: str, at: int) -> Jump | None:
        pen.buffer.append(" ")
        return None if pen.keep == KEEP_ALL else pen.ends.past(tag, at)

    return action


def _drawing(pen: Pen, written: str, at: int) -> Jump | None:
    """The labels of an SVG drawing, as a picture's words; names of icons are left out."""
    jump = pen.ends.past("svg", at)
    if jump is None:
        return None
    words = [text for tag, _, text in pen.tokens[at : jump.at] if tag in ("text", "tspan")]
    _picture(pen, " ".join(word for word in words if word.strip()))
    return jump


def _image(pen: Pen, written: str, at: int) -> Jump | None:
    alt = attribute(written, "alt")
    if alt and not alt.lstrip().lower().startswith("data:"):
        _picture(pen, escape(alt))
    return None


def _picture(pen: Pen, words: str) -> None:
    if pen.in_caption:
        pen.buffer.append(f" {words} ")
    elif words:
        pen.buffer.append(f" {PICTURE}{words}{PICTURE} ")
        pen.marked = True


def _caption(pen: Pen, written: str, at: int) -> Jump | None:
    """The words under a figure, drawn as a figure unless they only repeat its picture's."""
    pen.flush()
    if pen.soft:
        return None
    pen.buffer.append(PICTURE)
    pen.marked = True
    pen.in_caption = True
    return None


def _end_caption(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.in_caption:
        pen.end_caption()
    else:
        pen.flush()
    return None


def _link(pen: Pen, written: str, at: int) -> Jump | None:
    _end_link(pen, written, at)
    target = attribute(written, "href").strip()
    if target and not _DEAD.match(target):
        pen.begin_link(target.translate(_NO_BREAKS))
    elif "data-broken" in written:
        pen.begin_link("")
    return None


def _end_link(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.link is not None:
        pen.link = None
        pen.buffer.append(LINK_END)
    return None


def _break(pen: Pen, written: str, at: int) -> Jump | None:
    if pen.soft:
        pen.buffer.append(" ")
    else:
        pen.buffer.append(BREAK)
        pen.marked = True
    return None


def _power(pen: Pen, written: str, at: int) -> Jump | None:
    """Raised digits behind a word or number are kept apart from it: ten to the third is 10^3."""
    before = pen.buffer[-1][-1:] if pen.buffer else ""
    if _POWER.fullmatch(pen.tokens[at - 1][2]) and (before.isalnum() or before == ")"):
        pen.buffer.append("^")
    return None


def _time(pen: Pen, written: str, at: int) -> Jump | None:
    """A time without words shows its attribute (HTML standard 4.5.14)."""
    follower = pen.tokens[at][0].lower() if at < len(pen.tokens) else "/time"
    if follower == "/time" and not pen.tokens[at - 1][2].strip():
        pen.buffer.append(escape(attribute(written, "datetime")))
    return None


def _input(pen: Pen, written: str, at: int) -> Jump | None:
    values = attributes(written)
    if values.get("type", "").lower() == "checkbox":
        pen.buffer.append("[x] " if "checked" in values else "[ ] ")
    return None


def _said(pen: Pen, written: str, at: int) -> Jump | None:
    pen.buffer.append('"')
    return None


ACTIONS = _Actions(
    {
        **dict.fromkeys(_INLINE),
        **TABLE_ACTIONS,
        **LIST_ACTIONS,
        **dict.fromkeys(("p", "hr", "summary", "option", "optgroup"), _strong),
        **dict.fromkeys(("/p", "/summary", "/option", "/pre"), _flush),
        **{f"h{level}": _heading(level) for level in range(1, 7)},
        **{f"/h{level}": _end_heading for level in range(1, 7)},
        **{
            name: action
            for tag in [
                "div",
                "section",
                "article",
                "main",
                "body",
                "form",
                "fieldset",
                "details",
                "figure",
                "center",
                "address",
                "legend",
                "hgroup",
                "search",
                "dialog",
                "head",
                "html",
            ]
            for name, action in ((tag, _division(tag)), ("/" + tag, _end_division(tag)))
        },
        **{
            name: action
            for tag in ("header", "footer", "aside", "nav")
            for name, action in ((tag, _margin(tag, tag == "nav")), ("/" + tag, _end_division(tag)))
        },
        **{
            tag: _unseen(tag)
            for tag in [
                "template",
                "noscript",
                "object",
                "video",
                "audio",
                "canvas",
                "select",
                "button",
                "datalist",
                "annotation",
                "annotation-xml",
            ]
        },
        "blockquote": _quote,
        "/blockquote": _end_division("blockquote"),
        "pre": preformatted,
        "listing": preformatted,
        "xmp": preformatted,
        "svg": _drawing,
        "img": _image,
        "figcaption": _caption,
        "/figcaption": _end_caption,
        "a": _link,
        "/a": _end_link,
        "br": _break,
        "sup": _power,
        "time": _time,
        "input": _input,
        "q": _said,
        "/q": _said,
    }
)
