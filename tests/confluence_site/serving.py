"""A local HTTP server that answers by a function and keeps a log of every request."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    target: str
    headers: Mapping[str, str]

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))


@dataclass(frozen=True)
class Response:
    """What goes back. `cut`: so many bytes are sent of those announced; `wait` seconds before."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: int | None = None
    drop: bool = False


def as_json(value: Any, status: int = 200) -> Response:
    return Response(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


@dataclass
class Served:
    """Where the server listens, and what it was asked."""

    url: str = ""
    log: list[Request] = field(default_factory=list)

    def paths(self, holding: str = "") -> list[str]:
        return [one.target for one in self.log if holding in one.target]


@contextmanager
def serve(answer: Callable[[Request], Response]) -> Iterator[Served]:
    served = Served()
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            request = Request(self.path, {k.lower(): v for k, v in self.headers.items()})
            served.log.append(request)
            response = answer(request)
            if response.wait:
                closing.wait(response.wait)
            if response.drop:
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body[: response.cut])
            if response.cut is not None:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    # A client that was killed is no fault of the server.
    server.handle_error = lambda request, address: None  # type: ignore[method-assign]
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield served
    finally:
        closing.set()
        server.shutdown()
        server.server_close()


def until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether a condition came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False
