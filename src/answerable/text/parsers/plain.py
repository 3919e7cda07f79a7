"""Plain text to canonical text: paragraphs, unmistakable headings, simple lists, pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import charset_of, decode

_BLANKS = re.compile(r"\n(?:[ \t]*\n)+")
_UNDERLINE = re.compile(r"(={3,}|-{3,})[ \t]*")
_NUMBERED = re.compile(r"((?:\d{1,3}\.)+\d{1,3})\.?[ \t]+(?=[^\W\d_])(\S.{1,78})")
_ITEM = re.compile(r"([ \t]*)(?:([-*+•‣])|(\d{1,9})[.)])[ \t]+(?=\S)(.*)")
_SENTENCE_ENDS = (".", ",", ";", ":", "!", "?")


def parse(raw: RawDoc, known: Known) -> Document:
    """A plain text as a document; a form feed begins a page. InputError for binary content."""
    decoded = decode(raw.body, charset_of(raw.media_type))
    canvas = Canvas()
    for note in decoded.notes:
        canvas.note(note)
    for number, page in enumerate(decoded.text.split("\f"), 1):
        if number > 1:
            canvas.page_break(number)
        for block in _BLANKS.split(page):
            lines = [line.rstrip() for line in block.split("\n") if line.strip()]
            if lines:
                _draw(canvas, lines)
    return canvas.finish(raw, "plain", "")


def _draw(canvas: Canvas, lines: list[str]) -> None:
    if len(lines) > 1 and _is_underlined(lines[0], lines[1]):
        canvas.heading(1 if lines[1].startswith("=") else 2, lines[0].strip())
        lines = lines[2:]
    if not lines:
        return
    numbered = _NUMBERED.fullmatch(lines[0])
    if numbered and len(lines) == 1 and not lines[0].endswith(_SENTENCE_ENDS):
        canvas.heading(min(6, numbered.group(1).count(".") + 1), lines[0])
    elif _ITEM.match(lines[0]):
        _items(canvas, lines)
    else:
        canvas.paragraph("\n".join(_dedented(lines)))


def _is_underlined(words: str, rule: str) -> bool:
    """Whether `rule` is drawn under `words`: at the left edge, as long, give or take two."""
    return (
        bool(_UNDERLINE.fullmatch(rule))
        and not words[0].isspace()
        and any(char.isalpha() for char in words)
        and abs(len(rule) - len(words)) <= 2
    )


def _items(canvas: Canvas, lines: Sequence[str]) -> None:
    """Items of a list; a line without a marker goes on with the item before it."""
    items: list[tuple[int, str, list[str]]] = []
    for line in lines:
        found = _ITEM.match(line)
        if found:
            indent = len(found.group(1).expandtabs(4))
            marker = f"{found.group(3)}." if found.group(3) else "-"
            items.append((indent, marker, [found.group(4)]))
        else:
            items[-1][2].append(line.strip())
    open_items: list[tuple[int, int]] = []
    for indent, marker, words in items:
        while open_items and open_items[-1][0] >= indent:
            open_items.pop()
        parent = open_items[-1][1] if open_items else -1
        index = canvas.item(len(open_items) + 1, marker, "\n".join(words), parent)
        open_items.append((indent, index))


def _dedented(lines: Sequence[str]) -> list[str]:
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    return [line[indent:] for line in lines]
