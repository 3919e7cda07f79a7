"""The places of a document that resemble a quote which is no longer in it word for word."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from difflib import SequenceMatcher

from answerable.records.docs import Span
from answerable.text.fold import Folded, fold_quote, fold_words

_SHORTEST = 12
_GRAM = 8
_GRAMS = 120
_REPEATS = 30
_PLACES = 4
_LONGEST = 4000
_END = re.compile(r"[.!?]\s|[。！？]")


@dataclass(frozen=True, slots=True)
class Resemblance:
    """A place and how much of it and the quote is the same: 2 * common / (both), 0..1, in letters
    and digits, whatever their case and the marks between them."""

    span: Span
    similarity: float


def resembling(text: str, quote: str) -> tuple[Resemblance, ...]:
    """Up to four places of `text` that are most like `quote`, the best first, none overlapping.

    Found by the quote's own runs of eight letters, then compared with difflib's ratio (Ratcliff &
    Metzener 1988). Quotes with fewer than 12 letters and digits resemble too much: none is given.
    """
    folded = fold_words(text)
    wanted = fold_words(fold_quote(quote)).text.strip()[:_LONGEST]
    if len(wanted) < _SHORTEST:
        return ()
    found: list[Resemblance] = []
    for begin in _begins(folded.text, wanted):
        place = _measured(text, folded, wanted, begin)
        if place and not any(place.span.overlaps(other.span) for other in found):
            found.append(place)
    return tuple(sorted(found, key=lambda place: (-place.similarity, place.span)))


def _begins(text: str, wanted: str) -> list[int]:
    """Where the quote would begin, by the votes of its grams; the most votes first."""
    # Scripts without spaces say more in fewer characters.
    gram = _GRAM if wanted.isascii() or wanted.count(" ") * 12 > len(wanted) else 3
    step = max(1, (len(wanted) - gram) // _GRAMS)
    votes: list[int] = []
    for offset in range(0, max(1, len(wanted) - gram + 1), step):
        piece = wanted[offset : offset + gram]
        at = text.find(piece)
        for _ in range(_REPEATS):
            if at < 0:
                break
            votes.append(at - offset)
            at = text.find(piece, at + 1)
    votes.sort()
    slack = _slack(wanted)
    best: list[int] = []
    left = votes
    while left and len(best) < _PLACES:
        counts = [bisect_left(left, vote + slack) - at for at, vote in enumerate(left)]
        first = max(range(len(left)), key=lambda at: counts[at])
        inside = left[first : first + counts[first]]
        best.append(inside[len(inside) // 2])
        left = [vote for vote in left if abs(vote - best[-1]) > slack]
    return best


def _measured(text: str, folded: Folded, wanted: str, begin: int) -> Resemblance | None:
    slack = _slack(wanted)
    start = max(0, begin - slack)
    window = folded.text[start : begin + len(wanted) + slack]
    blocks = [
        block
        for block in SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks()
        if block.size >= 3
    ]
    if not blocks:
        return None
    first, last = blocks[0], blocks[-1]
    # What the quote had outside its kept words is taken to have been replaced by as much.
    kept = Span(start + first.b, start + last.b + last.size)
    left, right = first.a, len(wanted) - last.a - last.size
    whole = _bounded(text, folded, kept, left, right)
    here = folded.text[whole.start : whole.end].strip()
    begin = folded.text.index(here, whole.start)
    ratio = SequenceMatcher(None, wanted, here, autojunk=False).ratio()
    return Resemblance(folded.span(begin, begin + len(here)), ratio)


def _bounded(text: str, folded: Folded, kept: Span, left: int, right: int) -> Span:
    """`kept` with so many characters more on either side, whole words, within its sentences."""
    start, end = kept.start, kept.end
    while start > 0 and (kept.start - start < left or not _between_words(folded.text, start)):
        if _ends(text[folded.at[start - 1] : folded.at[start]]):
            break
        start -= 1
    while end < len(folded.text) and (
        end - kept.end < right or not _between_words(folded.text, end)
    ):
        if _ends(text[folded.at[end - 1] : folded.at[end]]):
            break
        end += 1
    return Span(start, end)


def _ends(gap: str) -> bool:
    """Whether a sentence or a line ends in what stands between two folded characters."""
    return "\n" in gap or _END.search(gap) is not None


def _between_words(text: str, at: int) -> bool:
    """Whether no ASCII word is cut here; other scripts have no border to wait for."""
    around = text[max(0, at - 1) : at + 1]
    return " " in around or not around.isascii()


def _slack(wanted: str) -> int:
    return max(20, len(wanted) // 4)
