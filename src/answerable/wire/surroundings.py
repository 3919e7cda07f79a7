"""What a page may know of the pages beside it in the same listing, and of the people there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape

from answerable.errors import AnswerableError, ServiceError
from answerable.ports import Entry, Listing, People, Source
from answerable.records.docs import NOBODY, NOTHING_KNOWN, Known, KnownPage

STORAGE = (".xhtml", ".xml")
_H1 = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.S | re.I)
_TAG = re.compile(r"<[^>]*>")


def surroundings(
    listings: Sequence[tuple[Source, Listing]], alone: Known = NOTHING_KNOWN
) -> Callable[[Entry], Known]:
    """For wiki pages: the other pages of the source by space and title, and who its users are.

    Pages that are listed with their title (meta `title`) are known by it, and a body is fetched
    only for a page that is shown within another. Files in storage format go by their first heading
    and their name, for which each is read. What else there is knows as much as `alone`.
    """
    holders = {
        entry.uri: (source, listing) for source, listing in listings for entry in listing.entries
    }
    known: dict[str, Mapping[str, Known]] = {}

    def of(entry: Entry) -> Known:
        if not (_is_titled(entry) or _is_file(entry)) or entry.uri not in holders:
            return alone
        source, listing = holders[entry.uri]
        if source.name not in known:
            known[source.name] = _known(source, listing, alone)
        return known[source.name].get(entry.uri, alone)

    return of


def _is_file(entry: Entry) -> bool:
    return entry.uri.lower().endswith(STORAGE)


def _is_titled(entry: Entry) -> bool:
    return entry.meta is not None and any(key == "title" for key, _ in entry.meta)


def _known(source: Source, listing: Listing, alone: Known) -> Mapping[str, Known]:
    """What each page of a listing knows: all pages, and which space is its own."""
    pages: dict[tuple[str, str], KnownPage] = {}
    spaces: dict[str, str] = {}
    entries = {entry.uri: entry for entry in listing.entries}
    for entry in listing.entries:
        page = _titled(entry) if _is_titled(entry) else _file(source, entry)
        if page is None:
            continue
        space, titles, found = page
        spaces[entry.uri] = space
        for title in titles:
            if title:
                pages.setdefault((space, title), found)
    around = replace(
        alone,
        pages=pages,
        users=_Names(source) if isinstance(source, People) else alone.users,
        body=lambda uri: _body(source, entries.get(uri)),
    )
    of_space = {space: replace(around, space=space) for space in spaces.values()}
    return {uri: of_space[space] for uri, space in spaces.items()}


def _titled(entry: Entry) -> tuple[str, Sequence[str], KnownPage]:
    meta = dict(entry.meta or ())
    page = KnownPage(entry.uri, entry.uri, NOBODY if entry.access is None else entry.access)
    return meta.get("space", ""), [meta["title"]], page


def _file(source: Source, entry: Entry) -> tuple[str, Sequence[str], KnownPage] | None:
    if not _is_file(entry):
        return None
    try:
        raw = source.fetch(entry)
    except AnswerableError:
        return None  # the page itself is reported when it is read
    meta = dict(raw.meta)
    stem = entry.uri.rsplit("/", 1)[-1].rpartition(".")[0]
    page = KnownPage(id=entry.uri, uri=entry.uri, access=raw.access, body=raw.body)
    return meta.get("space", ""), [meta.get("title", ""), _heading(raw.body), stem], page


def _body(source: Source, entry: Entry | None) -> bytes:
    if entry is None:
        return b""
    try:
        return source.fetch(entry).body
    except AnswerableError as fault:
        _pass_on(fault)
        return b""  # counted by the page that wanted it as an inclusion not followed


def _pass_on(fault: AnswerableError) -> None:
    """Raise what may pass: the page is read another time, and not for ever without these words."""
    if isinstance(fault, ServiceError) and fault.retryable:
        raise fault


def _heading(body: bytes) -> str:
    found = _H1.search(body.decode("utf-8", errors="replace"))
    return " ".join(unescape(_TAG.sub(" ", found[1])).split()) if found else ""


class _Names(Mapping[str, str]):
    """Display names by user id, asked of the source one at a time and remembered."""

    def __init__(self, source: People) -> None:
        self._source = source
        self._names: dict[str, str] = {}

    def __getitem__(self, user: str) -> str:
        if user not in self._names:
            try:
                self._names[user] = self._source.name_of(user)
            except AnswerableError as fault:
                _pass_on(fault)
                self._names[user] = ""
        if not self._names[user]:
            raise KeyError(user)
        return self._names[user]

    def __iter__(self) -> Iterator[str]:
        return iter([user for user, name in self._names.items() if name])

    def __len__(self) -> int:
        return len(list(iter(self)))
