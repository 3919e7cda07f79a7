"""A golden set looked over before anything is measured with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from answerable.errors import NotFound
from answerable.flow.alike import alike, plain
from answerable.flow.locate import Names, Read
from answerable.measure.power import detectable_share
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.index import IndexedDocument
from answerable.text.anchor import Anchor, find

HELD_APART = frozenset(
    ("train", "training", "tune", "dev", "development", "valid", "validation", "test", "held-out")
)
"""Names of groups that must not share questions or evidence; other groups are topics."""

NEAR = 20
"""Near duplicates that are looked for of one question."""

MOVED = (0.1, 0.2)
"""Shares of questions that move between two arms, for which the detectable difference is told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about an item; an `error` makes its measurement wrong, a `warning` may.

    `kind` is one of: unreadable, document, quote, repeated, loose, moved, span, no_evidence, id,
    duplicate, contradiction, near_duplicate, leak.
    """

    level: str
    kind: str
    item_id: str
    what: str


def check_items(
    items: Sequence[GoldenItem], located: Sequence[GoldenItem] = ()
) -> tuple[Finding, ...]:
    """What can be seen without the documents: ids, questions, evidence, leaks between groups.

    `located` are the same items with their places found: they show one place under two quotes.
    """
    placed = located or items
    return (*_each(items), *_doubles(placed), *leaks(_halves(placed)))


def check_places(
    items: Iterable[GoldenItem], rows: Mapping[str, IndexedDocument], read: Read
) -> Iterator[Finding]:
    """Evidence that is not where it says: each quote stands once, or its span names one."""
    names = Names(row.uri for row in rows.values())
    ids = {row.uri: row for row in rows.values()}
    for item in items:
        for one in _places(item):
            try:
                row = ids[names(one.document)]
                text = read(row.id, row.sha256)
            except NotFound as fault:
                yield Finding("error", "document", item.id, fault.message)
                continue
            place = one.span
            if place is not None and place.end > len(text.text):
                what = f"its span ends at {place.end:,}, {row.uri} at {len(text.text):,}"
                yield Finding("error", "span", item.id, what)
            elif not one.quote or (place and text.text[place.start : place.end] == one.quote):
                continue
            else:
                yield from _quoted(item.id, one, find(text, one.quote), row.uri)


def leaks(halves: Mapping[str, Sequence[GoldenItem]]) -> Iterator[Finding]:
    """Questions and places of evidence that stand in more than one of the named halves.

    A whole document that both halves mark is no leak: collections share documents.
    """
    asked: dict[str, tuple[str, str]] = {}
    placed: dict[tuple[str, object], tuple[str, str]] = {}
    for half, items in halves.items():
        for item in items:
            where, first = asked.setdefault(plain(item.question), (half, item.id))
            if where != half:
                what = f"the question is also {first!r} of {where!r}: {item.question}"
                yield Finding("error", "leak", item.id, what)
            for key, one in _keys(item):
                where, first = placed.setdefault(key, (half, item.id))
                if where != half:
                    words = shortened(one.quote) or f"a span of {one.document}"
                    what = f"its evidence is also that of {first!r} of {where!r}: {words}"
                    yield Finding("error", "leak", item.id, what)


def detects(questions: int) -> tuple[tuple[float, float | None], ...]:
    """Pairs of a share of moved questions and the difference that n questions then show."""
    return tuple((moved, detectable_share(questions, moved)) for moved in MOVED)


def _each(items: Iterable[GoldenItem]) -> Iterator[Finding]:
    for item in items:
        if item.id.split() != [item.id]:
            what = f"the id {item.id!r} has white space and cannot stand in a TREC file"
            yield Finding("warning", "id", item.id, what)
        if item.answerable and not item.evidence and not item.alternatives:
            yield Finding("warning", "no_evidence", item.id, "it has no evidence")
        if not item.answerable and item.answers:
            yield Finding("error", "contradiction", item.id, "not answerable and yet has answers")


def _doubles(items: Sequence[GoldenItem]) -> Iterator[Finding]:
    same: dict[str, GoldenItem] = {}
    kept: list[GoldenItem] = []
    for item in items:
        other = same.setdefault(plain(item.question), item)
        if other is item:
            kept.append(item)
        elif other.answerable != item.answerable:
            what = f"the question of {other.id!r}, which is marked the other way: {item.question}"
            yield Finding("error", "contradiction", item.id, what)
        elif {key for key, _ in _keys(item)} & {key for key, _ in _keys(other)}:
            what = f"the question and evidence of {other.id!r}: {item.question}"
            yield Finding("error", "duplicate", item.id, what)
        else:
            what = f"the question of {other.id!r}, with other evidence: {item.question}"
            yield Finding("warning", "duplicate", item.id, what)
    near: dict[int, list[tuple[float, int]]] = {}
    for first, second, share in alike([item.question for item in kept], most=NEAR):
        near.setdefault(second, []).append((-share, first))
    for second, others in near.items():
        share, first = min(others)
        rest = f"{len(others) - 1}{' or more' if len(others) == NEAR else ''}"
        more = f" and {rest} others" if len(others) > 1 else ""
        what = (
            f"nearly the question of {kept[first].id!r}{more} ({-share:.0%} of letter triples): "
            f"{kept[second].question} / {kept[first].question}"
        )
        yield Finding("warning", "near_duplicate", kept[second].id, what)


def _halves(items: Iterable[GoldenItem]) -> Mapping[str, list[GoldenItem]]:
    halves: dict[str, list[GoldenItem]] = {}
    for item in items:
        if item.group.casefold() in HELD_APART:
            halves.setdefault(item.group, []).append(item)
    return halves


def _quoted(item_id: str, one: Evidence, anchor: Anchor, uri: str) -> Iterator[Finding]:
    """What is wrong with a quote that is not at its span, or has none."""
    quote = shortened(one.quote)
    if not anchor.spans:
        yield Finding("error", "quote", item_id, f"the quote is not in {uri}: {quote}")
        return
    if one.span in anchor.spans:
        return
    if anchor.places > 1:
        unnamed = "and no span names one" if one.span is None else "and its span names none of them"
        what = f"the quote stands {anchor.places} times in {uri}, {unnamed}: {quote}"
        yield Finding("error", "repeated", item_id, what)
    elif one.span is not None:
        at = anchor.spans[0].start
        what = f"the quote stands at {at:,}, not at {one.span.start:,} of {uri}: {quote}"
        yield Finding("warning", "moved", item_id, what)
    if anchor.how != "exact":
        what = f"the quote stands in {uri} only with other {anchor.how}: {quote}"
        yield Finding("warning", "loose", item_id, what)


def shortened(text: str, most: int = 80) -> str:
    """A text on one line, cut with an ellipsis beyond `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _places(item: GoldenItem) -> Iterator[Evidence]:
    for way in (item.evidence, *item.alternatives, item.judged):
        yield from way


def _keys(item: GoldenItem) -> Iterator[tuple[tuple[str, object], Evidence]]:
    for way in (item.evidence, *item.alternatives):
        for one in way:
            if one.quote or one.span:
                yield (one.document, one.span or plain(one.quote)), one
