"""Lines joined to running text: words that a line end divides are made whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from answerable.text.parsers.pdf.page import Line

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*")
_END = re.compile(r"((?:[^\W\d_]+-)*)([^\W\d_]+)[-‐\u00ad]$")
_BEGIN = re.compile(r"([^\W\d_]+)((?:-[^\W\d_]+)*)")
_SUSPENDED = frozenset(("and", "or", "to", "und", "oder", "bzw", "bis", "et", "ou", "y", "o", "e"))
_SHORT, _LONGEST = 3, 80


def _wide(char: str) -> bool:
    """Scripts that are written without blanks: kana, Han and their punctuation."""
    return "\u2e80" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"


def _hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"


class Joiner:
    """Joins the lines of one document; what it saw unbroken decides about hyphens.

    A hyphen at a line end is dropped unless the document has the word with its hyphen elsewhere
    and not without; or has both parts as words of their own and the whole nowhere (`read-only`);
    or it stands after another hyphen of the same word, before a capital or a figure, or before a
    word such as `and` (`pre- and postwar`). A soft hyphen is always dropped.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self._words: Counter[str] = Counter()
        hangul = trailed = 0
        for line in lines:
            text = line.text
            found = [token.lower() for token in _TOKEN.findall(text)]
            # The ends of a line may be halves of words.
            if found and text[-1:] in "-‐\u00ad":
                found.pop()
            self._words.update(found)
            if text and _hangul(text[-1]):
                hangul += 1
                trailed += line.trailed
        # Where some lines end in a blank, those without one end inside a word.
        self._closed = 0.05 * hangul < trailed < hangul

    def joined(self, lines: Sequence[Line], breaks: Sequence[bool] = ()) -> str:
        """The text of the lines; a line feed stays after those whose number `breaks` marks."""
        parts: list[str] = []
        for number, line in enumerate(lines):
            text = line.text
            if number:
                self._add(parts, text, lines[number - 1], bool(breaks) and breaks[number - 1])
            else:
                parts.append(text)
        return "".join(parts).replace("\u00ad", "")

    def cell(self, text: str) -> str:
        """The text of a table's cell, given with a line feed after each line."""
        parts: list[str] = []
        for number, words in enumerate(text.split("\n")):
            if number:
                self._add(parts, words, None, False)
            else:
                parts.append(words)
        return "".join(parts).replace("\u00ad", "")

    def _add(self, parts: list[str], text: str, last: Line | None, broken: bool) -> None:
        before = parts[-1]
        if broken:
            parts.append("\n")
        elif before[-1:] in ("-", "‐", "\u00ad"):
            if self._divided(before, text):
                parts[-1] = before[:-1]
            elif before[-2:-1].isspace() or len(before) < 2 or self._suspends(text):
                parts.append(" ")
        elif not (
            (before[-1:] in ("–", "—", "/") and not before[-2:-1].isspace())
            or (_wide(before[-1:]) and _wide(text[:1]))
            or self._inside(before, text, last)
        ):
            parts.append(" ")
        parts.append(text)

    def _inside(self, before: str, text: str, last: Line | None) -> bool:
        """Whether a Korean line ends inside a word, as far as the document's blanks tell."""
        trailed = last is None or last.trailed
        return self._closed and not trailed and _hangul(before[-1:]) and _hangul(text[:1])

    @staticmethod
    def _suspends(text: str) -> bool:
        begun = _BEGIN.match(text[:_LONGEST])
        return begun is not None and begun.group(0).lower() in _SUSPENDED

    def _divided(self, before: str, text: str) -> bool:
        """Whether the hyphen at the end of `before` only divides a word."""
        ended, begun = _END.search(before[-_LONGEST:]), _BEGIN.match(text[:_LONGEST])
        if before.endswith("\u00ad"):
            return True
        if not ended or not begun or self._suspends(text):
            return False
        front, half, rest = ended.group(1), ended.group(2), begun.group(1)
        capitals = half.isupper() and rest.isupper() and len(rest) > 1
        if not rest[0].islower() and not capitals:
            return False
        seen = self._words[(half + rest).lower()]
        kept = self._words[f"{half}-{rest}".lower()]
        if seen or kept:
            return seen >= kept
        if front or (half.isupper() and not capitals):
            return False
        return not (
            min(len(half), len(rest)) >= _SHORT
            and self._words[half.lower()]
            and self._words[rest.lower()]
        )
