"""Draws a stream of HTML tags on a canvas: the state between one tag and the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.grid import Cell
from answerable.text.parsers.lines import Line, marked, plain, runs
from answerable.text.parsers.skip import Ends, Jump, hidden, may_hide
from answerable.text.parsers.tokens import LINK, PICTURE, Tags, Token

KEEP_ALL, KEEP_SEEN, KEEP_CONTENT = 0, 1, 2
"""What to leave out: nothing; what a browser hides; also navigation, side columns, footers."""


@dataclass(slots=True)
class Nest:
    """An open list or quote; `block` is its latest item or quote, `marker` of one not yet drawn."""

    ordered: bool = False
    number: int = 1
    step: int = 1
    marker: str = ""
    block: int = -1
    quote: bool = False
    implied: bool = False


@dataclass(slots=True)
class Table:
    """An open table: its rows so far, and the cell whose words are being collected."""

    rows: list[list[Cell]] = field(default_factory=list)
    cell: Cell | None = None
    caption: bool = False
    in_head: bool = False
    head_rows: int = 0
    inner: list[list[int]] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """An open division, how many lists and quotes were open around it, its code's language."""

    tag: str
    nests: int
    lang: str = ""


class Pen:
    """Collects inline text in `buffer` and turns it into a block where a block ends.

    Nothing recurses, so depth costs nothing; every tag may be missing or misplaced.
    """

    def __init__(self, canvas: Canvas, keep: int) -> None:
        self.canvas = canvas
        self.keep = keep
        self.buffer: list[str] = []
        self.marked = False
        self.targets: list[str] = []
        self.link: str | None = None
        self.level = 0
        self.terms: list[Run] = []
        self.in_term = False
        self.in_caption = False
        self.pictured = ""
        self.nests: list[Nest] = []
        self.lists = 0
        self.frames: list[Frame] = []
        self.open: dict[str, int] = {}
        self.table: Table | None = None
        self.unwrapped = 0
        self.trimmed = False
        self.layouts: frozenset[int] = frozenset()
        self.tokens: Sequence[Token] = ()
        self.ends = Ends(())

    def run(
        self, tags: Tags, actions: Mapping[str, Action | None], layouts: frozenset[int]
    ) -> None:
        """Draw every tag; `layouts` are the token numbers of tables that only place things."""
        self.tokens = tokens = tags.tokens
        self.ends = Ends(tokens)
        self.layouts = layouts
        buffer = self.buffer
        buffer.append(tags.lead)
        keep_hidden = self.keep == KEEP_ALL
        at = 0
        total = len(tokens)
        while at < total:
            tag, written, text = tokens[at]
            at += 1
            if written and not keep_hidden and may_hide(written) and hidden(written):
                jump = self.ends.past(tag.lower(), at)
                if jump is not None:
                    at, text = jump
                    if text:
                        buffer.append(text)
                    continue
            action = actions[tag]
            if action is not None:
                jump = action(self, written, at)
                if jump is not None:
                    at, text = jump
            if text:
                buffer.append(text)

    @property
    def soft(self) -> bool:
        """Whether block ends only separate words: inside a heading, a term, a cell, a caption."""
        if self.level or self.in_term or self.in_caption:
            return True
        table = self.table
        return table is not None and (table.cell is not None or table.caption)

    def flush(self) -> None:
        """End the running block; a space where blocks cannot end."""
        if self.soft:
            self.buffer.append(" ")
        elif self.buffer:
            line = self.take()
            if line.content:
                self.put(line.content, line.picture)

    def take(self) -> Line:
        """The words collected since the last block, and a fresh start."""
        text = "".join(self.buffer)
        self.buffer.clear()
        if not self.marked:
            return plain(text)
        line = marked(text, self.targets)
        self.targets.clear()
        self.marked = False
        if self.link is not None:
            self.begin_link(self.link)
        return line

    def begin_link(self, target: str) -> None:
        """Words from here on lead to `target`."""
        self.link = target
        self.targets.append(target)
        self.buffer.append(LINK)
        self.marked = True

    def put(self, content: Inlines, picture: bool = False) -> None:
        """Draw one block of words where the pen stands."""
        if self.terms:
            content = [*self.terms, Run(": "), *runs(content)]
            self.terms = []
        if picture:
            words = "".join(run.text for run in runs(content))
            if words == self.pictured and self.canvas.blocks[-1].kind == "figure":
                return
            self.pictured = words
        top = self.nests[-1] if self.nests else None
        if top is None:
            draw = self.canvas.figure if picture else self.canvas.paragraph
            draw(content)
        elif top.marker:
            around = self.parent(-1)
            top.block = self.canvas.item(self.lists, top.marker, content, around)
            top.marker = ""
        elif picture:
            self.canvas.figure(content, self.parent())
        elif top.quote:
            top.block = self.canvas.quote(content, self.parent(-1))
        else:
            self.canvas.paragraph(content, self.parent())

    def parent(self, end: int | None = None) -> int:
        """The block that encloses the pen: the latest item or quote of the innermost nest."""
        for nest in reversed(self.nests[:end]):
            if nest.block >= 0:
                return nest.block
        return -1

    def anchor(self) -> int:
        """The parent for a block that is not words: an item without words is drawn first."""
        if self.terms:
            terms, self.terms = self.terms, []
            self.put(terms)
        if self.nests and self.nests[-1].marker:
            self.put("")
        return self.parent()

    def enter(self, tag: str, lang: str = "") -> None:
        """A division opens."""
        self.frames.append(Frame(tag, len(self.nests), lang))
        self.open[tag] = self.open.get(tag, 0) + 1

    def leave(self, tag: str) -> None:
        """A division closes, with all that stayed open inside it."""
        if not self.open.get(tag):
            return
        while True:
            frame = self.frames.pop()
            self.open[frame.tag] -= 1
            if frame.tag == tag:
                break
        self.drop_nests(frame.nests)

    def drop_nests(self, count: int) -> None:
        """Close lists and quotes until `count` are open, and divisions opened inside them."""
        while len(self.nests) > count:
            self.lists -= not self.nests.pop().quote
        self.drop_frames(count)

    def drop_frames(self, count: int) -> None:
        """Forget divisions that were opened while more than `count` nests were open."""
        while self.frames and self.frames[-1].nests > count:
            self.open[self.frames.pop().tag] -= 1

    def end_heading(self) -> None:
        """Draw the heading whose words were collected."""
        level, self.level = self.level, 0
        line = self.take()
        words = [
            Run(run.text.replace("\n", " ").replace("¶", ""), run.target)
            for run in runs(line.content)
        ]
        if any(run.text.strip() for run in words):
            words[-1] = Run(words[-1].text.rstrip(), words[-1].target)
            if self.terms:
                terms, self.terms = self.terms, []
                self.put(terms)
            self.canvas.heading(level, words)

    def strong(self) -> None:
        """A block begins that no heading can hold: an open heading with words ends here."""
        if self.level and "".join(self.buffer).strip():
            self.end_heading()
        elif self.in_term and "".join(self.buffer).strip():
            self.end_term()
        elif self.in_caption and "".join(self.buffer).strip(f" \n{PICTURE}"):
            self.end_caption()
        else:
            self.flush()

    def end_caption(self) -> None:
        """Draw the words under a figure as a figure."""
        self.in_caption = False
        self.buffer.append(PICTURE)
        self.flush()

    def end_term(self) -> None:
        """Keep the term whose words were collected for its definition."""
        self.in_term = False
        words = runs(self.take().content)
        if words:
            self.terms = [*self.terms, Run(", "), *words] if self.terms else words

    def finish(self) -> None:
        """Draw what is still open at the end."""
        if self.level:
            self.end_heading()
        if self.in_term:
            self.end_term()
        if self.in_caption:
            self.end_caption()
        self.flush()
        if self.terms:
            self.anchor()


Action = Callable[[Pen, str, int], Jump | None]
