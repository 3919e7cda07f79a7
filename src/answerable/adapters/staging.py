"""What an unfinished ingest has done already: documents read, skipped, embedded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import sqlalchemy as sa

from answerable.adapters.connect import Connections
from answerable.adapters.tables import parsed, skips, staged
from answerable.adapters.upsert import upsert
from answerable.ports import Floats
from answerable.records.index import Skipped

_AT_ONCE = 500


class Staging:
    """Work kept between an interrupted ingest and the next, in the same database."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def parsed(self, prefix: str = "") -> dict[tuple[str, str], tuple[str, str]]:
        """(uri, revision) -> (document id, sha256) of what was read under a uri prefix."""
        query = sa.select(parsed).where(parsed.c.uri.startswith(prefix, autoescape=True))
        with self._connections.reading() as connection:
            rows = connection.execute(query).all()
        return {(row.uri, row.revision): (row.document_id, row.sha256) for row in rows}

    def skips(self, prefix: str = "") -> dict[tuple[str, str], str]:
        """(uri, revision) -> why it could not be read, under a uri prefix."""
        query = sa.select(skips).where(skips.c.uri.startswith(prefix, autoescape=True))
        with self._connections.reading() as connection:
            rows = connection.execute(query).all()
        return {(row.uri, row.revision): row.reason for row in rows}

    def put_skips(self, entries: Iterable[tuple[Skipped, str]]) -> None:
        """Note (what was skipped, its revision); the newest for a uri counts."""
        rows = {
            skipped.uri: {"uri": skipped.uri, "revision": revision, "reason": skipped.reason}
            for skipped, revision in entries
        }
        with self._connections.writing() as connection:
            upsert(connection, skips, list(rows.values()))
            _without(connection, parsed, list(rows))

    def forget(self, uris: Sequence[str]) -> None:
        """Drop what is noted of these uris (they are gone from their source)."""
        with self._connections.writing() as connection:
            _without(connection, parsed, uris)
            _without(connection, skips, uris)

    def stage(self, fingerprint: str, vectors: Mapping[str, Floats]) -> None:
        """Keep (windows, dimensions) float32 rows by the SHA-256 of the text searched."""
        rows = [
            {
                "fingerprint": fingerprint,
                "key": key,
                "rows": len(found),
                "vectors": np.ascontiguousarray(found, dtype="<f4").tobytes(),
            }
            for key, found in vectors.items()
        ]
        with self._connections.writing() as connection:
            upsert(connection, staged, rows)

    def staged(self, fingerprint: str, keys: Iterable[str]) -> dict[str, Floats]:
        """The rows kept for those of `keys` that have any."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, Floats] = {}
        with self._connections.reading() as connection:
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                query = sa.select(staged.c.key, staged.c.rows, staged.c.vectors).where(
                    staged.c.fingerprint == fingerprint, staged.c.key.in_(part)
                )
                for key, rows, data in connection.execute(query):
                    flat = np.frombuffer(data, dtype="<f4").astype(np.float32)
                    found[key] = flat.reshape(rows, -1) if rows else flat.reshape(0, 0)
        return found

    def forget_staged(self) -> None:
        """Drop all staged vectors: the generation that needed them stands."""
        with self._connections.writing() as connection:
            connection.execute(staged.delete())


def _without(connection: sa.Connection, table: sa.Table, uris: Sequence[str]) -> None:
    for start in range(0, len(uris), _AT_ONCE):
        part = uris[start : start + _AT_ONCE]
        connection.execute(table.delete().where(table.c.uri.in_(part)))
