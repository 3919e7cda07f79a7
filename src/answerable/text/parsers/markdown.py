"""Markdown and MDX pages (CommonMark 0.31.2 with GFM tables) to canonical text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.decode import charset_of, decode
from answerable.text.frontmatter import split
from answerable.text.grammar import grammar
from answerable.text.inline import Dropped, Reader, tidy, words
from answerable.text.parsers.html import draw

_IMPORT = re.compile(r"\s*import\s[^\n]*?['\"][^'\"\n]+['\"];?[ \t]*(?:\n|\Z)")
_HEADING_ID = re.compile(r"\s*\{#[\w.:-]+\}\s*\Z")
_LANG = re.compile(r"\{?\.?([^\s{},:`]+)")
_CODE_TITLE = re.compile(r"\b(?:title|filename|file)=(?:\"([^\"\n`]*)\"|'([^'\n`]*)'|([^\s`}]+))")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HOLLOW = re.compile(r"(?:\s|</?(?!img\b|iframe\b|object\b)[A-Za-z][^<>\"']*>)*\Z")
_ORPHAN = re.compile(r"\s*</?(?:tr|td|th|tbody|thead|tfoot|colgroup)\b", re.IGNORECASE)
_GATHERED = ("table", "ul", "ol", "dl", "figure", "pre")
_OPENER = re.compile(rf"<({'|'.join(_GATHERED)})\b", re.IGNORECASE)
_FURTHEST = 4000
_UNRENDERED = ("footnote_reference_open", "footnote_ref")


def parse(raw: RawDoc, known: Known) -> Document:
    """A Markdown page as a document; front matter gives title and metadata.

    InputError for binary content.
    """
    decoded = decode(raw.body, charset_of(raw.media_type))
    front = split(decoded.text)
    mdx = "mdx" in raw.media_type or raw.uri.lower().endswith(".mdx")
    mdx = mdx or bool(_IMPORT.match(front.body))
    canvas = Canvas()
    for note in (*decoded.notes, front.note):
        if note:
            canvas.note(note)
    _draw_body(canvas, front.body, mdx)
    meta = dict(front.meta)
    return canvas.finish(raw, "markdown", meta.get("title", ""), meta=meta.items())


def _draw_body(canvas: Canvas, source: str, mdx: bool) -> None:
    dropped = Dropped()
    source = dropped.payloads(source)
    lower = source.lower()
    reader = Reader(dropped, lambda name: f"</{name.lower()}" in lower)
    md = grammar(mdx)
    _Pen(canvas, reader, md, mdx).draw(md.parse(source, {}))
    if dropped.bytes:
        canvas.note(f"{dropped.bytes} bytes of data: URIs left out")


@dataclass(slots=True)
class _Frame:
    """An open container, and the block that its content hangs on.

    `last` is a list's latest item; an item or note is `drawn` once it has its first words.
    """

    kind: str
    parent: int
    marker: str = "-"
    number: int = -1
    drawn: bool = True
    depth: int = 0
    last: int = -1


class _Pen:
    """Draws a token stream; `_frames` are the containers that are open."""

    def __init__(self, canvas: Canvas, reader: Reader, md: MarkdownIt, mdx: bool) -> None:
        self._canvas, self._reader, self._md, self._mdx = canvas, reader, md, mdx
        self._frames = [_Frame("page", -1)]
        self._looked = 0

    def draw(self, tokens: Sequence[Token]) -> None:
        """Draw all of `tokens`, in one pass and without recursion."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            kind = token.type
            if kind == "inline":
                self._inline(token, tokens[at - 1])
            elif kind in ("fence", "code_block"):
                self._code(token)
            elif kind == "table_open":
                at = self._table(tokens, at)
            elif kind == "html_block":
                at = self._html(tokens, at)
            elif token.nesting > 0:
                self._open(token)
            elif token.nesting < 0 and kind in _CLOSING:
                self._frames.pop()
            at += 1

    def _open(self, token: Token) -> None:
        top = self._frames[-1]
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open", "dl_open"):
            self._settle()
            number = int(token.attrs.get("start", 1)) if kind.startswith("ordered") else -1
            depth = top.depth + 1
            self._frames.append(_Frame("list", top.parent, number=number, depth=depth))
        elif kind in ("list_item_open", "dt_open"):
            marker = f"{top.number}." if top.number >= 0 else "-"
            top.number += top.number >= 0
            frame = _Frame("item", top.parent, marker, drawn=False, depth=top.depth)
            self._frames.append(frame)
        elif kind == "dd_open":
            self._frames.append(_Frame("page", max(top.last, top.parent), depth=top.depth))
        elif kind == "blockquote_open":
            self._settle()
            self._frames.append(_Frame("quote", top.parent, depth=top.depth))
        elif kind == "footnote_reference_open":
            self._settle()
            label = f"[^{token.meta['label']}]: "
            self._frames.append(_Frame("note", top.parent, label, drawn=False, depth=top.depth))

    def _settle(self) -> None:
        """Draw the items that are open but have no words of their own yet."""
        for place, frame in enumerate(self._frames):
            if frame.kind == "item" and not frame.drawn:
                self._item(place, "")

    def _item(self, place: int, runs: Inlines) -> None:
        frame, outer = self._frames[place], self._frames[place - 1]
        frame.parent = outer.last = self._canvas.item(frame.depth, frame.marker, runs, outer.parent)
        frame.drawn = True

    def _inline(self, token: Token, opener: Token) -> None:
        children = token.children or []
        runs = self._reader.runs(children)
        if opener.type == "heading_open":
            self._heading(int(opener.tag[1]), runs)
        elif runs:
            pictured = all(
                one.type in ("image", "softbreak", "hardbreak", "link_open", "link_close")
                or (one.type == "text" and not one.content.strip())
                for one in children
            )
            self._words(runs, pictured)

    def _heading(self, level: int, runs: list[Run]) -> None:
        runs = [Run(run.text.replace("\n", " "), run.target) for run in runs]
        if runs:
            runs[-1] = Run(_HEADING_ID.sub("", runs[-1].text), runs[-1].target)
        if words(runs).strip():
            self._settle()
            self._canvas.heading(level, tidy(runs))

    def _words(self, runs: Inlines, pictured: bool) -> None:
        frame = self._frames[-1]
        if frame.kind == "item" and not frame.drawn:
            self._item(len(self._frames) - 1, runs)
        elif pictured:
            self._canvas.figure(runs, frame.parent)
        elif frame.kind == "quote":
            frame.parent = self._canvas.quote(runs, self._frames[-2].parent)
        elif frame.kind == "note" and not frame.drawn:
            frame.drawn = True
            self._canvas.paragraph([Run(frame.marker), *runs], frame.parent)
        else:
            self._canvas.paragraph(runs, frame.parent)

    def _code(self, token: Token) -> None:
        code = token.content.removesuffix("\n")
        if not code.strip():
            return
        self._settle()
        info = token.info.strip()
        lang = _LANG.match(info)
        titled = _CODE_TITLE.search(info)
        title = next((t for t in titled.groups() if t), "") if titled else ""
        parent = self._frames[-1].parent
        self._canvas.code(code, lang.group(1) if lang else "", title, parent)

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[list[Run]]] = []
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(self._reader.runs(token.children or []))
            at += 1
        header = 1
        if not any(words(cell) for cell in rows[0]):
            header, rows = 0, rows[1:]
        if any(words(cell) for row in rows for cell in row):
            self._settle()
            self._canvas.table(rows, header, self._frames[-1].parent)
        return at

    def _html(self, tokens: Sequence[Token], at: int) -> int:
        """Draw an HTML block; one whose table or list goes on behind a blank line is joined."""
        content, last = self._gather(tokens, at)
        content = self._reader.dropped.payloads(_COMMENT.sub("\n", content))
        if _HOLLOW.match(content):
            return last
        if _ORPHAN.match(content):
            content = f"<table>{content}</table>"
        self._settle()
        first = len(self._canvas.blocks)
        draw(self._canvas, content)
        parent = self._frames[-1].parent
        for index in range(first, len(self._canvas.blocks)):
            block = self._canvas.blocks[index]
            if parent >= 0 and block.parent < 0 and block.kind not in ("heading", "page_break"):
                self._canvas.blocks[index] = replace(block, parent=parent)
        return last

    def _gather(self, tokens: Sequence[Token], at: int) -> tuple[str, int]:
        first = self._markup(tokens[at])
        found = _OPENER.search(first)
        if not found or self._looked > _FURTHEST:
            return first, at
        name = found.group(1).lower()
        depth = _depth(name, first)
        parts = [first]
        last = at
        while depth > 0 and last - at < _FURTHEST:
            last += 1
            self._looked += 1
            if last >= len(tokens) or tokens[last].level < tokens[at].level:
                return first, at
            token = tokens[last]
            if token.type == "html_block":
                part = self._markup(token)
                depth += _depth(name, part)
            elif token.type in _UNRENDERED:
                return first, at
            else:
                part = str(self._md.renderer.render([token], self._md.options, {}))
            parts.append(part)
        if depth > 0:
            return first, at
        self._looked -= last - at
        return "".join(parts), last

    def _markup(self, token: Token) -> str:
        """The HTML of a block; in MDX the words between its tags are Markdown."""
        if self._mdx and "<pre" not in token.content:
            return str(self._md.renderInline(token.content))
        return token.content


_CLOSING = (
    "bullet_list_close",
    "ordered_list_close",
    "dl_close",
    "list_item_close",
    "dt_close",
    "dd_close",
    "blockquote_close",
    "footnote_reference_close",
)


def _depth(name: str, markup: str) -> int:
    lower = markup.lower()
    return len(re.findall(rf"<{name}\b", lower)) - lower.count(f"</{name}")
