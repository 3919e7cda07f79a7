"""What a page may know of the pages beside it in the same listing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape

from answerable.errors import AnswerableError
from answerable.ports import Entry, Listing, Source
from answerable.records.docs import NOTHING_KNOWN, Known, KnownPage

STORAGE = (".xhtml", ".xml")
_H1 = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.S | re.I)
_TAG = re.compile(r"<[^>]*>")


def surroundings(
    listings: Sequence[tuple[Source, Listing]],
) -> Callable[[Entry], Known]:
    """For storage-format pages: the other storage pages of the source by space and title.

    A page goes by its title in the source (meta `title`), its first heading and its file's
    name. Other formats know nothing of their neighbours and need nothing.
    """
    holders = {
        entry.uri: (source, listing) for source, listing in listings for entry in listing.entries
    }
    known: dict[str, Mapping[str, Known]] = {}

    def of(entry: Entry) -> Known:
        if not _is_page(entry) or entry.uri not in holders:
            return NOTHING_KNOWN
        source, listing = holders[entry.uri]
        if source.name not in known:
            known[source.name] = _known(source, listing)
        return known[source.name].get(entry.uri, NOTHING_KNOWN)

    return of


def _is_page(entry: Entry) -> bool:
    return entry.uri.lower().endswith(STORAGE)


def _known(source: Source, listing: Listing) -> Mapping[str, Known]:
    """What each page of a listing knows: all pages, and which space is its own."""
    pages: dict[tuple[str, str], KnownPage] = {}
    spaces: dict[str, str] = {}
    for entry in listing.entries:
        if not _is_page(entry):
            continue
        try:
            raw = source.fetch(entry)
        except AnswerableError:
            continue  # the page itself is reported when it is read
        meta = dict(raw.meta)
        stem = entry.uri.rsplit("/", 1)[-1].rpartition(".")[0]
        page = KnownPage(id=entry.uri, uri=entry.uri, access=raw.access, body=raw.body)
        spaces[entry.uri] = meta.get("space", "")
        for title in (meta.get("title", ""), _heading(raw.body), stem):
            if title:
                pages.setdefault((spaces[entry.uri], title), page)
    of_space = {space: Known(space=space, pages=pages) for space in spaces.values()}
    return {uri: of_space[space] for uri, space in spaces.items()}


def _heading(body: bytes) -> str:
    found = _H1.search(body.decode("utf-8", errors="replace"))
    return " ".join(unescape(_TAG.sub(" ", found[1])).split()) if found else ""
