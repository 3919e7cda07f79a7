"""A Confluence site, or the part of one within a boundary, as a source of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from answerable.adapters.http.client import Client, open_client
from answerable.adapters.http.credentials import NO_CREDENTIALS, Credentials, basic, bearer
from answerable.adapters.sources.around import Around
from answerable.adapters.sources.confluence import cloud, datacenter
from answerable.adapters.sources.confluence.asking import Asking
from answerable.adapters.sources.confluence.bodies import Bodies
from answerable.adapters.sources.confluence.files import (
    ATTACHMENTS,
    COMMENTS,
    Part,
    download_place,
    extension_of,
    parts_of,
)
from answerable.adapters.sources.confluence.known import read_known
from answerable.adapters.sources.confluence.listing import Lister
from answerable.adapters.sources.confluence.options import Options, options_of, read_options
from answerable.adapters.sources.confluence.pages import (
    LIGHT,
    link_of,
    meta_of,
    page_of,
    version_in,
)
from answerable.adapters.sources.confluence.paging import follow
from answerable.adapters.sources.confluence.rights import Rights
from answerable.adapters.sources.confluence.texts import text_of
from answerable.adapters.sources.confluence.users import Users
from answerable.adapters.sources.media_types import settle
from answerable.errors import InputError, ServiceError
from answerable.ports import Entry, Listing
from answerable.records.docs import Access, RawDoc

__all__ = ["Confluence", "make", "options_of"]

_DEPLOYMENTS: Mapping[str, ModuleType] = {"cloud": cloud, "datacenter": datacenter}


@dataclass(frozen=True, slots=True)
class Confluence:
    """Pages within a boundary, filling `ports.Source`, `ports.Ahead` and `ports.People`.

    The uri of a page is `name`/ID, of a comment `name`/ID/comments/ID, of an attachment
    `name`/ID/attachments/FILENAME. `client` asks the site that `options` names.
    """

    name: str
    options: Options
    around: Around = field(repr=False, compare=False)
    client: Client = field(repr=False, compare=False)
    _asking: Asking = field(init=False, repr=False, compare=False)
    _bodies: Bodies = field(init=False, repr=False, compare=False)
    _users: Users = field(init=False, repr=False, compare=False)
    _parts: dict[str, Part] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asking = Asking(self.client, self.options.url)
        object.__setattr__(self, "_asking", asking)
        object.__setattr__(self, "_bodies", Bodies(asking))
        object.__setattr__(self, "_users", Users(asking, self._deployment.user_queries))

    def list(self) -> Listing:
        """All within the boundary now; ServiceError when nothing at all can be listed.

        A listing that broke off, went in circles or cannot be trusted is not complete, and its
        notes say why.
        """
        lister = Lister(
            name=self.name,
            options=self.options,
            asking=self._asking,
            rights=self._rights(),
            folder=self.around.folder,
            now=self.around.now(),
            checkpoint=self.around.since,
        )
        listing = lister.made()
        self._parts.clear()
        self._parts.update(lister.parts)
        return listing

    def expect(self, entries: Sequence[Entry]) -> None:
        """Pages and comments among these are fetched many at a time."""
        kinds = [self._split(entry.uri) for entry in entries]
        self._bodies.expect(
            [last if kind else page for page, kind, last in kinds if kind != ATTACHMENTS]
        )

    def fetch(self, entry: Entry) -> RawDoc:
        """A page, comment or attachment; InputError or ServiceError for this one document.

        What changed since it was listed is handed over as what was listed, so that the next
        listing finds it changed; if its readers may have changed too, it is left to the next time.
        """
        page, kind, last = self._split(entry.uri)
        if kind == ATTACHMENTS:
            return self._attachment(entry, page)
        content = self._bodies.content(last if kind else page)
        self._compare(entry, page, page_of(content).number)
        shown = None if kind else self.options.shown
        text = text_of(content, self._bodies, shown, entry.uri)
        return self._handed(entry, page, text.body, text.media_type)

    def name_of(self, user: str) -> str:
        """The display name of an account id, user key or user name, '' when it is not known."""
        return self._users.name_of(user)

    @property
    def _deployment(self) -> ModuleType:
        return _DEPLOYMENTS[self.options.deployment]

    def _rights(self) -> Rights:
        options = self.options
        told = read_known(self.around.folder, options.url, options.boundary(options.spaces)).told
        return Rights(self._asking, self._deployment.space_readers, options.readers, told)

    def _split(self, uri: str) -> tuple[str, str, str]:
        """Page id, kind of part ('' for the page itself) and the part's own name."""
        page, _, rest = uri.removeprefix(f"{self.name}/").partition("/")
        kind, _, last = rest.partition("/")
        known = not rest or (kind in (ATTACHMENTS, COMMENTS) and bool(last))
        if not uri.startswith(f"{self.name}/") or not page.isalnum() or not known:
            raise InputError(f"{uri}: no page, comment or attachment of source {self.name!r}")
        return page, kind, last

    def _compare(self, entry: Entry, page: str, fetched: int) -> None:
        """ServiceError where the text fetched must not go under what was listed."""
        listed = version_in(entry.revision)
        if not listed or not fetched or fetched == listed:
            return
        if fetched < listed:
            raise ServiceError(
                f"{entry.uri}: listed as version {listed}, the site gave version {fetched}",
                "the next sync reads it",
                retryable=True,
            )
        if entry.access is not None and self._access_now(page) != entry.access:
            raise ServiceError(
                f"{entry.uri}: its text and its readers changed while it was read",
                "the next sync reads it",
                retryable=True,
            )

    def _access_now(self, page: str) -> Access:
        content = self._bodies.one(page, LIGHT)
        rights = self._rights()
        found = page_of(content)
        rights.learn([content])
        rights.learn_ancestors([found])
        rights.space_or_nobody([found.space])
        return rights.access(found)

    def _handed(self, entry: Entry, page: str, body: bytes, media_type: str) -> RawDoc:
        """A document as listed; what its entry does not say is as its page says now."""
        link, access, meta = entry.link, entry.access, entry.meta
        if access is None or meta is None:
            found = page_of(self._bodies.one(page, LIGHT))
            link = link or link_of(self.options.url, found.webui, found.id)
            access = self._access_now(page) if access is None else access
            meta = meta_of(found) if meta is None else meta
        return RawDoc(entry.uri, body, media_type, entry.revision, link, access, meta)

    def _attachment(self, entry: Entry, page: str) -> RawDoc:
        part = self._parts.get(entry.uri) or self._look_up(entry.uri, page)
        self._compare(entry, page, part.content.number)
        cloud = self.options.deployment == "cloud"
        body = self.client.get_bytes(
            follow(self.options.url, "", download_place(part, cloud)),
            [("version", part.content.number)] if cloud and part.content.number else (),
        )
        media_type = settle(extension_of(part.content.title), body)
        return self._handed(entry, page, body, media_type)

    def _look_up(self, uri: str, page: str) -> Part:
        for _, parts in parts_of(self._asking, [page], ATTACHMENTS, self.options.page_size):
            self._parts.update((f"{self.name}/{part.local}", part) for part in parts)
        if uri not in self._parts:
            raise ServiceError(f"{uri}: not there any more")
        return self._parts[uri]


def make(name: str, options: Mapping[str, Any], around: Around) -> Confluence:
    """A source from its stored options; ConfigError names the option or secret that is wrong."""
    read = read_options(options)
    client = open_client(
        read.url,
        now=around.now,
        seconds=around.seconds,
        sleep=around.sleep,
        credentials=_credentials(read, around),
        allow_private=read.allow_private,
    )
    return Confluence(name, read, around, client)


def _credentials(options: Options, around: Around) -> Credentials:
    """Basic with a user (Cloud: e-mail and API token), else a personal access token."""
    if not options.token_env:
        return NO_CREDENTIALS
    setting = f"token_env = {options.token_env!r}"
    token = around.secret(options.token_env)
    if not options.user_env:
        return bearer(token, setting)
    return basic(around.secret(options.user_env), token, f"{setting} (user_env)")
