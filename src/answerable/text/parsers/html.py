"""HTML pages to canonical text: the content of the page, drawn block by block."""

from __future__ import annotations

import re
from html import unescape

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import charset_of, decode
from answerable.text.parsers import storage
from answerable.text.parsers.pen import KEEP_ALL, KEEP_CONTENT, KEEP_SEEN
from answerable.text.parsers.skip import Ends
from answerable.text.parsers.strokes import draw_tags
from answerable.text.parsers.tokens import Tags, attributes, tokenize

ENOUGH = 0.25
"""The share of a page's words that its content must hold; with less, more of the page is kept."""
_SURE = 2000
"""Characters of content that are enough whatever else the page holds."""
_HEAD = 4096
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"<\?xml[^>]+encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title(?=[\s>])[^>]*>", re.IGNORECASE)
_META = re.compile(r"<meta\s([^>]*)>", re.IGNORECASE)
_PARTS = re.compile(r"\s+(?:[-–—·:»•]|::)\s+|\s*\|\s*")


def draw(canvas: Canvas, html_text: str) -> None:
    """Draw a fragment of HTML on `canvas`; never raises, whatever is wrong with the fragment."""
    draw_tags(canvas, tokenize(html_text), KEEP_SEEN)


def parse(raw: RawDoc, known: Known) -> Document:
    """An HTML page as a document: its main content, without navigation and page furniture.

    A page in Confluence's storage format is read as such. InputError for a page without words and
    for binary content.
    """
    decoded = decode(raw.body, charset_of(raw.media_type) or _declared(raw.body))
    text = decoded.text
    if storage.is_storage(text):
        return storage.parse(raw, known)
    tags = tokenize(text)
    canvas = _content(tags)
    if not canvas.blocks:
        raise InputError(f"no text in {raw.uri}", "the page holds no words outside its scripts")
    for note in decoded.notes:
        canvas.note(note)
    return canvas.finish(raw, "html", _title(text, tags))


def _content(tags: Tags) -> Canvas:
    """The page drawn with as little around its content as leaves enough of its words."""
    main = _main(tags)
    if main is not None:
        inner, _ = _drawn(main, KEEP_CONTENT)
        if inner.length >= _SURE:
            return inner
        body, trimmed = _drawn(tags, KEEP_CONTENT)
        if inner.length and inner.length >= ENOUGH * body.length:
            return inner
    else:
        body, trimmed = _drawn(tags, KEEP_CONTENT)
    if body.length >= _SURE or (body.length and not trimmed):
        return body
    whole, _ = _drawn(tags, KEEP_SEEN)
    if body.length and body.length >= ENOUGH * whole.length:
        return body
    return whole if whole.length else _drawn(tags, KEEP_ALL)[0]


def _drawn(tags: Tags, keep: int) -> tuple[Canvas, bool]:
    canvas = Canvas()
    return canvas, draw_tags(canvas, tags, keep)


def _main(tags: Tags) -> Tags | None:
    """The one element that says it is the content of the page: `main`, its role, or `article`."""
    names = [tag for tag, _, _ in tags.tokens]
    if "main" in names:
        at = names.index("main")
    else:
        roles = (
            number
            for number, (tag, written, _) in enumerate(tags.tokens)
            if "main" in written and attributes(written).get("role") == "main"
        )
        at = next(roles, -1)
        if at < 0:
            if names.count("article") != 1:
                return None
            at = names.index("article")
    past = Ends(tags.tokens).past(names[at].lower(), at + 1)
    end = past.at if past else len(names)
    # Inside `main` a header or a footer belongs to the content.
    inside = [("main", "", ""), *tags.tokens[at:end]]
    if past:
        inside[-1] = (inside[-1][0], inside[-1][1], "")
    return Tags("", inside)


def _title(text: str, tags: Tags) -> str:
    """The page's title, without the site's name behind it where the top heading shows its end."""
    begun = _TITLE.search(text)
    title = ""
    if begun:
        end = text.find("<", begun.end())
        title = " ".join(unescape(text[begun.end() : end if end >= 0 else None]).split())
    if not title:
        for tag, written, _ in tags.tokens:
            if tag == "meta" and "og:title" in written:
                title = attributes(written).get("content", "").strip()
    parts = _PARTS.split(title)
    if len(parts) > 1 and parts[0] in _top_headings(tags):
        return parts[0]
    return title


def _top_headings(tags: Tags) -> set[str]:
    found: set[str] = set()
    ends = Ends(tags.tokens)
    for number in [at for at, token in enumerate(tags.tokens) if token[0] == "h1"][:5]:
        past = ends.past("h1", number + 1)
        inside = tags.tokens[number : past.at - 1 if past else number + 1]
        words = "".join(text for _, _, text in inside)
        found.add(" ".join(unescape(words).split()).strip(" ¶"))
    return found


def _declared(body: bytes) -> str:
    head = body[:_HEAD]
    found = _CHARSET.search(head) or _XML_ENCODING.search(head)
    return found.group(1).decode("ascii", "replace") if found else ""
