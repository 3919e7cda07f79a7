"""One question to a service and its answer, redirects followed by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin

from answerable.adapters.http.credentials import Credentials
from answerable.adapters.http.deadline import Deadline
from answerable.adapters.http.guard import Guard, Place
from answerable.adapters.http.inflate import NotPacked, TooLarge, inflated
from answerable.adapters.http.library import httpcore
from answerable.adapters.http.pinned import pool_of
from answerable.adapters.http.redact import Redactor
from answerable.adapters.http.reply import Reply
from answerable.errors import ServiceError

AGENT = "answerable"
MANY = 1 << 30
_REDIRECTS = (301, 302, 303, 307, 308)
_HOPS = 5
_STATUS_TRIES = {429: MANY, 503: MANY, 502: MANY, 504: MANY, 500: 2}


@dataclass(frozen=True, slots=True)
class Fault:
    """A try that failed: what is said of it, how many tries it is worth, its Retry-After."""

    what: str
    hint: str = ""
    tries: int = 1
    retry_after: str | None = field(default=None, repr=False)


class Exchange:
    """Sends requests to guarded addresses; credentials only to the origin of `base`.

    Between two requests lie at least `pause` seconds. `limit` is the largest body in bytes, as
    sent and unpacked; `timeout` seconds are allowed for connecting and for each read, twice as
    many for all until the body begins.
    """

    def __init__(
        self,
        base: Place,
        guard: Guard,
        credentials: Credentials,
        *,
        seconds: Callable[[], float],
        sleep: Callable[[float], None],
        pause: float,
        limit: int,
        timeout: float,
        network: httpcore.NetworkBackend | None = None,
    ) -> None:
        self.requests = 0
        self._base, self._guard, self._credentials = base, guard, credentials
        self._seconds, self._sleep = seconds, sleep
        self.pause, self._limit = pause, limit
        self._timeout = dict.fromkeys(("connect", "read", "write", "pool"), timeout)
        self._hide = Redactor(credentials.secrets)
        self._head = 2 * timeout
        self._deadline = Deadline(seconds)
        self._pool = pool_of(guard, self._deadline, network)
        self._last: float | None = None

    def close(self) -> None:
        """Let go of the connection."""
        self._pool.close()

    def get(
        self, place: Place, headers: Mapping[str, str], also: Collection[int], until: float
    ) -> Reply | Fault:
        """The answer, or what went wrong; `until` is the clock when reading must be done.

        No exception of the library leaves this: their texts may hold what was sent.
        """
        try:
            return self._follow(place, headers, also, until)
        except ServiceError as fault:
            return Fault(fault.message, fault.hint, 3 if fault.retryable else 1)
        except httpcore.TimeoutException as fault:
            return Fault(f"no answer in time ({type(fault).__name__})", tries=MANY)
        except httpcore.ConnectError as fault:
            if "CERTIFICATE" in str(fault) or "SSL" in str(fault):
                return Fault(f"no safe connection: {fault}"[:200], "see the host's certificate")
            return Fault(f"no connection: {fault}"[:200], "see that the address is right", MANY)
        except (httpcore.NetworkError, httpcore.RemoteProtocolError) as fault:
            # Behind a colon stands the line that was sent, whatever it holds.
            return Fault(f"the connection broke: {str(fault).partition(':')[0]}", tries=MANY)
        except TooLarge:
            return Fault(f"larger than the limit of {self._limit:,} bytes")
        except NotPacked as fault:
            return Fault(f"the packed answer is broken: {fault}", tries=3)
        except Exception as fault:  # a server can break what the library never foresaw
            return Fault(f"{type(fault).__name__}: {fault}"[:200])

    def _follow(
        self, place: Place, headers: Mapping[str, str], also: Collection[int], until: float
    ) -> Reply | Fault:
        self._guard.check(place.url)
        for _ in range(_HOPS + 1):
            answer = self._send(place, headers, also, until)
            if not isinstance(answer, str):
                return answer
            try:
                onward = self._guard.check(urljoin(place.url, answer))
            except ServiceError as fault:
                return Fault(f"redirected: {fault.message}", fault.hint)
            except ValueError:
                return Fault("redirected to what is no URL")
            if place.scheme == "https" and onward.scheme == "http":
                return Fault(f"redirected to {onward.shown} without encryption")
            place = onward
        return Fault(f"redirected more than {_HOPS} times, last to {place.shown}")

    def _send(
        self, place: Place, headers: Mapping[str, str], also: Collection[int], until: float
    ) -> Reply | Fault | str:
        """One request: the answer, the fault, or where it is redirected to."""
        if self._last is not None and (rest := self._last + self.pause - self._seconds()) > 0:
            self._sleep(rest)
        sent: dict[bytes | str, bytes | str] = {"User-Agent": AGENT, "Accept": "*/*"}
        sent["Accept-Encoding"] = "gzip"
        sent.update({name: value.encode("latin-1") for name, value in headers.items()})
        if self._credentials.header and place.origin == self._base.origin:
            sent["Authorization"] = self._credentials.header
        self.requests += 1
        self._deadline.until = min(until, self._seconds() + self._head)
        extensions = {"timeout": self._timeout}
        try:
            with self._pool.stream("GET", place.url, headers=sent, extensions=extensions) as got:
                self._deadline.until = until
                names = _named(got.headers)
                if got.status in _REDIRECTS and got.status not in also and "location" in names:
                    return names["location"]
                if not 200 <= got.status < 300 and got.status not in also:
                    return self._refused(got.status, names, place)
                body = self._body(got, names.get("content-encoding", ""), until)
                if isinstance(body, Fault):
                    return body
                return Reply(got.status, place.url, names, body, self._hide(place.shown))
        finally:
            self._last = self._seconds()

    def _body(self, got: httpcore.Response, packed: str, until: float) -> bytes | Fault:
        parts: list[bytes] = []
        size = 0
        for chunk in got.iter_stream():
            size += len(chunk)
            if size > self._limit:
                raise TooLarge
            if self._seconds() > until:
                return Fault("not read whole in the time allowed", tries=2)
            parts.append(chunk)
        packed = packed.strip().lower()
        if packed in ("", "identity") or not size:
            return b"".join(parts)
        if packed not in ("gzip", "x-gzip", "deflate"):
            return Fault(f"packed as {packed[:40]!r}, which was not asked for")
        return inflated(b"".join(parts), self._limit)

    def _refused(self, status: int, names: Mapping[str, str], place: Place) -> Fault:
        hint = ""
        if status in (401, 403):
            ours = self._credentials.setting if place.origin == self._base.origin else ""
            hint = (
                f"the credentials are not accepted: see {ours}"
                if ours
                else "it wants credentials, and none are set for this host"
            )
        asked = names.get("retry-after") if status in (429, 503) else None
        return Fault(f"answered {status}", hint, _STATUS_TRIES.get(status, 1), asked)


def _named(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by lower-case name, those sent more than once joined (RFC 9110, 5.3)."""
    names: dict[str, str] = {}
    for key, value in headers:
        name, text = key.decode("latin-1").lower(), value.decode("latin-1")
        names[name] = f"{names[name]}, {text}" if name in names else text
    return names
