"""One page of a web site: asked for politely, and only sent again when it changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from fnmatch import fnmatchcase

from answerable.adapters.http.client import Client, Reply
from answerable.adapters.http.exchange import AGENT
from answerable.adapters.http.guard import PORTS, Place, place_of
from answerable.adapters.http.redact import shareable
from answerable.adapters.sources.robots import ALL_ALLOWED, Robots, robots_of
from answerable.adapters.sources.web_cache import Kept, WebCache, revision_of
from answerable.adapters.sources.web_page import said
from answerable.errors import InputError, ServiceError

GONE = (404, 410)
HIDDEN = (401, 403)
RECHECK_DAYS = 7
_LONGEST_DELAY = 30.0
_NO_RULES = (*range(400, 429), *range(430, 500))


@dataclass(frozen=True, slots=True)
class Scope:
    """Which URLs belong to a source, and what their uris are."""

    host: str
    port: int
    scheme: str
    hosts: frozenset[str] = frozenset()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def why_outside(self, place: Place) -> str:
        """Why a page is not taken, '' when it is."""
        if not self._own(place) and place.host not in self.hosts:
            return f"on another host, {place.host}: give it as `hosts` to take its pages"
        return ""

    def wants(self, place: Place) -> bool:
        """Whether the globs let the page through: excluded ones count as not there."""
        path = place.target.lstrip("/")
        if any(fnmatchcase(path, glob) for glob in self.exclude):
            return False
        return not self.include or any(fnmatchcase(path, glob) for glob in self.include)

    def uri_of(self, name: str, place: Place) -> str:
        """The page's uri, without anything secret."""
        target = shareable(place.url).partition("://")[2].partition("/")[2]
        host = "" if self._own(place) else f"/{place.origin.partition('://')[2]}/"
        return f"{name}/{host}{target}"

    def url_of(self, name: str, uri: str) -> str:
        """The URL behind a uri; InputError when it is none of this source."""
        head, _, rest = uri.partition("/")
        if head != name or ".." in rest.split("/"):
            raise InputError(f"{uri}: not a page of {name}")
        own = Place(self.scheme, self.host, self.port, "/").url
        url = f"{self.scheme}:/{rest}" if rest.startswith("/") else own + rest
        try:
            place = place_of(url)
        except ServiceError as fault:
            raise InputError(f"{uri}: {fault.message}") from fault
        if why := self.why_outside(place):
            raise InputError(f"{uri}: {why}")
        return place.url

    def _own(self, place: Place) -> bool:
        ports = PORTS.values()
        same = place.port == self.port or (place.port in ports and self.port in ports)
        return place.host == self.host and same


@dataclass(frozen=True, slots=True)
class Refusal:
    """A page that is not to be had: `gone` (or forbidden by the site), `hidden`, or `broken`."""

    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pages of a scope, with what is kept of them."""

    client: Client
    scope: Scope
    cache: WebCache
    now: Callable[[], str]
    obeys: bool = True
    trusts: bool = True
    _robots: dict[str, Robots] = field(default_factory=dict, repr=False, compare=False)

    def robots(self, place: Place) -> Robots:
        """The rules of a page's host.

        No file means no rules; a site that cannot say is left alone (RFC 9309, 2.3.1).
        """
        if not self.obeys:
            return ALL_ALLOWED
        if place.origin not in self._robots:
            url = f"{place.origin}/robots.txt"
            try:
                reply = self.client.get(url, also=_NO_RULES)
            except ServiceError as fault:
                raise ServiceError(
                    f"{fault.message}: nothing of this host is read without its rules",
                    fault.hint or "try again later; robots = false reads a site of your own",
                    retryable=True,
                ) from None
            found = robots_of(reply.body, AGENT) if reply.status < 300 else ALL_ALLOWED
            self._robots[place.origin] = found
            self.client.slow_down(min(found.delay, _LONGEST_DELAY))
        return self._robots[place.origin]

    def forget_rules(self) -> None:
        """Ask for rules again."""
        self._robots.clear()

    def page(self, url: str, lastmod: str = "") -> Kept | Refusal:
        """A page as it is now, kept; or why it is not to be had."""
        place = place_of(url)
        if not self.robots(place).allows(place.target):
            return Refusal("gone", "its robots.txt forbids it")
        kept = self.cache.get(url)
        if kept and self._settled(url, kept, lastmod):
            return kept
        try:
            reply = self.client.get(url, headers=_conditions(kept), also=(304, *GONE, *HIDDEN))
        except ServiceError as fault:
            return Refusal("broken", fault.message)
        if reply.status in GONE:
            return Refusal("gone", f"answered {reply.status}")
        if reply.status in HIDDEN:
            return Refusal("hidden", f"answered {reply.status}: it wants credentials")
        if reply.status == 304 and kept:
            same = replace(kept, asked=self.now(), lastmod=lastmod)
            body = self.cache.body(url, kept.revision)
            if body is not None:
                self.cache.put(url, same, body)
                return same
            reply = self.client.get(url)
        return self._keep(url, reply, lastmod)

    def kept_or_fresh(self, url: str, revision: str, uri: str) -> tuple[Kept, bytes]:
        """What is kept of that revision, else the page of now; InputError or ServiceError."""
        kept = self.cache.get(url)
        body = self.cache.body(url, revision) if kept else None
        if kept and body is not None:
            return kept, body
        now = self.page(url)
        if isinstance(now, Refusal):
            if now.kind == "broken":
                raise ServiceError(f"{uri}: {now.why}", retryable=True)
            raise InputError(f"{uri}: {now.why}")
        body = self.cache.body(url, now.revision)
        if body is None:
            raise ServiceError(f"{uri}: what was fetched could not be kept", retryable=True)
        return now, body

    def _keep(self, url: str, reply: Reply, lastmod: str) -> Kept | Refusal:
        found = place_of(reply.url)
        if why := self.scope.why_outside(found):
            return Refusal("gone", f"it leads away: {why}")
        if not self.robots(found).allows(found.target):
            return Refusal("gone", f"it leads to {found.shown}, which robots.txt forbids")
        page = said(reply.url, reply.headers, reply.body, AGENT)
        kept = Kept(
            shareable(reply.url),
            revision_of(page.media_type, reply.body),
            self.now(),
            page.media_type,
            reply.headers.get("etag", ""),
            reply.headers.get("last-modified", ""),
            lastmod,
            page.noindex,
            shareable(page.canonical),
            tuple(link for link in page.links if shareable(link) == link),
        )
        self.cache.put(url, kept, reply.body)
        return kept

    def _settled(self, url: str, kept: Kept, lastmod: str) -> bool:
        """Whether the sitemap's word is enough: the same date as when the page was asked for."""
        if not (self.trusts and lastmod and kept.lastmod == lastmod):
            return False
        passed = datetime.fromisoformat(self.now()) - datetime.fromisoformat(kept.asked)
        whole = self.cache.body(url, kept.revision) is not None
        return whole and 0 <= passed.total_seconds() < RECHECK_DAYS * 86400


def _conditions(kept: Kept | None) -> dict[str, str]:
    if kept is None:
        return {}
    if kept.etag:
        return {"If-None-Match": kept.etag}
    return {"If-Modified-Since": kept.modified} if kept.modified else {}
