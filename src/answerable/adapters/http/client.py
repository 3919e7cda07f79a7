"""Asking a service over HTTP: guarded, tried again, limited, and its errors hold no secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any, Self
from urllib.parse import urlencode

from answerable.adapters.http.credentials import NO_CREDENTIALS, Credentials
from answerable.adapters.http.exchange import Exchange, Fault
from answerable.adapters.http.guard import PORTS, Guard, Place, Resolve, place_of, system_resolve
from answerable.adapters.http.library import httpcore
from answerable.adapters.http.policy import RetryPolicy
from answerable.adapters.http.quiet import hush
from answerable.adapters.http.redact import Redactor, scrubbed
from answerable.adapters.http.reply import Reply
from answerable.adapters.http.retry_after import wait_of
from answerable.errors import ServiceError

__all__ = ["Client", "Params", "Reply", "open_client"]

Params = Mapping[str, str | int] | Sequence[tuple[str, str | int]]

LIMIT = 50 * 1024 * 1024
DEFAULT_POLICY = RetryPolicy()
_AFTER_LOSSES = 3
_WHOLE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")


class Client:
    """Asks one service, one request at a time.

    Credentials go to the scheme, host and port of `base` and nowhere else. When three requests in
    a row were lost with all their tries, each further one is tried once until one succeeds.
    """

    def __init__(
        self,
        base: str,
        guard: Guard,
        *,
        now: Callable[[], str],
        seconds: Callable[[], float],
        sleep: Callable[[float], None],
        credentials: Credentials = NO_CREDENTIALS,
        policy: RetryPolicy = DEFAULT_POLICY,
        pause: float = 0.0,
        limit: int = LIMIT,
        timeout: float = 30.0,
        network: httpcore.NetworkBackend | None = None,
    ) -> None:
        hush()
        self.waited = 0.0
        self._base = place_of(base)
        self._now, self._seconds, self._sleep = now, seconds, sleep
        self._redact = Redactor(credentials.secrets)
        self._policy = policy
        self._exchange = Exchange(
            self._base,
            guard,
            credentials,
            seconds=seconds,
            sleep=sleep,
            pause=pause,
            limit=limit,
            timeout=timeout,
            network=network,
        )
        self._draw = Random(f"{base} {now()}").random
        self._lost = 0

    def __repr__(self) -> str:
        return f"Client({self.origin!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._exchange.close()

    @property
    def origin(self) -> str:
        """Scheme, host and port of `base`."""
        return self._base.origin

    @property
    def requests(self) -> int:
        """How many were sent, with those tried again and redirected."""
        return self._exchange.requests

    def slow_down(self, pause: float) -> None:
        """Leave at least `pause` seconds between two requests from now on."""
        self._exchange.pause = max(self._exchange.pause, pause)

    def get_json(self, place: str, params: Params = (), *, also: Collection[int] = ()) -> Any:
        """The answer as JSON, None for a status of `also`; a cut one is asked for again.

        ServiceError.
        """

        def read(reply: Reply) -> Any:
            return None if reply.status in also else reply.json()

        return self._asked(place, params, {"Accept": "application/json"}, also, read)

    def get_bytes(self, place: str, params: Params = ()) -> bytes:
        """The answer's bytes, unpacked; ServiceError."""
        return self.get(place, params).body

    def get(
        self,
        place: str,
        params: Params = (),
        *,
        headers: Mapping[str, str] | None = None,
        also: Collection[int] = (),
    ) -> Reply:
        """The answer to GET; ServiceError unless its status is 2xx or one of `also`.

        `place` is a URL, or a path that is appended to `base`; its query stays as it is, and
        `params` are put behind it.
        """
        reply: Reply = self._asked(place, params, headers or {}, also, lambda reply: reply)
        return reply

    def _asked(
        self,
        place: str,
        params: Params,
        headers: Mapping[str, str],
        also: Collection[int],
        read: Callable[[Reply], Any],
    ) -> Any:
        target = self._place(place, params)
        began, tried = self._seconds(), 0
        until = began + self._policy.budget_seconds
        while True:
            tried += 1
            answer = self._read(self._exchange.get(target, headers, also, until), read)
            if not isinstance(answer, Fault):
                self._lost = 0
                return answer[0]
            wait, why = self._next(answer, tried, until)
            if wait is None:
                break
            self.waited += wait
            self._sleep(wait)
        if answer.tries > 1:
            self._lost += 1
        after = f" after {tried} tries" if tried > 1 else ""
        raise ServiceError(
            f"GET {self._redact(target.shown)}: {answer.what}{why}{after}",
            answer.hint,
            retryable=answer.tries > 1,
        )

    def _read(self, answer: Reply | Fault, read: Callable[[Reply], Any]) -> tuple[Any] | Fault:
        """What `read` makes of an answer, or the fault with nothing secret in it."""
        if isinstance(answer, Reply):
            try:
                return (read(answer),)
            except ServiceError as fault:
                what = fault.message.removeprefix(f"GET {answer.place}: ")
                answer = Fault(what, fault.hint, 3 if fault.retryable else 1)
        hide = self._redact
        return replace(answer, what=hide(scrubbed(answer.what)), hint=hide(answer.hint))

    def _next(self, fault: Fault, tried: int, until: float) -> tuple[float | None, str]:
        """Seconds until the next try, or None with what is to be said of that."""
        policy = self._policy
        if tried >= min(fault.tries, 1 if self._lost >= _AFTER_LOSSES else policy.tries):
            return None, ""
        now = datetime.fromisoformat(self._now())
        now = now if now.tzinfo else now.replace(tzinfo=UTC)
        wait = policy.wait(tried, wait_of(fault.retry_after, now), self._draw)
        if wait is None:
            asked = self._redact(f"{fault.retry_after:.40}")
            return None, f", Retry-After {asked!r} is beyond the longest wait, {policy.longest:g} s"
        if self._seconds() + wait > until:
            return None, f", the budget of {policy.budget_seconds:g} s is used up"
        return wait, ""

    def _place(self, place: str, params: Params) -> Place:
        whole = place if _WHOLE.match(place) else self._joined(place)
        whole = whole.partition("#")[0]
        if more := urlencode(params if isinstance(params, Mapping) else list(params)):
            whole += ("&" if "?" in whole else "?") + more
        return place_of(whole)

    def _joined(self, place: str) -> str:
        if not place:
            return self._base.url
        return self._base.url.partition("?")[0].rstrip("/") + "/" + place.lstrip("/")


def open_client(
    base: str,
    *,
    now: Callable[[], str],
    seconds: Callable[[], float],
    sleep: Callable[[float], None],
    allow_private: bool = False,
    resolve: Resolve = system_resolve,
    credentials: Credentials = NO_CREDENTIALS,
    policy: RetryPolicy = DEFAULT_POLICY,
    pause: float = 0.0,
    limit: int = LIMIT,
    timeout: float = 30.0,
) -> Client:
    """A client of `base`; with `allow_private` the host of `base` may be inside, no other.

    Trusted are its port and, for one on a standard port, the other standard port.
    """
    place = place_of(base)
    ports = set(PORTS.values()) if place.port in PORTS.values() else {place.port}
    trusted = frozenset((place.host, port) for port in ports) if allow_private else frozenset()
    return Client(
        base,
        Guard(resolve, trusted),
        now=now,
        seconds=seconds,
        sleep=sleep,
        credentials=credentials,
        policy=policy,
        pause=pause,
        limit=limit,
        timeout=timeout,
    )
