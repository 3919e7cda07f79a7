"""What the reading of PDF works with: glyphs, words, lines, tables, pages.

Every place is in points in the frame of the text itself: x grows along the baseline, y grows
downwards from line to line, whichever way the page is turned.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Style(NamedTuple):
    """How a glyph is set; `signs`: in a font of bullets and arrows instead of letters."""

    bold: bool = False
    mono: bool = False
    italic: bool = False
    signs: bool = False


class Glyph(NamedTuple):
    """A character: where it begins and ends on its baseline, the baseline, size and quarter turn.

    A blank of size 0 stands where pdfium saw the end of a word or line.
    """

    text: str
    x0: float
    x1: float
    base: float
    size: float
    style: Style
    turn: int


class Rule(NamedTuple):
    """A straight line that is drawn, in page space (y grows upwards)."""

    x0: float
    y0: float
    x1: float
    y1: float


class Link(NamedTuple):
    """A box that leads somewhere; of a page in page space, of words in their frame."""

    x0: float
    top: float
    x1: float
    bottom: float
    target: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read: its number from 1, its box in page space, and what stands on it.

    `unknown` counts glyphs of fonts that do not say which letters they are.
    """

    number: int
    box: tuple[float, float, float, float]
    glyphs: list[Glyph] = field(default_factory=list)
    skewed: list[Glyph] = field(default_factory=list)
    rules: tuple[Rule, ...] = ()
    unknown: int = 0
    links: tuple[Link, ...] = ()


@dataclass(slots=True)
class Word:
    """Glyphs without a gap. `spaced`: a blank stood before it in the stream of the page."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    style: Style
    spaced: bool
    trailed: bool = False
    target: str = ""

    @property
    def top(self) -> float:
        return self.base - 0.75 * self.size

    @property
    def bottom(self) -> float:
        return self.base + 0.2 * self.size


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its place, its cells (spans resolved), and how many leading rows are headers."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: tuple[tuple[str, ...], ...]
    header: int = 1


@dataclass(slots=True)
class Segment:
    """Words of one line with no more than a blank between them, left to right; or a table."""

    words: list[Word]
    x0: float
    x1: float
    top: float
    bottom: float
    table: Table | None = None

    @property
    def size(self) -> float:
        return max((word.size for word in self.words), default=0.0)


Row = list[Segment]


@dataclass(frozen=True, slots=True)
class Region:
    """Rows of one column, from the top, and the column's edges."""

    rows: list[Row]
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one column as it is read.

    `start` and `end` are where it begins and ends along its writing direction (negative x for
    right to left), `left` and `right` the edges of its column likewise. `size` is that of most of
    its characters. `first` is the width of its first word, `inner` where the words after the mark
    of a list item start. `column` differs between columns. `trailed`: a blank stood at its end.
    `aside`: it is turned another way than the text of the page. `links` are words and targets.
    """

    text: str
    start: float
    end: float
    base: float
    size: float
    left: float
    right: float
    page: int
    column: int
    bold: bool = False
    mono: bool = False
    italic: bool = False
    first: float = 0.0
    inner: float = 0.0
    trailed: bool = False
    aside: bool = False
    links: tuple[tuple[str, str], ...] = ()


Item = Line | Table
