"""Where a text may be cut when nothing larger fits: at word ends, then between characters."""

from __future__ import annotations

import regex

_CLUSTER = regex.compile(r"\X")


def word_end(text: str, start: int, limit: int) -> int:
    """The furthest offset in (start, limit] where no word is cut.

    If one word fills the range, the furthest end of a whole character as a reader sees it
    (extended grapheme cluster, UAX #29), and if not even one of those fits, `limit` itself. East
    Asian text, which is written without spaces, may be cut before any of its letters.
    """
    limit = min(limit, len(text))
    cut = limit
    while cut > start and not _between_words(text, cut):
        cut -= 1
    if cut > start and not text[start:cut].isspace():
        return cut
    cut = start
    for cluster in _CLUSTER.finditer(text, start, min(len(text), limit + 1)):
        if cluster.end() > limit:
            break
        cut = cluster.end()
    return cut if cut > start else max(limit, start + 1)


def word_start(text: str, start: int, end: int) -> int:
    """The first offset in [start, end] where a word begins; `end` if none does."""
    for offset in range(start, end):
        if not text[offset].isspace() and _between_words(text, offset):
            return offset
    return end


def _between_words(text: str, offset: int) -> bool:
    if offset <= 0 or offset >= len(text):
        return True
    before, after = text[offset - 1], text[offset]
    return before.isspace() or after.isspace() or (_unspaced(after) and before != "\u200d")


def _unspaced(char: str) -> bool:
    """Whether `char` is a letter of Chinese or Japanese."""
    return (
        "\u3041" <= char <= "\u3096"
        or "\u30a1" <= char <= "\u30fa"
        or "\u3400" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or "\U00020000" <= char <= "\U0003ffff"
    )
