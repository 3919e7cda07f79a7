"""Listing a web site: from its sitemap, list or first page to entries, refusals and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

from answerable.adapters.http.guard import Place, place_of
from answerable.adapters.http.redact import shareable
from answerable.adapters.sources.sitemap import Sitemap, shape_of, sitemap_of, unpacked
from answerable.adapters.sources.web_cache import Kept
from answerable.adapters.sources.web_reader import Reader, Refusal
from answerable.errors import ServiceError
from answerable.ports import Entry, Listing
from answerable.records.docs import NOBODY, Access
from answerable.records.index import Skipped

_MOST_SITEMAPS = 500
_ENOUGH = 10
"""So many failures in a row mean that the site is down."""
_EXPECTED = {"xml": "sitemap", "gz": "sitemap", "txt": "list"}


@dataclass(slots=True)
class Lister:
    """One listing under way.

    A page that is gone, forbidden by robots.txt or marked noindex is named by its URL and counts as
    not there; one that could not be read is named by its uri and stays as it was; one that now
    wants credentials stays, readable by nobody.
    """

    name: str
    url: str
    reader: Reader
    depth: int
    most: int
    since: str
    access: Access
    complete: bool = True
    pages: dict[str, tuple[Place, Kept, bool]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    queue: dict[str, tuple[Place, str]] = field(default_factory=dict)
    outside: dict[str, list[str]] = field(default_factory=dict)
    read: int = 0
    broken: int = 0

    def listed(self) -> tuple[Listing, Mapping[str, str]]:
        """The listing, and the URL of every uri."""
        self.reader.forget_rules()
        start = place_of(self.url)
        shape = self._begin(start)
        seen: set[str] = set()
        for level in range((self.depth if shape == "page" else 0) + 1):
            wave = {uri: at for uri, at in self.queue.items() if uri not in seen}
            seen.update(wave)
            self.queue.clear()
            for uri, (place, lastmod) in wave.items():
                if self.read >= self.most:
                    self._lose(f"more than {self.most} pages; `pages` sets the limit")
                    break
                self.read += 1
                self._read(uri, place, lastmod, follow=level < self.depth and shape == "page")
        listing = self._finished(shape)
        urls = {uri: place.url for uri, (place, _, _) in self.pages.items()}
        if listing.complete:
            self.reader.cache.forget_all_but(urls.values())
        return listing, urls

    def _begin(self, start: Place) -> str:
        """Queue what the URL of the source stands for, and say its shape."""
        rules = self.reader.robots(start)
        if not rules.allows(start.target):
            raise ServiceError(
                f"{start.shown}: its robots.txt forbids it",
                "ask the site's owner; robots = false reads a site of your own",
            )
        reply = self.reader.client.get(start.url)
        try:
            shape = shape_of(unpacked(reply.body))
        except Exception:  # a broken pack or tree raises what it likes
            shape = "sitemap"  # its fault is told when it is read
        ending = start.target.partition("?")[0].rpartition(".")[2].lower()
        expected = self.since or _EXPECTED.get(ending, shape)
        if ending == "txt" and shape == "page" and not reply.body.lstrip().startswith(b"<"):
            shape = expected
        if shape != expected:
            raise ServiceError(
                f"{start.shown}: a {expected} is expected and a {shape} was answered",
                "nothing is concluded from it; see the address in a browser, or remove the source",
                retryable=True,
            )
        if shape == "page":
            self._want(start.url, "")
            if rules.sitemaps and not self.depth:
                named = ", ".join(shareable(url) for url in rules.sitemaps[:3])
                self.notes.append(f"only this page is read; the site names its sitemap: {named}")
            return shape
        self._take(sitemap_of(reply.body), start, {start.url})
        return shape

    def _take(self, found: Sitemap, place: Place, seen: set[str]) -> None:
        """Queue the pages of a sitemap, and of those it names."""
        if found.fault:
            self._lose(f"{place.shown}: {found.fault}")
        for url, lastmod in found.pages:
            self._want(urljoin(place.url, url), lastmod)
        for url in found.sitemaps:
            whole = urljoin(place.url, url)
            if whole in seen:
                continue
            if len(seen) >= _MOST_SITEMAPS:
                self._lose(f"more than {_MOST_SITEMAPS} sitemaps")
                return
            seen.add(whole)
            try:
                further = place_of(whole)
                if why := self.reader.scope.why_outside(further):
                    self._lose(f"sitemap {further.shown}: {why}")
                    continue
                reply = self.reader.client.get(whole)
                self._take(sitemap_of(reply.body), further, seen)
            except ServiceError as fault:
                self._lose(fault.message)

    def _want(self, url: str, lastmod: str) -> None:
        try:
            place = place_of(url)
        except ServiceError as fault:
            self.skipped.append(Skipped(shareable(url)[:200], fault.message))
            return
        scope = self.reader.scope
        if scope.why_outside(place):
            self.outside.setdefault(place.host, []).append(place.url)
        elif scope.wants(place):
            self.queue.setdefault(scope.uri_of(self.name, place), (place, lastmod))

    def _read(self, uri: str, place: Place, lastmod: str, *, follow: bool) -> None:
        page = self._asked(place, lastmod)
        broken = isinstance(page, Refusal) and page.kind == "broken"
        self.broken = self.broken + 1 if broken else 0
        shown = shareable(place.url)
        if isinstance(page, Refusal):
            kept = self.reader.cache.get(place.url)
            if page.kind == "hidden" and kept:
                self.pages[uri] = (place, kept, True)
                self.notes.append(f"{shown}: {page.why}; nobody may read it until it is open again")
            else:
                self.skipped.append(Skipped(shown if page.kind == "gone" else uri, page.why))
                # What this page links to is not known now.
                self.complete = self.complete and (page.kind == "gone" or not follow)
            return
        if follow:
            self._follow(page)
        if page.noindex:
            self.skipped.append(Skipped(shown, "it asks not to be indexed (noindex)"))
        elif not page.media_type:
            self.skipped.append(Skipped(shown, "no parser for its type"))
        else:
            self.pages[uri] = (place, page, False)

    def _asked(self, place: Place, lastmod: str) -> Kept | Refusal:
        if self.broken >= _ENOUGH:
            return Refusal("broken", f"not asked for: the {_ENOUGH} pages before it failed")
        try:
            return self.reader.page(place.url, lastmod)
        except ServiceError as fault:
            return Refusal("broken", fault.message)

    def _follow(self, page: Kept) -> None:
        folder = place_of(self.url).target.partition("?")[0].rpartition("/")[0] + "/"
        for link in page.links:
            try:
                place = place_of(link)
            except ServiceError:
                continue
            if place.target.startswith(folder) and not self.reader.scope.why_outside(place):
                self._want(link, "")

    def _finished(self, shape: str) -> Listing:
        if not self.pages and (shape != "page" or self.depth):
            self._lose("no page of it could be read, so nothing is concluded")
        entries: dict[str, Entry] = {}
        by_link: dict[str, str] = {}
        # A page at the address that it names itself comes before its copies.
        ordered = sorted(self.pages, key=lambda uri: (self._link(uri) != self._shown(uri), uri))
        for uri in ordered:
            _, kept, hidden = self.pages[uri]
            link = self._link(uri)
            if link in by_link:
                self.skipped.append(Skipped(self._shown(uri), f"the same page as {by_link[link]}"))
                continue
            by_link[link] = uri
            entries[uri] = Entry(uri, kept.revision, link, NOBODY if hidden else self.access)
        for urls in self.outside.values():
            more = f" and {len(urls) - 1} more" if len(urls) > 1 else ""
            why = self.reader.scope.why_outside(place_of(urls[0]))
            self.skipped.append(Skipped(shareable(urls[0]) + more, why))
        return Listing(
            tuple(entries[uri] for uri in sorted(entries)),
            self.complete,
            tuple(sorted(set(self.skipped), key=lambda one: (one.uri, one.reason))),
            shape,
            tuple(self.notes),
        )

    def _link(self, uri: str) -> str:
        """Where a page says it is, if that is of this source; else where it was found."""
        kept = self.pages[uri][1]
        if kept.canonical:
            try:
                place = place_of(kept.canonical)
                if not self.reader.scope.why_outside(place):
                    return shareable(place.url)
            except ServiceError:
                pass
        return kept.found_at

    def _shown(self, uri: str) -> str:
        return shareable(self.pages[uri][0].url)

    def _lose(self, why: str) -> None:
        self.complete = False
        if why not in self.notes:
            self.notes.append(why)
