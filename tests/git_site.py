"""Real git repositories: made in a folder, and served over HTTP by git's own backend."""

from __future__ import annotations

import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

_ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2026-11-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_COMMITTER_DATE": "2026-11-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


class Made:
    """A repository with a work tree that a test commits to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "uploadpack.allowFilter", "true")
        self.url = f"git+file://{root}"

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env={**os.environ, **_ENVIRONMENT},
            check=True,
            capture_output=True,
        )
        return done.stdout.decode().strip()

    def commit(self, **files: str | bytes | None) -> str:
        for name, body in files.items():
            self.write(name, body)
        return self.record()

    def write(self, name: str | bytes, body: str | bytes | None) -> None:
        path = os.path.join(os.fsencode(self.root), os.fsencode(name))
        if body is None:
            os.unlink(path)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(body.encode() if isinstance(body, str) else body)

    def record(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")


class Forge:
    """Serves the repositories below a folder over smart HTTP, to who shows what is `wanted`."""

    def __init__(self, root: Path, wanted: str = "") -> None:
        self.wanted = wanted
        self.redirect = ""
        self.asked: list[tuple[str, str]] = []
        forge = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                self.answer(b"")

            def do_POST(self) -> None:
                self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def answer(self, sent: bytes) -> None:
                shown = self.headers.get("Authorization", "")
                forge.asked.append((self.path, shown))
                if forge.redirect:
                    self.send_response(302)
                    self.send_header("Location", forge.redirect + self.path)
                    self.end_headers()
                    return
                if shown != forge.wanted:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="x"')
                    self.end_headers()
                    return
                path, _, query = self.path.partition("?")
                made = subprocess.run(
                    ["git", "http-backend"],
                    input=sent,
                    capture_output=True,
                    check=False,
                    env={
                        **os.environ,
                        **_ENVIRONMENT,
                        "GIT_PROJECT_ROOT": str(root),
                        "GIT_HTTP_EXPORT_ALL": "1",
                        "REQUEST_METHOD": self.command,
                        "PATH_INFO": path,
                        "QUERY_STRING": query,
                        "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                        "CONTENT_LENGTH": str(len(sent)),
                        "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                        "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                        "REMOTE_ADDR": "127.0.0.1",
                    },
                )
                head, _, body = made.stdout.partition(b"\r\n\r\n")
                lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
                self.send_response(int(lines.pop("Status", "200").split()[0]))
                for name, value in lines.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"git+http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
