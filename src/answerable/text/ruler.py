"""What sizes are counted in: words, characters or a model's tokens, and a text measured once."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

Spans = NDArray[np.int64]

_SPACES = np.array([chr(code).isspace() for code in range(0x3002)])
"""By code point; nothing above U+3000 is white space, so the last entry stands for the rest."""


_SHORT: Final = 400
_COUNTS: Final = 50_000
"""Counts of leads and lines are remembered: so many, of texts of at most so many characters."""


class Ruler(Protocol):
    """Counts units of text; `spans` are (n, 2) half-open character spans in order.

    `additive` says that units never reach over white space and white space itself counts
    nothing, so that counts of parts cut at white space add up exactly.
    """

    @property
    def unit(self) -> str: ...
    @property
    def additive(self) -> bool: ...
    def count(self, text: str) -> int: ...
    def spans(self, text: str) -> Spans: ...


@dataclass(frozen=True, slots=True)
class Words:
    """Runs of characters that are not white space."""

    unit: str = "words"
    additive: bool = True

    def count(self, text: str) -> int:
        return len(text.split())

    def spans(self, text: str) -> Spans:
        return word_spans(text)


@dataclass(frozen=True, slots=True)
class Characters:
    """Code points, white space included."""

    unit: str = "characters"
    additive: bool = False

    def count(self, text: str) -> int:
        return len(text)

    def spans(self, text: str) -> Spans:
        starts = np.arange(len(text), dtype=np.int64)
        return np.column_stack((starts, starts + 1))


@dataclass(frozen=True, slots=True)
class Tokens:
    """A model's tokens, by its own counting and span functions (special tokens left out).

    Set `additive` only for tokenizers that split at white space first and forget it (WordPiece).
    """

    count_of: Callable[[str], int]
    spans_of: Callable[[str], Spans]
    additive: bool = False
    unit: str = "tokens"

    def count(self, text: str) -> int:
        return self.count_of(text)

    def spans(self, text: str) -> Spans:
        return self.spans_of(text)


@dataclass(frozen=True, slots=True)
class Measured:
    """One text under one ruler; `starts` are the offsets where its units begin, in order.

    `additive` as in the ruler; with false every count is made anew.
    """

    text: str
    ruler: Ruler
    starts: Sequence[int]
    additive: bool
    costs: dict[str, int] = field(default_factory=dict)

    def between(self, start: int, end: int) -> int:
        """How many units begin in `text[start:end]`."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)

    def fit(self, start: int, budget: int) -> int:
        """The furthest end such that at most `budget` units begin in `text[start:end]`."""
        index = bisect_left(self.starts, start) + budget
        return self.starts[index] if index < len(self.starts) else len(self.text)

    def back(self, end: int, budget: int) -> int:
        """The earliest start such that at most `budget` units begin in `text[start:end]`."""
        index = bisect_left(self.starts, end) - budget
        if index <= 0:
            return 0
        if budget <= 0:
            return end
        start = self.starts[index]
        # Units may share a start (bytes of one character): all of them would count.
        return start if self.starts[index - 1] < start else start + 1

    def cost(self, lead: str) -> int:
        """Units of a lead with the line feed after it; 0 for none."""
        if not lead:
            return 0
        if lead not in self.costs:
            self.costs[lead] = self.ruler.count(lead + "\n")
        return self.costs[lead]

    def count(self, lead: str, start: int, end: int) -> int:
        """Units of the string that is searched: the lead, a line feed, `text[start:end]`."""
        if self.exact(start, end):
            low = bisect_left(self.starts, start)
            return self.cost(lead) + bisect_left(self.starts, end, low) - low
        piece = self.text[start:end]
        return self.ruler.count(f"{lead}\n{piece}" if lead else piece)

    def exact(self, start: int, end: int) -> bool:
        """Whether `between` is what counting `text[start:end]` alone would give."""
        return self.additive and self._edge(start) and self._edge(end)

    def _edge(self, offset: int) -> bool:
        text = self.text
        if offset <= 0 or offset >= len(text):
            return True
        before, after = text[offset - 1], text[offset]
        return before in " \n" or after in " \n" or _parts(before) or _parts(after)


class Remembering:
    """A ruler that measures a text once and answers from memory while texts repeat.

    Pass one to many cuttings of the same documents; it keeps the last texts, `characters` of them
    together (one of any length), and the counts of short ones.
    """

    def __init__(self, ruler: Ruler, characters: int = 1_000_000) -> None:
        self._ruler = ruler
        self._characters = characters
        self._held = 0
        self._measured: dict[str, Measured] = {}
        self._counts: dict[str, int] = {}
        self._guard = Lock()

    @property
    def unit(self) -> str:
        return self._ruler.unit

    @property
    def additive(self) -> bool:
        return self._ruler.additive

    def count(self, text: str) -> int:
        if len(text) > _SHORT:
            return self._ruler.count(text)
        known = self._counts.get(text)
        if known is None:
            if len(self._counts) >= _COUNTS:
                self._counts.clear()
            known = self._counts[text] = self._ruler.count(text)
        return known

    def spans(self, text: str) -> Spans:
        return self._ruler.spans(text)

    def measured(self, text: str) -> Measured:
        """The measure of `text`, from memory if it is among the last ones."""
        known = self._measured.get(text)
        if known is None:
            known = _measure(text, self._ruler)
            with self._guard:
                if text not in self._measured:
                    self._held += len(text)
                    self._measured[text] = known
                    while self._held > self._characters and len(self._measured) > 1:
                        oldest = next(iter(self._measured))
                        del self._measured[oldest]
                        self._held -= len(oldest)
        return known


def measured(text: str, ruler: Ruler) -> Measured:
    """`text` measured with `ruler` (from its memory, if it has one)."""
    return ruler.measured(text) if isinstance(ruler, Remembering) else _measure(text, ruler)


def word_spans(text: str) -> Spans:
    """(n, 2) character spans of the runs that are not white space."""
    if text.isascii():
        space = _SPACES[np.frombuffer(text.encode(), np.uint8)]
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        space = _SPACES[np.minimum(codes, 0x3001)]
    edges = np.flatnonzero(np.diff(space, prepend=True, append=True))
    return edges.reshape(-1, 2).astype(np.int64)


def _parts(char: str) -> bool:
    """Whether every ruler takes `char` for white space (WordPiece drops control characters)."""
    return char.isspace() and (char in " \n\t" or char > "\x85")


def _measure(text: str, ruler: Ruler) -> Measured:
    if isinstance(ruler, Characters):
        return Measured(text, ruler, range(len(text)), ruler.additive)
    starts = ruler.spans(text).reshape(-1, 2)[:, 0]
    kept = array("i", starts.astype(np.intc).tobytes())
    return Measured(text, ruler, kept, ruler.additive)
