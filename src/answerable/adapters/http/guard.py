"""Which URLs may be fetched, and the addresses that a connection may go to."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from unicodedata import normalize
from urllib.parse import quote, urlsplit

from answerable.adapters.http.addresses import Address, why_inside, written
from answerable.errors import ServiceError

try:
    import idna
except ImportError:  # of an extra, and git sources need none
    idna = None  # type: ignore[assignment]

Resolve = Callable[[str, int], Sequence[str]]
"""(host, port) to its addresses as text; raises OSError when there are none."""

PORTS = {"http": 80, "https": 443}
_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_.])?")
_SAFE = "%!$&'()*+,;=:@/?~-._[]|"


@dataclass(frozen=True, slots=True)
class Place:
    """A URL taken apart and put together in one way only, so that all read it alike."""

    scheme: str
    host: str
    port: int
    target: str = field(repr=False)

    @property
    def origin(self) -> str:
        """Scheme, host and, unless it is the scheme's own, port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def url(self) -> str:
        """The whole URL, without fragment."""
        return self.origin + self.target

    @property
    def shown(self) -> str:
        """Host and path, as messages name it."""
        return self.origin.partition("://")[2] + self.target.partition("?")[0]


def system_resolve(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


def place_of(url: str) -> Place:
    """A URL's parts; ServiceError for what is no plain http or https URL."""
    fault = ""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _denied("a URL", "it cannot be read") from None
    scheme = parts.scheme.lower()
    if scheme not in PORTS:
        fault = f"{scheme or 'no'} scheme, only http and https are fetched"
    elif "@" in parts.netloc:
        fault = "it carries a user or password"
    elif re.search(r"[\x00-\x20\x7f\\]", url):
        fault = "it holds spaces, control characters or backslashes"
    elif not parts.hostname or port == 0:
        fault = "it names no host or port"
    if fault:
        raise _denied(_rough(url), fault)
    host = _host(parts.hostname or "")
    target = quote(parts.path or "/", _SAFE) + ("?" + quote(parts.query, _SAFE)) * bool(parts.query)
    return Place(scheme, host, port or PORTS[scheme], target)


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets through what is outside (CWE-918), and `trusted` places that are inside.

    A host name is resolved when a URL is checked and once more when a connection is made; each
    time all its addresses must be allowed, and the connection goes to those just checked. So a
    name whose answer changes to an inner address is refused and never reached. `trusted` holds
    (host, port) pairs that may be private or loopback.
    """

    resolve: Resolve = field(default=system_resolve, repr=False)
    trusted: frozenset[tuple[str, int]] = frozenset()

    def check(self, url: str) -> Place:
        """The URL's parts when it may be fetched; else a ServiceError that says why."""
        place = place_of(url)
        self.addresses(place.host, place.port)
        return place

    def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of `host` to connect to, all of them allowed; else a ServiceError."""
        private = (host, port) in self.trusted
        if not private and (host.rstrip(".") == "localhost" or host.endswith(".localhost")):
            raise _denied(host, "it is this machine")
        address = _spelled(host)
        found = [address] if address else self._named(host, port)
        for each in found:
            if why := why_inside(each, private=private):
                raise _denied(host, f"its address {each} is {why}")
        return tuple(map(str, found))

    def _named(self, host: str, port: int) -> list[Address]:
        try:
            found = [ip_address(text.partition("%")[0]) for text in self.resolve(host, port)]
        except (OSError, ValueError, UnicodeError):
            found = []
        if not found:
            raise ServiceError(
                f"{host}: the name is not known to the resolver",
                "see that the host is spelled right and the network is up",
                retryable=True,
            )
        return found


def _host(host: str) -> str:
    """The host in lower-case ASCII; ServiceError when it is neither a name nor an address."""
    text = normalize("NFKC", host).translate(_DOTS).lower()
    if _spelled(text) is not None:
        return text.strip("[]")
    name = text if text.isascii() else _ascii(text)
    if not _NAME.fullmatch(name) or ".." in name:
        raise _denied(repr(host), "it is no host name")
    return name


def _ascii(name: str) -> str:
    """A name of other letters as resolvers know it (UTS 46), '' when it is none."""
    if idna is None:
        raise _denied(repr(name), "its letters are not ASCII: write it as xn--...")
    try:
        return idna.encode(name, uts46=True).decode("ascii").lower()
    except idna.IDNAError:
        return ""


def _spelled(host: str) -> Address | None:
    try:
        return written(host)
    except ValueError:
        raise _denied(repr(host), "it is neither a name nor a proper address") from None


def _denied(what: str, why: str) -> ServiceError:
    return ServiceError(
        f"{what} is not fetched: {why}",
        "only public http and https addresses are; allow_private = true trusts a source's own host",
    )


def _rough(url: str) -> str:
    """So much of a URL that cannot be fetched as is safe to show."""
    scheme, _, rest = url.partition(":")
    host = re.split(r"[/?#\\]", rest.lstrip("/"))[0].rpartition("@")[2]
    return f"{scheme[:20]!r}:{host[:60]!r}"
