"""What an ingest must read, and what stays as it is, told from listings alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeVar

from answerable.ports import Entry, Listing, Source
from answerable.records.docs import Document, RawDoc, page_named
from answerable.records.index import IndexedDocument

Listable = TypeVar("Listable", IndexedDocument, RawDoc, Document)


@dataclass(frozen=True, slots=True)
class Plan:
    """Entries to read with their sources, rows that stay, and which uris are not as they were.

    `moved` also names those whose readers changed, and pages by their new names: what shows their
    text must be read again.
    """

    reading: tuple[tuple[Source, Entry], ...]
    staying: tuple[IndexedDocument, ...]
    moved: frozenset[str]


def plan(
    listings: Sequence[tuple[Source, Listing]],
    indexed: Mapping[str, IndexedDocument],
    lost: Set[str],
    *,
    rebuild: bool,
) -> Plan:
    """Read what is new, of another revision, or shows text of a page that is not as it was."""
    entries = [(source, entry) for source, listing in listings for entry in listing.entries]
    moved = set(lost)
    for _, entry in entries:
        old = indexed.get(entry.uri)
        if old is None or (old.revision, old.access) != (
            entry.revision,
            as_listed(old, entry).access,
        ):
            moved.add(entry.uri)
        if entry.meta is not None and (old is None or old.meta != entry.meta):
            named = dict(entry.meta)
            moved.add(page_named(named.get("space", ""), named.get("title", "")))
    reading: list[tuple[Source, Entry]] = []
    staying: list[IndexedDocument] = []
    for source, entry in entries:
        old = indexed.get(entry.uri)
        same = old is not None and old.revision == entry.revision and not rebuild
        if old is not None and same and not is_disturbed(old, moved):
            staying.append(as_listed(old, entry))
        else:
            reading.append((source, entry))
    return Plan(tuple(reading), tuple(staying), frozenset(moved))


def is_disturbed(row: IndexedDocument, moved: Set[str]) -> bool:
    """Whether a document shows text of others and they, or its own readers, are not as they were.

    What it shows is what all its readers may read, so new readers may not see what the old ones do.
    """
    return bool(row.includes) and not moved.isdisjoint((row.uri, *row.includes))


def as_listed(thing: Listable, entry: Entry) -> Listable:
    """A row or document with what its source says of it now: access, meta, link."""
    return replace(
        thing,
        access=thing.access if entry.access is None else entry.access,
        meta=thing.meta if entry.meta is None else entry.meta,
        link=entry.link or thing.link,
    )
