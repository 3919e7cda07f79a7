"""One file that several sources hold: one document, the others named as skipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from answerable.ports import Listing, Source
from answerable.records.index import IndexedDocument, Skipped

Listings = list[tuple[Source, Listing]]


def without_repeats(
    listings: Sequence[tuple[Source, Listing]], staying: Iterable[IndexedDocument]
) -> tuple[Listings, list[Skipped]]:
    """The listings without what another source holds already, and those entries with why.

    Entries are the same document when their links are. What is indexed (`staying`: the rows that
    no listing has gone) keeps its document; else the source listed first has it. Links inside one
    folder are not looked at: there each name is a document.
    """
    listed = {
        entry.uri: (source.name, entry.link)
        for source, listing in listings
        for entry in listing.entries
    }
    holder: dict[str, tuple[str, str]] = {}
    for row in staying:
        held_by, link = listed.get(row.uri, (row.source, row.link))
        if link:
            holder.setdefault(link, (held_by, row.uri))
    kept: Listings = []
    skipped: list[Skipped] = []
    for source, listing in listings:
        entries = []
        for entry in listing.entries:
            name, uri = own = source.name, entry.uri
            if entry.link:
                name, uri = holder.setdefault(entry.link, own)
            if name == source.name:
                entries.append(entry)
            else:
                skipped.append(
                    Skipped(entry.uri, f"already indexed through source {name!r}, as {uri}")
                )
        kept.append((source, replace(listing, entries=tuple(entries))))
    return kept, skipped
