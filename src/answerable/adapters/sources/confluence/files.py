"""Attachments and comments: documents of their own, read by those who may read their page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from answerable.adapters.sources.confluence.asking import Asking
from answerable.adapters.sources.confluence.by_id import SEARCH, batches, search_query
from answerable.adapters.sources.confluence.cql import all_clauses, among
from answerable.adapters.sources.confluence.pages import Page, page_of
from answerable.adapters.sources.confluence.paging import Walk, walk
from answerable.adapters.sources.media_types import settle

ATTACHMENTS, COMMENTS = "attachments", "comments"
_TYPES = {ATTACHMENTS: "attachment", COMMENTS: "comment"}
_EXPAND = "version,container,history"
_MOST_EACH = 50_000


@dataclass(frozen=True, slots=True)
class Part:
    """A file or comment of a page. `size` is in bytes, -1 where it is not told."""

    page: str
    content: Page
    kind: str
    size: int
    download: str

    @property
    def local(self) -> str:
        """Its place below the page in the source: stable over new versions."""
        last = self.content.title if self.kind == ATTACHMENTS else self.content.id
        return f"{self.page}/{self.kind}/{last}"

    @property
    def readable(self) -> bool:
        """Whether a parser reads it, told by its name."""
        return self.kind == COMMENTS or bool(settle(extension_of(self.content.title), b""))


def parts_of(
    asking: Asking, pages: Sequence[str], kind: str, limit: int
) -> Iterator[tuple[Walk, list[Part]]]:
    """The attachments or comments of pages, many pages at a time; ServiceError."""
    for batch in batches(pages):
        cql = all_clauses(among("type", [_TYPES[kind]]), among("container", batch))
        found = walk(asking.web, asking.site, SEARCH, search_query(cql, _EXPAND, limit), _MOST_EACH)
        parts = [part_of(one, kind) for one in found.results]
        yield found, [part for part in parts if part.page in batch]


def part_of(content: Mapping[str, Any], kind: str) -> Part:
    """A content of the REST API as a part of its page."""
    container, extensions, links = (
        found if isinstance(found, Mapping) else {}
        for found in (content.get(key) for key in ("container", "extensions", "_links"))
    )
    size = extensions.get("fileSize")
    page = page_of(content)
    return Part(
        page=str(container.get("id", "")),
        content=replace(page, title=page.title.replace("/", "_")) if kind == ATTACHMENTS else page,
        kind=kind,
        size=size if isinstance(size, int) else -1,
        download=str(links.get("download", "")),
    )


def download_place(part: Part, cloud: bool) -> str:
    """Where a file's bytes are, relative to the site."""
    if cloud or not part.download.startswith("/"):
        page, id = quote(part.page, ""), quote(part.content.id, "")
        return f"rest/api/content/{page}/child/attachment/{id}/download"
    return part.download


def extension_of(filename: str) -> str:
    """Lower-case, without its dot; '' if there is none."""
    stem, dot, extension = filename.rpartition(".")
    return extension.lower() if dot and stem else ""
