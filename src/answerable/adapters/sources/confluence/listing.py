"""Everything within a source's boundary as it stands now, or what changed in it lately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from answerable.adapters.sources.confluence.asking import Asking
from answerable.adapters.sources.confluence.by_id import SEARCH, search_query
from answerable.adapters.sources.confluence.cql import all_clauses
from answerable.adapters.sources.confluence.files import ATTACHMENTS, COMMENTS, Part, parts_of
from answerable.adapters.sources.confluence.known import Known, keep_known, read_known
from answerable.adapters.sources.confluence.options import Options
from answerable.adapters.sources.confluence.pages import (
    LIGHT,
    Page,
    link_of,
    meta_of,
    page_of,
    revision_of,
)
from answerable.adapters.sources.confluence.paging import Walk, walk
from answerable.adapters.sources.confluence.rights import Rights
from answerable.adapters.sources.confluence.vanished import look_again
from answerable.adapters.sources.confluence.window import newest, since, zone_of
from answerable.errors import ServiceError
from answerable.ports import Entry, Listing
from answerable.records.docs import Access
from answerable.records.index import Skipped

LARGEST = 50 * 1024 * 1024
"""The largest attachment that is read, in bytes."""

_ORDER = " order by created asc"


@dataclass(slots=True)
class Lister:
    """One listing being made; `checkpoint` is that of the one before.

    `parts` are the attachments found, by their uris.
    """

    name: str
    options: Options
    asking: Asking
    rights: Rights
    folder: Path
    now: str
    checkpoint: str = ""
    parts: dict[str, Part] = field(default_factory=dict)
    _notes: list[str] = field(default_factory=list)
    _skipped: list[Skipped] = field(default_factory=list)
    _complete: bool = True

    def made(self) -> Listing:
        """The listing; ServiceError when nothing at all can be listed."""
        boundary = self._boundary()
        if not boundary:
            return Listing((), complete=False, notes=tuple(self._notes))
        lately = since(self.checkpoint, zone_of(self.options.zone)) if self.options.quick else ""
        found = self._walk(all_clauses(boundary, lately))
        contents: dict[str, Mapping[str, Any]] = {str(one["id"]): one for one in found.results}
        if lately:
            self._short(f"only what changed lately was listed ({lately}), deletions not looked for")
        # Not of the boundary as it is without spaces that are away: they may come back.
        whole = self.options.boundary(self.options.spaces)
        before = read_known(self.folder, self.options.url, whole).ids
        self._settle(contents, found, boundary, before)
        pages = [page_of(one) for one in contents.values()]
        pages.sort(key=_by_number)
        self.rights.learn(contents.values())
        self.rights.learn_ancestors(pages)
        accesses = {page.id: self._access(page) for page in pages}
        entries = [self._entry(page, accesses[page.id]) for page in pages]
        for kind, wanted in (
            (COMMENTS, self.options.comments),
            (ATTACHMENTS, self.options.attachments),
        ):
            if wanted:
                entries += self._parts(kind, {page.id: page for page in pages}, accesses)
        ids = frozenset(contents)
        known = Known(ids if self._complete else before | ids, self.rights.told)
        keep_known(self.folder, self.options.url, whole, known)
        self._notes += self.rights.notes
        return Listing(
            entries=tuple(entries),
            complete=self._complete,
            skipped=tuple(self._skipped),
            checkpoint=newest((page.when for page in pages), self.checkpoint),
            notes=tuple(self._notes),
        )

    def _boundary(self) -> str:
        """The CQL of the source without the spaces that are not there; '' if none of them is."""
        gone = self.rights.space_or_nobody(self.options.spaces)
        for key in gone:
            self._short(f"space {key} is not there, or not shown to this user: nothing of it goes")
        there = tuple(key for key in self.options.spaces if key not in gone)
        if gone and not there:
            return ""
        boundary = self.options.boundary(there)
        self._notes.insert(0, f"boundary: {boundary}")
        return boundary

    def _walk(self, cql: str) -> Walk:
        query = search_query(cql + _ORDER, LIGHT, self.options.page_size)
        found = walk(self.asking.web, self.asking.site, SEARCH, query, self.options.max_pages)
        if found.why:
            self._short(f"the listing is not whole, nothing is removed: {found.why}")
        return found

    def _settle(
        self,
        contents: dict[str, Mapping[str, Any]],
        found: Walk,
        boundary: str,
        before: frozenset[str],
    ) -> None:
        """Make sure that what is not listed any more is gone."""
        if not self._complete:
            return
        if before - contents.keys():
            missed = look_again(self.asking, before, contents, self.options, boundary)
            contents.update((str(one["id"]), one) for one in missed.contents)
            if missed.why:
                self._short(f"the listing cannot be trusted, nothing is removed: {missed.why}")
            elif missed.contents:
                self._notes.append(
                    f"pages that the site's search left out, asked for one by one: "
                    f"{len(missed.contents)}"
                )
        elif not before and found.total > len(found.results):
            self._short(
                f"the site speaks of {found.total:,} pages and listed {len(found.results):,}"
            )

    def _access(self, page: Page) -> Access:
        self.rights.space_or_nobody([page.space])
        return self.rights.access(page)

    def _entry(self, page: Page, access: Access) -> Entry:
        return Entry(
            uri=f"{self.name}/{page.id}",
            revision=revision_of(page, self.options.form, self.now),
            link=link_of(self.options.url, page.webui, page.id),
            access=access,
            meta=meta_of(page),
        )

    def _parts(
        self, kind: str, pages: Mapping[str, Page], accesses: Mapping[str, Access]
    ) -> Sequence[Entry]:
        entries: list[Entry] = []
        unread = 0
        try:
            for found, parts in parts_of(self.asking, list(pages), kind, self.options.page_size):
                if found.why:
                    self._short(f"the listing of {kind} is not whole: {found.why}")
                for part in parts:
                    uri = f"{self.name}/{part.local}"
                    if not part.readable:
                        unread += 1
                    elif part.size > LARGEST:
                        reason = f"larger than the limit: {part.size:,} bytes, limit {LARGEST:,}"
                        self._skipped.append(Skipped(uri, reason))
                    else:
                        self.parts[uri] = part
                        entries.append(self._part_entry(uri, part, pages, accesses))
        except ServiceError as fault:
            self._short(f"the listing of {kind} is not whole: {fault.message}")
        if unread:
            self._notes.append(f"{kind} that no parser reads: {unread}")
        return sorted(entries, key=lambda entry: entry.uri)

    def _part_entry(
        self, uri: str, part: Part, pages: Mapping[str, Page], accesses: Mapping[str, Access]
    ) -> Entry:
        page, content = pages[part.page], part.content
        meta = (
            ("title", content.title or f"Comment on {page.title}"),
            ("space", page.space),
            ("id", content.id),
            ("type", content.type),
            ("version", str(content.number)),
            ("page", page.id),
            *((("author", content.author),) if content.author else ()),
            *(("label", label) for label in page.labels),
        )
        return Entry(
            uri=uri,
            revision=revision_of(content, "", self.now),
            link=link_of(self.options.url, content.webui or page.webui, page.id),
            access=accesses[page.id],
            meta=meta,
        )

    def _short(self, why: str) -> None:
        self._complete = False
        self._notes.append(why)


def _by_number(page: Page) -> tuple[int, str]:
    return (int(page.id), "") if page.id.isdecimal() else (2**63, page.id)
