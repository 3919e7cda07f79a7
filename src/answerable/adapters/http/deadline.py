"""A moment by which reading must be done, however often a little arrives."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Any

from answerable.adapters.http.library import httpcore


class Deadline:
    """`until` is that moment on the clock `seconds`; it may be moved while a stream is open."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self.until = float("inf")
        self._seconds = seconds

    def within(self, timeout: float | None) -> float | None:
        """The timeout of one read, shorter when less is left; ReadTimeout when nothing is."""
        left = self.until - self._seconds()
        if left <= 0:
            raise httpcore.ReadTimeout("not read in the time allowed")
        return left if timeout is None or left < timeout else timeout


class TimedStream(httpcore.NetworkStream):
    """A connection whose reads end at a deadline."""

    def __init__(self, real: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._real, self._deadline = real, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._real.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._real.write(buffer, timeout)

    def close(self) -> None:
        self._real.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        within = self._deadline.within(timeout)
        made = self._real.start_tls(ssl_context, server_hostname, within)
        return TimedStream(made, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._real.get_extra_info(info)
