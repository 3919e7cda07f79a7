"""The trail of traces: a chain of hashes in which no row can be changed or left out unseen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from answerable.adapters.connect import Connections
from answerable.adapters.tables import traces
from answerable.errors import NotFound
from answerable.records.answers import Trace
from answerable.records.codec import canonical_json, from_plain

START = "0" * 64
"""What the first row holds as the hash of the row before."""

_HASHED = tuple(column.name for column in traces.columns if column.name != "hash")


def row_hash(row: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of all columns of a row but its own hash."""
    return sha256(canonical_json({name: row[name] for name in _HASHED}).encode()).hexdigest()


class Trail:
    """Appends traces and reads them; rows are never changed (triggers refuse it).

    Cutting rows off the end leaves a shorter chain that is whole: keep `head()` elsewhere to see
    that too.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def record(self, trace: Trace) -> None:
        """Append a trace; InputError when its id is there already."""
        body = canonical_json(trace)
        with self._connections.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("LOCK TABLE traces IN EXCLUSIVE MODE")
            count, last = _head(connection)
            row = {
                "seq": count + 1,
                "id": trace.id,
                "at": trace.at,
                "question": _storable(trace.question),
                "principal": _storable(trace.principal),
                "recipe_hash": trace.recipe_hash,
                "generation": trace.generation,
                "body": body,
                "previous": last,
            }
            connection.execute(traces.insert().values(**row, hash=row_hash(row)))

    def trace(self, trace_id: str) -> Trace:
        """The trace of an id, or of the first characters of one; NotFound unless it is just one."""
        starts = traces.c.id.startswith(trace_id, autoescape=True)
        query = sa.select(traces.c.id, traces.c.body).where(starts).order_by(traces.c.id).limit(2)
        with self._connections.reading() as connection:
            rows = connection.execute(query).all() if trace_id else []
        if not rows or (len(rows) > 1 and rows[0].id != trace_id):
            what = "more than one trace begins with" if rows else "no trace"
            raise NotFound(f"{what} {trace_id!r}", "`answerable audit list` shows them")
        return from_plain(Trace, json.loads(rows[0].body))

    def traces(self, limit: int = 50, before: int | None = None) -> tuple[Trace, ...]:
        """The newest traces first, at most `limit`, of those numbered below `before`."""
        query = sa.select(traces.c.body).order_by(traces.c.seq.desc()).limit(limit)
        if before is not None:
            query = query.where(traces.c.seq < before)
        with self._connections.reading() as connection:
            bodies = connection.execute(query).scalars().all()
        return tuple(from_plain(Trace, json.loads(body)) for body in bodies)

    def head(self) -> tuple[int, str]:
        """How many traces there are, and the hash of the last."""
        with self._connections.reading() as connection:
            return _head(connection)

    def broken(self) -> str | None:
        """The id of the first row that was changed or whose predecessor is gone; None if whole."""
        previous = START
        with self._connections.reading() as connection:
            rows = connection.execution_options(yield_per=500).execute(
                sa.select(traces).order_by(traces.c.seq)
            )
            for number, found in enumerate(rows.mappings(), 1):
                row = dict(found)
                whole = row["seq"] == number and row["previous"] == previous
                if not whole or row["hash"] != row_hash(row):
                    return str(row["id"])
                previous = row["hash"]
        return None


def _storable(text: str) -> str:
    """Without NUL characters, which PostgreSQL's text cannot hold; the body has them escaped."""
    return text.replace("\0", "\ufffd")


def _head(connection: sa.Connection) -> tuple[int, str]:
    row = connection.execute(
        sa.select(traces.c.seq, traces.c.hash).order_by(traces.c.seq.desc()).limit(1)
    ).first()
    return (0, START) if row is None else (int(row[0]), str(row[1]))
