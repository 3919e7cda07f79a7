"""Answers that come drop by drop, or in pieces without number, do not hold a reader up."""

from __future__ import annotations

import gzip
import socket
import threading
import time

import pytest

from answerable.adapters.http.client import open_client
from answerable.adapters.http.inflate import NotPacked, inflated
from answerable.adapters.http.policy import RetryPolicy
from answerable.errors import ServiceError


@pytest.fixture
def dripping():
    """Makes servers that send a start, then a drop every 20 ms, until nobody listens."""
    listeners = []

    def serve(start: bytes, drop: bytes) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def answer() -> None:
            while True:
                try:
                    with listener.accept()[0] as line:
                        line.recv(9999)
                        line.sendall(start)
                        while True:
                            line.sendall(drop)
                            time.sleep(0.02)
                except ConnectionError:
                    continue
                except OSError:
                    return

        threading.Thread(target=answer, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield serve
    for one in listeners:
        one.close()


@pytest.mark.parametrize(
    ("start", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\nX: ", b"a"),
        (b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b"a"),
    ],
    ids=["head", "interim answers", "body"],
)
@pytest.mark.parametrize(("timeout", "budget"), [(0.2, 60.0), (60.0, 0.4)])
def test_what_drips_ends_in_time(dripping, start, drop, timeout, budget):
    if budget == 60.0 and b"99999" in start:
        pytest.skip("a body may take the whole budget")
    clock = {"now": lambda: "2026-11-30T00:00:00Z", "seconds": time.monotonic, "sleep": time.sleep}
    policy = RetryPolicy(tries=1, budget_seconds=budget)
    began = time.monotonic()
    with (
        open_client(
            dripping(start, drop), **clock, allow_private=True, timeout=timeout, policy=policy
        ) as client,
        pytest.raises(ServiceError, match=r"no answer in time|not read whole in the time") as fault,
    ):
        client.get("/x")
    assert fault.value.retryable and time.monotonic() - began < 2


def test_empty_parts_without_number_are_refused():
    some = gzip.compress(b"a") + gzip.compress(b"") * 90_000 + gzip.compress(b"b")
    assert inflated(some, 100) == b"ab"
    began = time.monotonic()
    with pytest.raises(NotPacked, match="more than 100,000 parts"):
        inflated(gzip.compress(b"") * 2_000_000, 100)
    assert time.monotonic() - began < 5
