"""A golden item carried over an edit of the documents: kept, moved, or lost with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from answerable.errors import NotFound
from answerable.flow.locate import Names, Read
from answerable.measure.answers import normalise
from answerable.records.docs import Document, Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.index import IndexedDocument
from answerable.text.among import Among
from answerable.text.anchor import Anchor, find
from answerable.text.resemble import resembling

SIMILAR = 0.75
"""How much of a reworded place must be that of the quote (difflib's ratio in letters, 0..1)."""

AHEAD = 0.1
"""How much more alike it must be than any other place of its document."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of evidence after an edit.

    `state` is `kept`, `moved` (the words or the document changed; a person should look), `unsure`
    (a span without a quote, which cannot be verified) or `lost`; `similarity` is 1 where the
    quote stands as it was.
    """

    before: Evidence
    after: Evidence | None
    state: str
    why: str = ""
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Carried:
    """One item after an edit; `item` is None when no way of answering is left (quarantine).

    `lost` are ways of answering that went while another is left.
    """

    before: GoldenItem
    item: GoldenItem | None
    places: tuple[Place, ...]
    lost: tuple[tuple[Evidence, ...], ...] = ()

    @property
    def why(self) -> str:
        """Why evidence was lost, '' if none was."""
        return "; ".join(dict.fromkeys(p.why for p in self.places if p.state == "lost"))


class _Moved(NamedTuple):
    evidence: Evidence
    why: str
    similarity: float


class Carrier:
    """Finds the evidence of items in the documents as they are now."""

    def __init__(self, rows: Mapping[str, IndexedDocument], read: Read) -> None:
        self._rows = {row.uri: row for row in rows.values()}
        self._names = Names(self._rows)
        self._read = read
        self._texts: dict[str, Document] = {}
        self._among = Among(sorted(self._rows), self._document)

    def __call__(self, item: GoldenItem) -> Carried:
        """The item with its evidence where it now stands.

        A quote that is gone is looked for in its document by resemblance (at least `SIMILAR`, and
        `AHEAD` of the next place), then word for word in all others, where one place must have it.
        A reworded place that no longer holds any accepted answer which the quote held is lost.
        """
        places: list[Place] = []
        ways: list[tuple[Evidence, ...]] = []
        lost: list[tuple[Evidence, ...]] = []
        for way in (item.evidence, *item.alternatives):
            here = [self._place(one, item.answers) for one in way]
            places += here
            found = tuple(place.after for place in here if place.after is not None)
            if way:
                (ways if len(found) == len(way) else lost).append(
                    found if len(found) == len(way) else way
                )
        judged = [self._place(one, ()) for one in item.judged]
        places += judged
        if lost and not ways:
            return Carried(item, None, tuple(places), tuple(lost))
        carried = replace(
            item,
            evidence=ways[0] if ways else (),
            alternatives=tuple(ways[1:]),
            judged=tuple(place.after for place in judged if place.after is not None),
        )
        return Carried(item, carried, tuple(places), tuple(lost))

    def _place(self, one: Evidence, answers: Sequence[str]) -> Place:
        try:
            uri = self._names(one.document)
        except NotFound as fault:
            return self._elsewhere(one, "", fault.message)
        text = self._document(uri)
        if not one.quote:
            return _unquoted(one, text)
        anchor = find(text, one.quote)
        if anchor.spans:
            return _standing(one, anchor, text)
        moved = _reworded(one, text)
        if moved is None:
            return self._elsewhere(one, uri, f"the quote is not in {uri}")
        if gone := _answer_lost(one.quote, moved.evidence.quote, answers):
            why = f"{uri} was reworded and no longer says {gone!r}: {moved.evidence.quote}"
            return Place(one, None, "lost", why, moved.similarity)
        return Place(one, moved.evidence, "moved", moved.why, moved.similarity)

    def _elsewhere(self, one: Evidence, uri: str, why: str) -> Place:
        """The quote word for word in another document, if only one place has it."""
        if not one.quote:
            return Place(one, None, "lost", why)
        found: list[tuple[str, Anchor]] = []
        for other, anchor in self._among.find(one.quote):
            if other != uri:
                found.append((other, anchor))
                if len(found) > 1 or anchor.places > 1:
                    return Place(one, None, "lost", f"{why}, and several other places have it")
        if not found:
            return Place(one, None, "lost", why)
        other, anchor = found[0]
        span = anchor.spans[0] if one.span else None
        now = replace(one, document=other, span=span)
        return Place(one, now, "moved", f"it stands in {other} now", 1.0)

    def _document(self, uri: str) -> Document:
        if uri not in self._texts:
            row = self._rows[uri]
            self._texts[uri] = self._read(row.id, row.sha256)
        return self._texts[uri]


def states(carried: Sequence[Carried]) -> Iterator[tuple[str, int]]:
    """How many items are kept, moved, unsure and quarantined, in that order."""
    counts = {"kept": 0, "moved": 0, "unsure": 0, "quarantined": 0}
    for one in carried:
        there = {place.state for place in one.places}
        worst = next((state for state in ("moved", "unsure") if state in there), "kept")
        counts["quarantined" if one.item is None else worst] += 1
    yield from counts.items()


def _unquoted(one: Evidence, text: Document) -> Place:
    if one.span is None:
        return Place(one, one, "kept", similarity=1.0)
    if one.span.end > len(text.text):
        why = f"its span ends at {one.span.end:,}, {text.uri} at {len(text.text):,}"
        return Place(one, None, "lost", why)
    return Place(one, one, "unsure", "a span without a quote cannot be verified")


def _standing(one: Evidence, anchor: Anchor, text: Document) -> Place:
    """A quote that is there: where exactly, if a span says so."""
    place = one.span
    here = place is not None and text.text[place.start : place.end] == one.quote
    if place is None or here or place in anchor.spans:
        return Place(one, one, "kept", similarity=1.0)
    if anchor.places > 1:
        why = f"the quote stands {anchor.places} times in {text.uri}; its span named none of them"
        return Place(one, None, "lost", why)
    return Place(one, replace(one, span=anchor.spans[0]), "kept", similarity=1.0)


def _reworded(one: Evidence, text: Document) -> _Moved | None:
    near = resembling(text.text, one.quote)
    if not near or near[0].similarity < SIMILAR:
        return None
    if len(near) > 1 and near[0].similarity - near[1].similarity < AHEAD:
        return None
    span = _with_marks(text.text, near[0].span, one.quote)
    quote = text.text[span.start : span.end]
    # A quote that stands in several places needs its span to tell which.
    keep = one.span is not None or find(text, quote).places > 1
    now = replace(one, quote=quote, span=span if keep else None)
    return _Moved(now, f"reworded in {text.uri}", near[0].similarity)


def _with_marks(text: str, span: Span, quote: str) -> Span:
    """The span with the marks that the quote ended in, such as a full stop, if they are there."""
    words = quote.rstrip()
    bare = len(words)
    while bare and not words[bare - 1].isalnum():
        bare -= 1
    tail = words[bare:]
    return Span(span.start, span.end + len(tail)) if text.startswith(tail, span.end) else span


def _answer_lost(before: str, after: str, answers: Sequence[str]) -> str:
    """An accepted answer that stood in the quote, when none of the accepted stands in it now."""
    old, new = f" {normalise(before)} ", f" {normalise(after)} "
    known = [answer for answer in answers if normalise(answer)]
    held = [answer for answer in known if f" {normalise(answer)} " in old]
    if not held or any(f" {normalise(answer)} " in new for answer in known):
        return ""
    return held[0]
