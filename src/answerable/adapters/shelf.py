"""A file of byte strings by name, kept between runs: whatever is costly to work out again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from answerable.errors import ServiceError

_AT_ONCE = 500
_WAIT = 60.0


class Shelf:
    """Values by (space, key) in one SQLite file; several processes may share it.

    What it holds can be worked out again, so a lost last write costs time and nothing else. Raises
    ServiceError where the file cannot be opened, read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._faults():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = normal")
            self._connection.execute(
                "create table if not exists kept (space text not null, key text not null, "
                "value blob not null, primary key (space, key)) without rowid"
            )

    def get_many(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of those `keys` that are there."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, bytes] = {}
        with self._faults():
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                marks = ", ".join("?" * len(part))
                found.update(
                    self._connection.execute(
                        f"select key, value from kept where space = ? and key in ({marks})",
                        (space, *part),
                    )
                )
        return found

    def put_many(self, space: str, values: Mapping[str, bytes]) -> None:
        """Keep values in one transaction; what is there under a key is replaced."""
        with self._faults():
            self._connection.execute("begin immediate")
            try:
                self._connection.executemany(
                    "insert or replace into kept values (?, ?, ?)",
                    ((space, key, value) for key, value in values.items()),
                )
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as fault:
            raise ServiceError(
                f"the cache {self._path} cannot be used: {fault}",
                "delete the file: what it keeps is worked out again",
            ) from fault
