"""The places of a document that resemble a quote which is no longer in it word for word."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import accumulate

from answerable.records.docs import Span
from answerable.text.fold import Folded, fold_quote, fold_words
from answerable.text.grams import Grams
from answerable.text.recent import Recent

_SHORTEST = 12
_GRAM, _SHORT_GRAM = 8, 3
_GRAMS = 120
_SHARE = 20
_BY_LETTERS = 400
_REPEATS = 30
_PLACES = 4
_LONGEST = 4000
_WORD = re.compile(r"\S+\s*|\s+")
_END = re.compile(r"[.!?]\s|[。！？]")


@dataclass(frozen=True, slots=True)
class Resemblance:
    """A place and how much of it and the quote is the same: 2 * common / (both), 0..1, in letters
    and digits, whatever their case and the marks between them."""

    span: Span
    similarity: float


def resembling(text: str, quote: str) -> tuple[Resemblance, ...]:
    """Up to four places of `text` that are most like `quote`, the best first, none overlapping.

    Found by the quote's own runs of eight letters, of which one in twenty must stand there, then
    compared with difflib's ratio (Ratcliff & Metzener 1988); beyond 400 letters word by word.
    Quotes with fewer than 12 letters and digits resemble too much: none is given.
    """
    wanted = fold_words(fold_quote(quote)).text.strip()[:_LONGEST]
    if len(wanted) < _SHORTEST:
        return ()
    folded = fold_words(text)
    # Scripts without spaces say more in fewer characters.
    spaced = wanted.isascii() or wanted.count(" ") * 12 > len(wanted)
    grams = _words(text) if spaced else _characters(text)
    found: list[Resemblance] = []
    for begin in _begins(grams, wanted, _GRAM if spaced else _SHORT_GRAM):
        place = _measured(text, folded, wanted, begin)
        if place and not any(place.span.overlaps(other.span) for other in found):
            found.append(place)
    return tuple(sorted(found, key=lambda place: (-place.similarity, place.span)))


@Recent
def _words(text: str) -> Grams:
    return Grams(fold_words(text).text, _GRAM)


@Recent
def _characters(text: str) -> Grams:
    return Grams(fold_words(text).text, _SHORT_GRAM)


def _begins(grams: Grams, wanted: str, gram: int) -> list[int]:
    """Where the quote would begin, by the votes of its grams; the most votes first."""
    step = max(1, (len(wanted) - gram) // _GRAMS)
    offsets = range(0, max(1, len(wanted) - gram + 1), step)
    found = grams.places(wanted, offsets, _REPEATS)
    votes = [
        at - at_quote for at_quote, places in zip(offsets, found, strict=True) for at in places
    ]
    least = 1 + len(offsets) // _SHARE
    votes.sort()
    slack = _slack(wanted)
    best: list[int] = []
    left = votes
    while left and len(best) < _PLACES:
        counts = [bisect_left(left, vote + slack) - at for at, vote in enumerate(left)]
        first = max(range(len(left)), key=lambda at: counts[at])
        if counts[first] < least:
            break
        inside = left[first : first + counts[first]]
        best.append(inside[len(inside) // 2])
        left = [vote for vote in left if abs(vote - best[-1]) > slack]
    return best


def _measured(text: str, folded: Folded, wanted: str, begin: int) -> Resemblance | None:
    slack = _slack(wanted)
    start = max(0, begin - slack)
    window = folded.text[start : begin + len(wanted) + slack]
    blocks = [block for block in _common(wanted, window) if block.size >= 3]
    if not blocks:
        return None
    first, last = blocks[0], blocks[-1]
    # What the quote had outside its kept words is taken to have been replaced by as much.
    kept = Span(start + first.b, start + last.b + last.size)
    left, right = first.a, len(wanted) - last.a - last.size
    whole = _bounded(text, folded, kept, left, right)
    here = folded.text[whole.start : whole.end].strip()
    begin = folded.text.index(here, whole.start)
    same = sum(block.size for block in _common(wanted, here))
    ratio = 2 * same / (len(wanted) + len(here))
    return Resemblance(folded.span(begin, begin + len(here)), ratio)


def _common(one: str, other: str) -> list[Match]:
    """What two texts have in common, in order; of long ones whole words and what parts them."""
    if len(one) <= _BY_LETTERS or one.count(" ") * 12 < len(one):
        return SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    ours, theirs = _WORD.findall(one), _WORD.findall(other)
    here, there = (list(accumulate(map(len, words), initial=0)) for words in (ours, theirs))
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    return [
        Match(here[block.a], there[block.b], here[block.a + block.size] - here[block.a])
        for block in matcher.get_matching_blocks()
    ]


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
