"""The options of a Confluence source, and those that a URI stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from answerable.adapters.http.guard import place_of
from answerable.adapters.sources.confluence.cql import boundary
from answerable.adapters.sources.confluence.window import zone_of
from answerable.adapters.sources.options import check_options, many, number, one, truth
from answerable.errors import ConfigError, ServiceError

ALLOWED = (
    "url", "spaces", "labels", "cql", "types", "user_env", "token_env", "deployment", "comments",
    "attachments", "view", "view_macros", "readers", "page_size", "zone", "max_pages",
    "allow_private", "quick", "shrink",
)  # fmt: skip
IN_URI = {"space": "spaces", "label": "labels", "type": "types", "cql": "cql"}
TYPES = ("page", "blogpost")
DEPLOYMENTS = ("cloud", "datacenter")


@dataclass(frozen=True, slots=True)
class Options:
    """What a source reads, and how; secrets only by name.

    `cql` is the boundary: which contents belong to the source, and no others. `readers` may read a
    space whose permissions cannot be read. `page_size` is contents asked for at once. `view_macros`
    are those whose rendering is taken. With `shrink`, most of the pages may go at once.
    """

    url: str
    spaces: tuple[str, ...]
    labels: tuple[str, ...]
    types: tuple[str, ...]
    extra: str
    user_env: str
    token_env: str
    deployment: str
    comments: bool
    attachments: bool
    view: bool
    view_macros: tuple[str, ...]
    readers: tuple[str, ...]
    page_size: int
    zone: str
    max_pages: int
    allow_private: bool
    quick: bool
    shrink: bool

    @property
    def shown(self) -> frozenset[str] | None:
        """Macros of which a page may be read as rendered, lower-case; None where it never is."""
        return frozenset(name.lower() for name in self.view_macros) if self.view else None

    @property
    def form(self) -> str:
        """How pages are read, as revisions know it: '' as stored."""
        return "" if self.shown is None else "+".join(("view", *sorted(self.shown)))

    def boundary(self, spaces: tuple[str, ...]) -> str:
        """The CQL of what belongs to the source, with those of its spaces that are there."""
        return boundary(spaces, self.labels, self.types, self.extra)


def read_options(options: Mapping[str, Any]) -> Options:
    """Options as stored, checked; ConfigError names the one that is wrong and what it may be."""
    check_options("confluence", options, ALLOWED)
    url = _url(one(options, "url"))
    allow_private = truth(options, "allow_private")
    token = one(options, "token_env")
    if url.startswith("http:") and token and not allow_private:
        raise ConfigError(
            f"url = {url!r}: the token would cross the network in clear",
            "give the https address, or allow_private = true for a site inside",
        )
    if one(options, "user_env") and not token:
        raise ConfigError("user_env is given without token_env", "name both, or neither")
    read = Options(
        url=url,
        spaces=_split(options, "spaces"),
        labels=_split(options, "labels"),
        types=_split(options, "types") or ("page",),
        extra=one(options, "cql"),
        user_env=one(options, "user_env"),
        token_env=token,
        deployment=_deployment(one(options, "deployment", "auto"), url),
        comments=truth(options, "comments"),
        attachments=truth(options, "attachments"),
        view=truth(options, "view"),
        view_macros=_split(options, "view_macros"),
        readers=many(options, "readers"),
        page_size=int(number(options, "page_size", 200, 1)),
        zone=one(options, "zone"),
        max_pages=int(number(options, "max_pages", 100_000, 1)),
        allow_private=allow_private,
        quick=truth(options, "quick"),
        shrink=truth(options, "shrink"),
    )
    if not (read.spaces or read.labels or read.extra.strip()):
        raise ConfigError(
            "a confluence source needs a boundary",
            "give spaces, labels or cql: ?space=OPS, ?label=rag-kb; cql=type=page takes in all",
        )
    for name in read.types:
        if name not in TYPES:
            raise ConfigError(f"types = {name!r}", f"one of: {', '.join(TYPES)}")
    zone_of(read.zone)
    read.boundary(read.spaces)
    return read


def options_of(target: str) -> dict[str, Any]:
    """`confluence+https://HOST/CONTEXT?space=KEY&label=NAME&type=page&cql=CLAUSE` as options.

    `space`, `label` and `type` may be given several times.
    """
    parts = urlsplit(target.removeprefix("confluence+"))
    found: dict[str, Any] = {"url": f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")}
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        if key not in IN_URI:
            raise ConfigError(
                f"a confluence URI has no {key!r}",
                f"allowed: {', '.join(IN_URI)}; the rest by --with KEY=VALUE",
            )
        if key == "cql":
            found["cql"] = value
        else:
            found.setdefault(IN_URI[key], []).append(value)
    _url(found["url"])
    return found


def _url(text: str) -> str:
    try:
        place = place_of(text)
    except ServiceError as fault:
        raise ConfigError(
            f"the address of a confluence source: {fault.message}",
            "as in confluence+https://HOST/wiki?space=KEY; secrets go by token_env=NAME",
        ) from fault
    if "?" in place.target:
        raise ConfigError("url holds a query", "give the site's address only, up to its context")
    return place.url.rstrip("/")


def _split(options: Mapping[str, Any], key: str) -> tuple[str, ...]:
    parts = [part.strip() for value in many(options, key) for part in value.split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))


def _deployment(given: str, url: str) -> str:
    """Cloud is served at *.atlassian.net, and under /wiki of a domain of one's own."""
    if given in DEPLOYMENTS:
        return given
    if given != "auto":
        raise ConfigError(f"deployment = {given!r}", f"one of: auto, {', '.join(DEPLOYMENTS)}")
    parts = urlsplit(url)
    cloud = (parts.hostname or "").endswith(".atlassian.net") or parts.path.endswith("/wiki")
    return "cloud" if cloud else "datacenter"
