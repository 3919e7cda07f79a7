"""Models behind a real local server: every byte that reaches one is kept."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import ServiceError
from answerable.ports import Message, Reply
from answerable.records.answers import Usage
from fakes import HashEmbedder


@dataclass(frozen=True, slots=True)
class HttpEmbedder(HashEmbedder):
    """Texts go over HTTP to `url`, vectors come back; counting is done here."""

    url: str = ""

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._post("passages", texts)

    def questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._post("questions", texts)

    def _post(self, what: str, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = _ask(f"{self.url}/{what}", {"texts": list(texts)})["rows"]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)


@dataclass(frozen=True, slots=True)
class HttpChat:
    """A chat model over HTTP that says where a piece stands."""

    url: str = ""

    @property
    def fingerprint(self) -> str:
        return "http-chat"

    def reply(self, messages: Sequence[Message], *, most_tokens: int) -> Reply:
        turns = [{"role": one.role, "content": one.text} for one in messages]
        text = _ask(f"{self.url}/chat", {"messages": turns, "max": most_tokens})["text"]
        return Reply(text, Usage("http-chat", "2026-11-03T09:15:00Z"))


@dataclass
class Log:
    """Where the server listens, and (path, body) of every request in its order of arrival."""

    url: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    # May raise ServiceError, or wait, before a request is answered.
    before: Callable[[str, str], None] = lambda path, body: None

    def texts(self, what: str) -> list[str]:
        """Every text sent to one of the ways in."""
        return [
            text
            for path, body in self.requests
            if path == f"/{what}"
            for text in json.loads(body)["texts"]
        ]


@contextmanager
def model_server():
    """A server of both models; its log."""
    log = Log()
    vectors = HashEmbedder()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            log.requests.append((self.path, body))
            try:
                log.before(self.path, body)
            except ServiceError as fault:
                self.send_error(503, fault.message)
                return
            given = json.loads(body)
            reply: dict[str, Any] = {"text": "It stands in the handbook."}
            if self.path != "/chat":
                reply = {"rows": vectors.passages(given["texts"]).tolist()}
            data = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    # A client that was killed is no fault of the server.
    server.handle_error = lambda request, address: None  # type: ignore[method-assign]
    log.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield log
    finally:
        server.shutdown()
        server.server_close()


def _ask(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as fault:
        raise ServiceError(f"the model said {fault.code}: {fault.reason}") from fault
