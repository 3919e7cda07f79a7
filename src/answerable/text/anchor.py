"""A quote to its place in a document, and a place carried over an edit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from answerable.records.docs import Document, Span
from answerable.text.fold import Folded, fold_marks, fold_quote, fold_spaces, fold_words

_MOST = 1000
_CONTEXT = 200
_LONGEST = 4000
_ALIKE = 0.6
_STEPS: tuple[tuple[str, Callable[[str], Folded], bool], ...] = (
    ("spaces", fold_spaces, False),
    ("marks", fold_marks, False),
    ("words", fold_words, True),
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a quote stands: `spans` in the canonical text, the best first.

    `how` is exact, spaces (white space differs), marks (also Markdown marks, case, typographic or
    composed characters), words (also punctuation), near (reworded: a person should look), or
    missing. `places` counts the places that match.
    """

    spans: tuple[Span, ...]
    how: str
    places: int

    @property
    def span(self) -> Span | None:
        """The best place, None if missing."""
        return self.spans[0] if self.spans else None


MISSING = Anchor((), "missing", 0)


def find(document: Document, quote: str) -> Anchor:
    """The places of `quote` in the document's text, by the strictest reading that finds any."""
    return _find(document.text, quote)


def reanchor(old_text: str, span: Span, document: Document) -> Anchor | None:
    """Where the words of `span` in `old_text` stand in the edited `document`; None if gone.

    Of several equal places the one with the most common context is first. Words that were edited
    themselves are found between their old neighbours, or by the longest run of words they kept,
    when at least 0.6 of them is the same (ratio of difflib).
    """
    quote, text = old_text[span.start : span.end], document.text
    if not quote.strip():
        return None
    anchor = _find(text, quote)
    if anchor.spans:
        before = old_text[max(0, span.start - _CONTEXT) : span.start]
        after = old_text[span.end : span.end + _CONTEXT]
        place = span.start / max(1, len(old_text))
        ranked = sorted(
            anchor.spans,
            key=lambda one: (
                -_alike_around(text, one, before, after),
                abs(one.start / max(1, len(text)) - place),
            ),
        )
        return Anchor(tuple(ranked), anchor.how, anchor.places)
    found = _between(old_text, span, text) or _by_kept_words(quote, text)
    return Anchor((found,), "near", 1) if found else None


def _find(text: str, quote: str) -> Anchor:
    wanted = quote.strip()
    if not wanted:
        return MISSING
    starts = _all(text, wanted)
    if starts:
        spans = tuple(Span(at, at + len(wanted)) for at in starts[:_MOST])
        return Anchor(spans, "exact", len(starts))
    for how, fold, whole in _STEPS:
        folded = fold(text)
        needle = fold(wanted if how == "spaces" else fold_quote(wanted)).text.strip()
        if not needle:
            continue
        starts = [
            at for at in _all(folded.text, needle) if not whole or _is_whole(folded, at, needle)
        ]
        if starts:
            spans = tuple(folded.span(at, at + len(needle)) for at in starts[:_MOST])
            return Anchor(spans, how, len(starts))
    return MISSING


def _all(text: str, wanted: str) -> list[int]:
    starts = []
    at = text.find(wanted)
    while at >= 0:
        starts.append(at)
        at = text.find(wanted, at + len(wanted))
    return starts


def _is_whole(folded: Folded, at: int, needle: str) -> bool:
    """Whether no Latin word is cut at either edge (scripts without spaces have no such edge)."""
    end = at + len(needle)
    left = at == 0 or not (folded.text[at - 1].isalnum() and needle[0].isascii())
    return left and not (
        end < len(folded.text) and folded.text[end].isalnum() and needle[-1].isascii()
    )


def _alike_around(text: str, span: Span, before: str, after: str) -> int:
    """How many characters next to `span` are those of the old context."""
    left = text[max(0, span.start - _CONTEXT) : span.start]
    right = text[span.end : span.end + _CONTEXT]
    return _common(left[::-1], before[::-1]) + _common(right, after)


def _common(one: str, two: str) -> int:
    for count, (a, b) in enumerate(zip(one, two, strict=False)):
        if a != b:
            return count
    return min(len(one), len(two))


def _between(old_text: str, span: Span, text: str) -> Span | None:
    """What stands now between the old neighbours, if it still resembles the old words."""
    quote = old_text[span.start : span.end]
    for width in (80, 40, 20):
        before = old_text[max(0, span.start - width) : span.start]
        after = old_text[span.end : span.end + width]
        start = 0
        if before.strip():
            at = text.find(before)
            if at < 0 or text.find(before, at + 1) >= 0:
                continue
            start = at + len(before)
        reach = start + 2 * len(quote) + width + 200
        end = text.find(after, start, reach) if after.strip() else len(text)
        if end < start or end > reach or not (before.strip() or after.strip()):
            continue
        found = _trim(text, start, end)
        if found and _ratio(quote, text[found.start : found.end]) >= _ALIKE:
            return found
    return None


def _by_kept_words(quote: str, text: str) -> Span | None:
    """The place with the most of the quote's runs of three words, if enough of it is alike."""
    folded = fold_words(text)
    wanted = fold_words(fold_quote(quote)).text.split()
    if len(wanted) < 4:
        return None
    votes = sorted(
        (at - len(" ".join(wanted[:place])), at)
        for place in range(0, len(wanted) - 2, max(1, len(wanted) // 60))
        for at in _all(folded.text, " ".join(wanted[place : place + 3]))[:20]
    )
    if not votes:
        return None
    length = len(" ".join(wanted))
    slack = max(20, length // 4)
    begins = [begin for begin, _ in votes]
    counts = [bisect_left(begins, begin + slack) - i for i, begin in enumerate(begins)]
    best = max(range(len(votes)), key=lambda i: counts[i])
    start = max(0, votes[best][0] - slack)
    window = folded.text[start : start + length + 3 * slack]
    return _kept(wanted, window, folded, start)


def _kept(wanted: Sequence[str], window: str, folded: Folded, start: int) -> Span | None:
    here = window.split(" ")
    matcher = SequenceMatcher(None, list(wanted)[:_LONGEST], here[:_LONGEST], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    same = sum(block.size for block in blocks)
    if not blocks or same < _ALIKE * len(wanted):
        return None
    first, last = blocks[0].b, blocks[-1].b + blocks[-1].size
    begin = start + len(" ".join(here[:first])) + (first > 0)
    return folded.span(begin, start + len(" ".join(here[:last])))


def _ratio(one: str, two: str) -> float:
    matcher = SequenceMatcher(None, one.split()[:_LONGEST], two.split()[:_LONGEST], autojunk=False)
    if len(one) <= 1000 and len(two) <= 2000:
        matcher = SequenceMatcher(None, one, two, autojunk=False)
    return matcher.ratio()


def _trim(text: str, start: int, end: int) -> Span | None:
    inner = text[start:end]
    if not inner.strip():
        return None
    return Span(start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip()))
