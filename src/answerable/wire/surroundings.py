"""What a page may know of the pages beside it in the same listing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from answerable.errors import AnswerableError
from answerable.ports import Entry, Listing, Source
from answerable.records.docs import NOTHING_KNOWN, Known, KnownPage

STORAGE = ".xhtml"


def surroundings(
    listings: Sequence[tuple[Source, Listing]],
) -> Callable[[Entry], Known]:
    """For storage-format pages: the other storage pages by title (their file name).

    Other formats know nothing of their neighbours and need nothing.
    """
    known: dict[str, Known] = {}

    def of(entry: Entry) -> Known:
        if not entry.uri.lower().endswith(STORAGE):
            return NOTHING_KNOWN
        for source, listing in listings:
            if entry in listing.entries:
                if source.name not in known:
                    known[source.name] = Known(pages=_pages(source, listing))
                return known[source.name]
        return NOTHING_KNOWN

    return of


def _pages(source: Source, listing: Listing) -> Mapping[tuple[str, str], KnownPage]:
    pages: dict[tuple[str, str], KnownPage] = {}
    for entry in listing.entries:
        if not entry.uri.lower().endswith(STORAGE):
            continue
        try:
            raw = source.fetch(entry)
        except AnswerableError:
            continue  # the page itself is reported when it is read
        meta = dict(raw.meta)
        title = meta.get("title") or entry.uri.rsplit("/", 1)[-1].removesuffix(STORAGE)
        page = KnownPage(id=entry.uri, uri=entry.uri, access=raw.access, body=raw.body)
        pages.setdefault((meta.get("space", ""), title), page)
    return pages
