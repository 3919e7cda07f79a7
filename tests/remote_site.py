"""A real local web server: answers as it is told, fails on demand, keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


@dataclass(frozen=True)
class Answer:
    """One answer; `fault` is reset (no answer), cut (half the body) or hang (none in time)."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class Asked:
    path: str
    headers: Mapping[str, str]


class Quiet(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A reader that goes away in the middle is no news here."""


class Site:
    """Answers by path with its query: a list is used up one by one, its last answer stays."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[Asked] = []
        self.stop = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                site.asked.append(Asked(self.path, dict(self.headers)))
                script = site.answers.get(self.path, [Answer(404, b"not here")])
                answer = script.pop(0) if len(script) > 1 else script[0]
                if answer.fault == "reset":
                    self.close_connection = True
                    return
                if answer.fault == "hang":
                    site.stop.wait(10)
                    self.close_connection = True
                    return
                body = site.conditional(answer, self.headers)
                status, sent = (304, b"") if body is None else (answer.status, body)
                self.send_response(status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if status != 304:
                    self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                if answer.fault == "cut":
                    self.wfile.write(sent[: len(sent) // 2])
                    self.close_connection = True
                    return
                self.wfile.write(sent)

        self.server = Quiet((host, 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://{host}:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    @staticmethod
    def conditional(answer: Answer, headers: Mapping[str, str]) -> bytes | None:
        """The body, or None when the reader has this very version."""
        named = {name.lower(): value for name, value in answer.headers.items()}
        if answer.status != 200:
            return answer.body
        if "etag" in named and headers.get("If-None-Match") == named["etag"]:
            return None
        since = headers.get("If-Modified-Since")
        if "etag" not in named and since and named.get("last-modified") == since:
            return None
        return answer.body

    def put(self, path: str, body: str | bytes = b"", status: int = 200, **headers: str) -> None:
        data = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = [Answer(status, data, named)]

    def script(self, path: str, *answers: Answer) -> None:
        self.answers[path] = list(answers)

    def paths(self) -> list[str]:
        return [one.path for one in self.asked]

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Time:
    """A clock that only moves when somebody sleeps; it keeps for how long."""

    def __init__(self, now: str = "2026-11-04T09:59:30Z") -> None:
        self.start = datetime.fromisoformat(now).astimezone(UTC)
        self.passed = 0.0
        self.slept: list[float] = []

    def now(self) -> str:
        at = self.start + timedelta(seconds=self.passed)
        return at.isoformat(timespec="seconds").replace("+00:00", "Z")

    def seconds(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds
