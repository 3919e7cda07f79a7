"""The one writer of canonical text: every parser draws on a Canvas, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from answerable.errors import InputError
from answerable.records.docs import Block, Document, Link, Meta, RawDoc, Span


class Run(NamedTuple):
    """A stretch of inline text, and where it leads if it is a link (None: no link, '': broken)."""

    text: str
    target: str | None = None


Inlines = str | Sequence[Run]

MOST_CHARACTERS = 100_000_000
"""How long a document may be: a small file can repeat its words a thousand times over."""


def document_id(uri: str) -> str:
    """The id of a document: the first 16 hex digits of SHA-256 of its uri."""
    return sha256(uri.encode()).hexdigest()[:16]


def content_hash(title: str, type: str, text: str, blocks: Iterable[Block]) -> str:
    """The `sha256` of a document: of all that a reader sees and the index uses."""
    content = "\0".join([title, type, text, *map(_sign, blocks)])
    return sha256(content.encode(errors="surrogatepass")).hexdigest()


class Canvas:
    """Collects blocks into canonical text; each call adds one block and returns its index.

    Inline text is written as plain words (no emphasis marks); blocks keep Markdown's marks.
    InputError when the text becomes too long to be read.
    Nested code and tables are not indented, so that their spans stay exact.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self.notes: list[str] = []

    @property
    def length(self) -> int:
        """Characters drawn so far."""
        return self._length

    def heading(self, level: int, content: Inlines) -> int:
        """A heading of level 1-6."""
        return self._marked("heading", "#" * level + " ", content, level=level)

    def paragraph(self, content: Inlines, parent: int = -1) -> int:
        """Running text; line feeds inside are kept."""
        return self._marked("paragraph", "", content, parent=parent)

    def quote(self, content: Inlines, parent: int = -1) -> int:
        """A paragraph that somebody else said."""
        return self._marked("quote", "> ", content, parent=parent)

    def figure(self, content: Inlines, parent: int = -1) -> int:
        """What a picture shows, in words (its alt text or caption)."""
        return self._marked("figure", "", content, parent=parent)

    def item(self, depth: int, marker: str, content: Inlines, parent: int = -1) -> int:
        """A list item; `marker` is `-` or a number with its point (`7.`), `depth` from 1."""
        close = bool(self.blocks) and self.blocks[-1].kind == "list_item"
        mark = "  " * (depth - 1) + marker + " "
        return self._marked(
            "list_item", mark, content, level=depth, parent=parent, marker=marker, close=close
        )

    def code(self, code: str, lang: str = "", title: str = "", parent: int = -1) -> int:
        """Code, character for character, inside a fence longer than any run of backticks in it."""
        longest = run = 0
        for char in code:
            run = run + 1 if char == "`" else 0
            longest = max(longest, run)
        fence = "`" * max(3, longest + 1)
        start = self._gap()
        self._write(fence + " ".join(filter(None, (lang, title))) + "\n")
        inner = self._length
        self._write(code)
        inner_span = Span(inner, self._length)
        self._write(("" if code.endswith("\n") or not code else "\n") + fence)
        return self._add(
            Block(
                "code", Span(start, self._length), inner_span, parent=parent, lang=lang, title=title
            )
        )

    def table(self, rows: Sequence[Sequence[Inlines]], header: int = 1, parent: int = -1) -> int:
        """A Markdown table; `header` leading rows are header rows (0: none, an empty one is drawn).

        Cells are one line each and pipes are escaped in the text; `cells` keep the words as read.
        """
        width = max((len(row) for row in rows), default=0)
        start = self._gap()
        spans: list[Span] = []
        cells: list[tuple[str, ...]] = []
        if not header:
            self._write("|" + "   |" * width + "\n" + _ruler(width) + "\n")
        for number, row in enumerate(rows):
            begin = self._length
            self._write("|")
            words: list[str] = []
            for cell in [*row, *[""] * (width - len(row))]:
                self._write(" ")
                words.append(self._cell(cell))
                self._write(" |")
            spans.append(Span(begin, self._length))
            cells.append(tuple(words))
            if header and number == header - 1:
                self._write("\n" + _ruler(width))
            if number < len(rows) - 1:
                self._write("\n")
        span = Span(start, self._length)
        return self._add(
            Block(
                "table",
                span,
                span,
                parent=parent,
                cells=tuple(cells),
                rows=tuple(spans),
                header=header,
            )
        )

    def page_break(self, page: int) -> int:
        """The beginning of page `page` (from 1): one form feed in the text."""
        start = self._gap()
        self._write("\f")
        return self._add(
            Block("page_break", Span(start, self._length), Span(start, self._length), level=page)
        )

    def note(self, words: str) -> None:
        """Something that reading left out or could not follow."""
        self.notes.append(words)

    def finish(
        self,
        raw: RawDoc,
        type: str,
        title: str,
        *,
        meta: Iterable[tuple[str, str]] = (),
        includes: Iterable[str] = (),
    ) -> Document:
        """The document drawn so far.

        An empty `title` becomes the source's (meta `title`), the first heading or the file name.
        """
        text = "".join(self._parts)
        title = title or dict(raw.meta).get("title", "")
        if not title:
            heads = [b for b in self.blocks if b.kind == "heading"]
            top = next((b for b in heads if b.level == 1), heads[0] if heads else None)
            title = text[top.inner.start : top.inner.end] if top else _stem(raw.uri)
        title = " ".join(title.split())
        return Document(
            id=document_id(raw.uri),
            uri=raw.uri,
            title=title,
            text=text,
            blocks=tuple(self.blocks),
            sha256=content_hash(title, type, text, self.blocks),
            type=type,
            links=tuple(self.links),
            revision=raw.revision,
            link=raw.link,
            access=raw.access,
            meta=_over(raw.meta, dict(meta)),
            notes=tuple(self.notes),
            includes=tuple(includes),
        )

    def _marked(
        self,
        kind: str,
        mark: str,
        content: Inlines,
        *,
        level: int = 0,
        parent: int = -1,
        marker: str = "",
        close: bool = False,
    ) -> int:
        start = self._gap(close)
        self._write(mark)
        inner = self._length
        self._inline(content)
        block = Block(
            kind,
            Span(start, self._length),
            Span(inner, self._length),
            level=level,
            parent=parent,
            marker=marker,
        )
        return self._add(block)

    def _inline(self, content: Inlines) -> None:
        for run in [Run(content)] if isinstance(content, str) else content:
            start = self._length
            self._write(run.text)
            if run.target is not None and run.text:
                self.links.append(Link(Span(start, self._length), run.target))

    def _cell(self, content: Inlines) -> str:
        runs = [Run(content)] if isinstance(content, str) else list(content)
        words = " ".join("".join(run.text for run in runs).split())
        first = True
        open_gap = False
        for run in runs:
            parts = run.text.split()
            if not parts:
                open_gap = open_gap or bool(run.text)
                continue
            if not first and (open_gap or run.text[0].isspace()):
                self._write(" ")
            text = " ".join(parts).replace("|", "\\|")
            start = self._length
            self._write(text)
            if run.target is not None:
                self.links.append(Link(Span(start, self._length), run.target))
            first = False
            open_gap = run.text[-1].isspace()
        return words

    def _gap(self, close: bool = False) -> int:
        if self.blocks:
            self._write("\n" if close else "\n\n")
        return self._length

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        if self._length > MOST_CHARACTERS:
            raise InputError(
                f"it comes to more than {MOST_CHARACTERS:,} characters", "split the document"
            )

    def _add(self, block: Block) -> int:
        self.blocks.append(block)
        return len(self.blocks) - 1


def _sign(block: Block) -> str:
    """A block in one line for hashing: far cheaper than JSON, and as telling."""
    rows = ",".join(f"{row.start}-{row.end}" for row in block.rows)
    cells = "\1".join("\2".join(row) for row in block.cells)
    return (
        f"{block.kind} {block.span.start} {block.span.end} {block.inner.start} {block.inner.end} "
        f"{block.level} {block.parent} {block.header} {rows}\1{block.marker}\1{block.lang}\1"
        f"{block.title}\1{cells}"
    )


def _ruler(width: int) -> str:
    return "|" + " --- |" * width


def _over(given: Meta, own: Mapping[str, str]) -> Meta:
    """The source's pairs, of which several may have one key, and the document's own over them."""
    return (*(pair for pair in given if pair[0] not in own), *own.items())


def _stem(uri: str) -> str:
    name = uri.rstrip("/").rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if "." in name[1:] else name
