"""One writer at a time: a lock that the operating system drops when its process dies."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from answerable.errors import ServiceError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PAUSE = 0.05


class WriterLock:
    """An exclusive lock on a file, shared by threads and processes; the holder may nest it.

    `wait` is how many seconds another writer is waited for; then ServiceError (retryable). It
    counts on the file system's locks: on network shares that have none, keep to one writer.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self._path = path
        self._wait = wait
        self._inside = threading.RLock()
        self._depth = 0
        self._file: IO[bytes] | None = None

    def __enter__(self) -> WriterLock:
        limit = time.monotonic() + self._wait
        if not self._inside.acquire(timeout=max(self._wait, 0)):
            raise self._busy()
        try:
            if not self._depth:
                self._file = self._take(limit)
        except BaseException:
            self._inside.release()
            raise
        self._depth += 1
        return self

    def __exit__(self, *fault: object) -> None:
        self._depth -= 1
        if not self._depth and self._file is not None:
            _unlock(self._file)
            self._file = None
        self._inside.release()

    def _take(self, limit: float) -> IO[bytes]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = self._path.open("ab")
        while not _locked(file):
            if time.monotonic() >= limit:
                file.close()
                raise self._busy()
            time.sleep(_PAUSE)
        _sign(file)
        return file

    def _busy(self) -> ServiceError:
        return ServiceError(
            f"another process is writing the index at {self._path.parent}{self._holder()}",
            f"waited {self._wait:g} seconds; try again when it has finished",
            retryable=True,
        )

    def _holder(self) -> str:
        try:
            said = self._path.read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""  # Windows lets nobody read a locked file
        return f" ({said})" if said else ""


def _sign(file: IO[bytes]) -> None:
    """Write who holds the lock; only told to those who wait, so a full disk does not matter."""
    since = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()} since {since}\n".encode())
        file.flush()
    except OSError:
        return


def _locked(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unlock(file: IO[bytes]) -> None:
    # Closing is not enough: a child forked meanwhile would go on holding the lock.
    if sys.platform == "win32":
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)
    file.close()
