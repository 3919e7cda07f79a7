"""Text brought to a common form for comparing, with the way back to its characters."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from answerable.records.docs import Span
from answerable.text.recent import Recent

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_LINE_MARK = re.compile(
    r"(?m)^[ \t]*(?:>[ \t]?)*[ \t]*(?:#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t])?"
)
_RULE = re.compile(
    r"(?m)^[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?::?-{3,}:?)?[ \t]*$|^`{3,}.*$"
)
_DROPPED = frozenset("*_~`\\\u00ad\u200b\u200c\u200d\u2060\ufeff")
_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
        "|": " ",
    }
)


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` as folded; `at[i]` is the offset in the original of the i-th folded character."""

    text: str
    at: array[int]

    def span(self, start: int, end: int) -> Span:
        """The original characters behind folded characters `start` to `end`."""
        return Span(self.at[start], self.at[end - 1] + 1)


def fold_quote(quote: str) -> str:
    """A quote copied out of Markdown source without its link targets."""
    return _LINK.sub(r"\1", quote)


@Recent
def fold_spaces(text: str) -> Folded:
    """Every run of white space as one space."""
    return _folded(text, [], lambda char: " " if char.isspace() else char)


@Recent
def fold_marks(text: str) -> Folded:
    """Without Markdown's marks; NFKD and case folding; quotes and dashes plain; one space."""
    skipped = [found.span() for found in _RULE.finditer(text)]
    skipped += [found.span() for found in _LINE_MARK.finditer(text) if found.end() > found.start()]
    return _folded(text, sorted(skipped), _mark_form)


@Recent
def fold_words(text: str) -> Folded:
    """Letters and digits only (NFKD, case folded), whatever stands between them as one space."""
    return _folded(text, [], _word_form)


def _mark_form(char: str) -> str:
    if char in _DROPPED:
        return ""
    form = _plain(char).translate(_SAME)
    return " " if form.isspace() else form


def _word_form(char: str) -> str:
    form = _plain(char)
    return "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in form)


def _plain(char: str) -> str:
    form = unicodedata.normalize("NFKD", char.translate(_SAME))
    return unicodedata.normalize("NFKD", form.casefold())


def _folded(text: str, skipped: list[tuple[int, int]], form_of: Callable[[str], str]) -> Folded:
    """The forms of all characters but the skipped ones, each of which stretches is one space."""
    known = {char: form_of(char) for char in set(text)}
    every = [known[char] for char in text]
    forms: list[str] = []
    offsets: list[Iterable[int]] = []
    begin = 0
    for stop, resume in [*skipped, (len(text), len(text))]:
        forms += every[begin:stop]
        offsets.append(range(begin, stop))
        if resume > begin:
            forms.append(" ")
            offsets.append((min(stop, len(text) - 1),))
            begin = resume
    lengths = np.fromiter(map(len, forms), dtype=np.int64, count=len(forms))
    at = np.repeat(np.fromiter(chain.from_iterable(offsets), np.int32, len(forms)), lengths)
    codes = np.frombuffer("".join(forms).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    blank = codes == ord(" ")
    kept = ~(blank & np.append(True, blank[:-1])[: len(blank)])
    plain = codes[kept].tobytes().decode("utf-32-le", "surrogatepass")
    return Folded(plain, array("i", at[kept].tobytes()))
