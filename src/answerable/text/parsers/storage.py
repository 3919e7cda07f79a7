"""Confluence's storage format to canonical text.

The format: Atlassian, "Confluence Storage Format" (XHTML elements, `ac:` macros, `ri:` references).
"""

from __future__ import annotations

import re
from collections import Counter

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import charset_of, decode
from answerable.text.parsers.macros import MACROS
from answerable.text.parsers.pen import KEEP_SEEN
from answerable.text.parsers.references import REFERENCES
from answerable.text.parsers.scribe import Expand, Page, Surroundings, inside, write
from answerable.text.parsers.strokes import draw_tags
from answerable.text.parsers.tokens import Tags, tokenize
from answerable.text.parsers.xmltree import Fragment, fragment, words

_OWN = re.compile(r"<(?:ac|ri):[a-z-]+[\s/>]")
_BLANK = re.compile(r"[\s\ufffd]+")
_NAMED = 10
"""Broken links that a note names; more are counted."""

_EXPANSIONS: dict[str, Expand] = {**REFERENCES, **MACROS}


def is_storage(text: str) -> bool:
    """Whether a text uses elements that only Confluence has."""
    return _OWN.search(text) is not None


def parse(raw: RawDoc, known: Known) -> Document:
    """A page body in storage format as a document.

    The title is `title` of `raw.meta`, else the first heading; the page's space is `known.space`,
    else `space` of `raw.meta`. Notes name broken links, and count inclusions that were not followed
    and macros that could not be read. InputError for a page without words and for binary content.
    """
    decoded = decode(raw.body, charset_of(raw.media_type))
    meta = dict(raw.meta)
    around = Surroundings(raw, known, [Page(known.space or meta.get("space", ""), raw.uri)])
    read = fragment(decoded.text)
    canvas = Canvas()
    tags = _tags(read, decoded.text, around, canvas)
    draw_tags(canvas, tags, KEEP_SEEN)
    if not canvas.blocks:
        raise InputError(f"no text in {raw.uri}", "the page holds no words")
    for note in (*decoded.notes, *read.notes):
        canvas.note(note)
    if around.broken:
        canvas.note(_broken(around.broken))
    for note, count in around.notes.items():
        canvas.note(f"{note}: {count}")
    return canvas.finish(raw, "storage", meta.get("title", ""), includes=around.includes)


def _broken(links: Counter[str]) -> str:
    """All broken links in one line, the first few by the title of what they led to."""
    named = [repr(title) for title in links][:_NAMED]
    if len(links) > _NAMED:
        named.append(f"and {len(links) - _NAMED} more")
    total = links.total()
    return f"{total} broken {'link' if total == 1 else 'links'}: {', '.join(named)}"


def _tags(read: Fragment, text: str, around: Surroundings, canvas: Canvas) -> Tags:
    """Tags of the tree; of the text itself where broken XML lost words on the way to the tree."""
    broken = any(note.startswith("not well-formed") for note in read.notes)
    if read.root is not None:
        if not broken:
            return write(inside(read.root), around, _EXPANSIONS)
        plain = tokenize(text)
        written = len(_BLANK.sub("", plain.lead + "".join(part for _, _, part in plain.tokens)))
        if len(_BLANK.sub("", words(read.root))) >= 0.99 * written:
            return write(inside(read.root), around, _EXPANSIONS)
    canvas.note("read as plain HTML: macros and links of Confluence are not followed")
    return tokenize(text)
