"""Running text to sentences, without cutting at abbreviations, ordinals or inside numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerable.grounding.abbreviations import (
    BEFORE_ORDINAL,
    MAY_END,
    NEVER_END,
    NUMBERED,
    STARTERS,
)
from answerable.records.docs import Span

# Closing quotes, brackets and citation marks stay with the sentence that they follow.
_CLOSE = r"""["'”’»)\]）］】」』]*(?:[ ]?[\[［【][\d,;\s–-]{1,20}[\]］】])*"""
_END = re.compile(rf"[.!?…]+{_CLOSE}(?=\s|$)|[。！？｡]+{_CLOSE}")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ALONE = re.compile(r"\s*(?:[-*+•‣◦]\s+|\d{1,3}[.)]\s+|#{1,6}\s|>\s|\|)")
_RULER = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
_MARK = re.compile(r"\s*(?:[-*+•‣◦]|\d{1,3}[.)]|#{1,6}|>)\s+")
_WORD = re.compile(r"(\S+)\s*$")
_OPENING = "\"'“„«(［（「『["


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of `text` in order, trimmed of white space.

    A list item, a table row and a line of fenced code are units of their own; an item's
    sentences are parted. Blank lines part paragraphs; a single line feed does not.
    """
    return tuple(_units(text))


def _units(text: str) -> Iterator[Span]:
    start = position = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            else:
                yield from _trimmed(text, position, end)
            start = end
        elif mark or not line.strip() or _ALONE.match(line):
            yield from _running(text, start, position)
            start = position
            if mark:
                fence, start = mark[1], end
            elif line.lstrip().startswith("|"):
                if not _RULER.fullmatch(line):
                    yield from _trimmed(text, position, end)
                start = end
            elif line.lstrip().startswith("#"):
                yield from _trimmed(text, position, end)
                start = end
        position = end
    if not fence:
        yield from _running(text, start, position)


def _running(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of one paragraph or list item."""
    marker = _MARK.match(text, start, end)
    start = begin = marker.end() if marker else start
    for match in _END.finditer(text, start, end):
        if match.start() > begin and _ends(text, start, match, end):
            yield from _trimmed(text, begin, match.end())
            begin = match.end()
    yield from _trimmed(text, begin, end)


def _ends(text: str, start: int, match: re.Match[str], end: int) -> bool:
    """Whether the mark really ends a sentence."""
    rest = text[match.end() : min(end, match.end() + 40)].lstrip().lstrip(_OPENING)
    if not rest or match[0][0] in "。！？｡":
        return True
    if rest[0].islower():
        return False
    if match[0][0] != "." or match[0].startswith(".."):
        return True
    found = _WORD.search(text, max(start, match.start() - 40), match.start())
    word = found[1].lstrip(_OPENING).casefold() if found else ""
    following = rest.split()[0].strip(".,;:!?").casefold()
    if word in NEVER_END or (word in NUMBERED and rest[0].isdigit()):
        return False
    if len(word) == 1 and word.isalpha():
        return following in STARTERS
    if word in MAY_END:
        return following in STARTERS
    if word.isdigit() and len(word) <= 2 and found:
        earlier = _WORD.search(text, max(start, found.start() - 20), found.start())
        return not (earlier and earlier[1].casefold() in BEFORE_ORDINAL)
    return True


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    if left < len(part):
        yield Span(start + left, start + len(part.rstrip()))
