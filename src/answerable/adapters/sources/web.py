"""Pages of a web site as a source: those of a sitemap, of a list, or one and what it links to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from answerable.adapters.http.client import open_client
from answerable.adapters.http.credentials import NO_CREDENTIALS, Credentials, basic, bearer
from answerable.adapters.http.guard import place_of
from answerable.adapters.http.policy import RetryPolicy
from answerable.adapters.sources.around import Around
from answerable.adapters.sources.options import check_options, many, number, one, truth
from answerable.adapters.sources.web_cache import WebCache
from answerable.adapters.sources.web_list import Lister
from answerable.adapters.sources.web_reader import Reader, Scope
from answerable.errors import ConfigError
from answerable.ports import Entry, Listing
from answerable.records.docs import EVERYONE, Access, RawDoc

_OPTIONS = (
    "url", "hosts", "include", "exclude", "depth", "pages", "delay", "robots", "lastmod",
    "allow_private", "token_env", "user", "readers",
)  # fmt: skip
_SECRET = re.compile(
    r"(?:^|[_.-])(?:token|secret|passw\w*|pwd|api[_-]?key|auth|signature|sig|jwt|session(?:id)?)"
    r"(?:$|[_.-])|token$",
    re.I,
)
_POLICY = RetryPolicy(tries=4, longest=120.0, budget_seconds=300.0)
_PAGES, _DELAY = 5000, 1.0


@dataclass(frozen=True, slots=True)
class Web:
    """Pages under one URL, filling `ports.Source`.

    `url` is a sitemap (an index, or packed), a text with a URL a line, or a page; with `depth`
    more than 0 links are followed as many times, below the page's folder. The uri of a page is
    `name`/path?query, for another host of `hosts` `name`//host/path?query. Its revision is a hash
    of its bytes and type; what the server says of versions only saves sending them again.
    """

    name: str
    url: str
    reader: Reader = field(repr=False)
    depth: int = 0
    most: int = _PAGES
    since: str = ""
    access: Access = EVERYONE
    _urls: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def list(self) -> Listing:
        """All pages now; ServiceError when the site, its robots.txt or its list is not there."""
        lister = Lister(
            self.name, self.url, self.reader, self.depth, self.most, self.since, self.access
        )
        listing, urls = lister.listed()
        self._urls.clear()
        self._urls.update(urls)
        return listing

    def fetch(self, entry: Entry) -> RawDoc:
        """One page: as it was when it was listed, else as it is now."""
        if entry.uri not in self._urls:
            self._urls[entry.uri] = self.reader.scope.url_of(self.name, entry.uri)
        url = self._urls[entry.uri]
        kept, body = self.reader.kept_or_fresh(url, entry.revision, entry.uri)
        return RawDoc(
            uri=entry.uri,
            body=body,
            media_type=kept.media_type,
            revision=kept.revision,
            link=entry.link or kept.found_at,
            access=self.access,
        )


def options_of(target: str) -> dict[str, Any]:
    """The options that a URL stands for; ConfigError for one with a user or a secret in it."""
    if "@" in urlsplit(target).netloc:
        raise ConfigError(
            "a URL with a user or password in it would be stored and shown",
            "give the secret's name: --with token_env=NAME (basic: and --with user=USER)",
        )
    url = place_of(target).url
    for key, _ in parse_qsl(urlsplit(url).query):
        if _SECRET.search(key):
            raise ConfigError(
                f"the URL's parameter {key!r} looks like a secret, which would be stored and shown",
                "give the secret's name instead: --with token_env=NAME",
            )
    return {"url": url}


def make(name: str, options: Mapping[str, Any], around: Around) -> Web:
    """A web source of these options.

    `url`; `hosts`: further hosts whose pages are taken; `include`, `exclude`: globs over path and
    query; `depth` (0), `pages` (5000 at most), `delay` (1 second between requests); `robots`
    (true), `lastmod` (true: a page whose date in the sitemap did not change is asked for again
    only after 7 days); `allow_private`: the host of `url` may be of an inner network; `token_env`:
    the name of a secret, with `user` for basic authentication; `readers` (everyone).
    """
    check_options("web", options, _OPTIONS)
    place = place_of(one(options, "url"))
    scope = Scope(
        place.host,
        place.port,
        place.scheme,
        frozenset(host.lower() for host in many(options, "hosts")),
        many(options, "include"),
        many(options, "exclude"),
    )
    client = open_client(
        place.url,
        now=around.now,
        seconds=around.seconds,
        sleep=around.sleep,
        allow_private=truth(options, "allow_private"),
        credentials=_credentials(options, around),
        policy=_POLICY,
        pause=number(options, "delay", _DELAY),
    )
    reader = Reader(
        client,
        scope,
        WebCache(around.folder / "pages"),
        around.now,
        obeys=truth(options, "robots", True),
        trusts=truth(options, "lastmod", True),
    )
    readers = many(options, "readers")
    return Web(
        name,
        place.url,
        reader,
        int(number(options, "depth", 0)),
        int(number(options, "pages", _PAGES, 1)),
        around.since,
        Access(readers) if readers else EVERYONE,
    )


def _credentials(options: Mapping[str, Any], around: Around) -> Credentials:
    name, user = one(options, "token_env"), one(options, "user")
    if not name:
        if user:
            raise ConfigError(f"user = {user!r} without a secret", "give token_env = NAME as well")
        return NO_CREDENTIALS
    if one(options, "url").startswith("http:") and not truth(options, "allow_private"):
        raise ConfigError("a secret would cross the network in clear", "give an https url")
    secret, setting = around.secret(name), f"token_env = {name!r}"
    return basic(user, secret, setting) if user else bearer(secret, setting)
