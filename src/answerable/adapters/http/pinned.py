"""Connections that go only to addresses which the guard has just checked."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from functools import cache
from typing import Any

import certifi

from answerable.adapters.http.deadline import Deadline, TimedStream
from answerable.adapters.http.guard import Guard
from answerable.adapters.http.library import httpcore


class Pinned(httpcore.NetworkBackend):
    """Connects to checked addresses; the name for TLS and Host stays that of the URL."""

    def __init__(
        self, guard: Guard, deadline: Deadline, real: httpcore.NetworkBackend | None = None
    ) -> None:
        self._guard, self._deadline = guard, deadline
        self._real = real or httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address that takes it; ServiceError when one is refused."""
        *others, last = self._guard.addresses(host, port)
        how = (timeout, local_address, socket_options)
        for address in others:
            try:
                made = self._real.connect_tcp(address, port, *how)
                break
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        else:
            made = self._real.connect_tcp(last, port, *how)
        return TimedStream(made, self._deadline)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Never: a socket of this machine is inside."""
        raise httpcore.ConnectError("no sockets of this machine")

    def sleep(self, seconds: float) -> None:
        self._real.sleep(seconds)


def pool_of(
    guard: Guard, deadline: Deadline, real: httpcore.NetworkBackend | None = None
) -> httpcore.ConnectionPool:
    """One connection at a time over a guarded network, without proxies."""
    return httpcore.ConnectionPool(
        ssl_context=_trust(),
        max_connections=1,
        keepalive_expiry=30.0,
        network_backend=Pinned(guard, deadline, real),
    )


@cache
def _trust() -> ssl.SSLContext:
    """What the system trusts (also by SSL_CERT_FILE), and the public authorities."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
