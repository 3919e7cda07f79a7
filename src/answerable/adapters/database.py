"""The database: documents by content, sources, staged work and the trail, filling `ports.Archive`.

SQLite in a file by default (WAL, one writer, others wait), PostgreSQL by its URL.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa

from answerable.adapters.audit import Trail
from answerable.adapters.connect import Connections
from answerable.adapters.ledger import Ledger
from answerable.adapters.staging import Staging
from answerable.adapters.tables import documents, parsed, skips, sources
from answerable.adapters.upsert import upsert
from answerable.errors import InputError, NotFound
from answerable.records.answers import Trace
from answerable.records.codec import canonical_json, from_plain
from answerable.records.docs import Document
from answerable.records.index import Skipped


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A registered source: what `kind` of the parts table it is, with its options."""

    name: str
    kind: str
    options: Mapping[str, Any]
    added_at: str


_AT_ONCE = 200


class Database:
    """Everything that is kept beside the index; `url` as SQLAlchemy writes it.

    Raises ConfigError for a URL that cannot be used, InputError for a file that is no database,
    StaleIndex for one of a newer version, ServiceError (retryable) when it cannot be reached.
    """

    def __init__(self, url: str) -> None:
        self._connections = Connections(url)
        self.staging = Staging(self._connections)
        self.trail = Trail(self._connections)
        self.ledger = Ledger(self._connections)

    def put(self, document: Document) -> None:
        """Keep a document under its id and sha256, in place of one with the same content."""
        self.put_many((document,))

    def put_many(self, many: Iterable[Document]) -> int:
        """Keep documents, a transaction for every 200; returns how many.

        Each is also noted as what its uri at its revision reads as, so that an interrupted
        ingest need not read it again.
        """
        rest, count = iter(many), 0
        while batch := list(islice(rest, _AT_ONCE)):
            self._put(batch)
            count += len(batch)
        return count

    def get(self, document_id: str, sha256: str) -> Document:
        """The document with this content; NotFound, or InputError when its row is damaged."""
        found = self.get_many(((document_id, sha256),))
        if not found:
            raise NotFound(
                f"no document {document_id} with content {sha256[:12]} is kept",
                "add its source again",
            )
        return found[document_id, sha256]

    def get_many(self, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Document]:
        """Those documents that are kept of the (id, sha256) wanted."""
        query = sa.select(documents.c.body).where(
            documents.c.id == sa.bindparam("id"), documents.c.sha256 == sa.bindparam("sha256")
        )
        found = {}
        with self._connections.reading() as connection:
            for document_id, sha in dict.fromkeys(wanted):
                values = {"id": document_id, "sha256": sha}
                body = connection.execute(query, values).scalar()
                if body is not None:
                    found[document_id, sha] = _unpacked(document_id, body)
        return found

    def prune(self, keep: AbstractSet[tuple[str, str]]) -> int:
        """Delete document versions that are not in `keep` (id, sha256); returns how many."""
        with self._connections.writing() as connection:
            pairs = connection.execute(sa.select(documents.c.id, documents.c.sha256)).all()
            gone = [
                {"gone_id": row.id, "gone_sha": row.sha256}
                for row in pairs
                if (row.id, row.sha256) not in keep
            ]
            if gone:
                for table, column in ((documents, documents.c.id), (parsed, parsed.c.document_id)):
                    statement = table.delete().where(
                        column == sa.bindparam("gone_id"),
                        table.c.sha256 == sa.bindparam("gone_sha"),
                    )
                    connection.execute(statement, gone)
        return len(gone)

    def sources(self) -> tuple[SourceRow, ...]:
        """The registered sources, by name."""
        with self._connections.reading() as connection:
            rows = connection.execute(sa.select(sources)).all()
        # not ordered by the database, whose language decides what comes first
        return tuple(
            SourceRow(row.name, row.kind, json.loads(row.options), row.added_at)
            for row in sorted(rows, key=lambda row: str(row.name))
        )

    def put_source(self, source: SourceRow) -> None:
        """Register a source, or change the one of that name."""
        row = {
            "name": source.name,
            "kind": source.kind,
            "options": canonical_json(dict(source.options)),
            "added_at": source.added_at,
        }
        with self._connections.writing() as connection:
            upsert(connection, sources, [row])

    def forget_source(self, name: str) -> None:
        """Drop a source; its documents go with the next sync. NotFound when there is none."""
        with self._connections.writing() as connection:
            if not connection.execute(sources.delete().where(sources.c.name == name)).rowcount:
                raise NotFound(f"no source is named {name!r}", "`answerable status` lists them")
        self.ledger.forget(name)

    def record(self, trace: Trace) -> None:
        """Append a trace to the trail; InputError when its id is there already."""
        self.trail.record(trace)

    def trace(self, trace_id: str) -> Trace:
        """The trace of an id; NotFound."""
        return self.trail.trace(trace_id)

    def traces(self, limit: int = 50) -> tuple[Trace, ...]:
        """The newest traces first."""
        return self.trail.traces(limit)

    def verify_trail(self) -> str | None:
        """The id of the first row of the trail that is not as written; None if all are."""
        return self.trail.broken()

    def parsed(self) -> dict[tuple[str, str], tuple[str, str]]:
        """(uri, revision) -> (document id, sha256) of what was read before."""
        return self.staging.parsed()

    def skips(self) -> dict[tuple[str, str], str]:
        """(uri, revision) -> why it could not be read before."""
        return self.staging.skips()

    def put_skips(self, entries: Iterable[tuple[Skipped, str]]) -> None:
        """Note (what was skipped, its revision); the newest for a uri counts."""
        self.staging.put_skips(entries)

    def forget(self, uris: Sequence[str]) -> None:
        """Drop what is noted of uris that are gone from their source."""
        self.staging.forget(uris)

    def settle(self, gone: Sequence[str], keep: AbstractSet[tuple[str, str]]) -> None:
        """Drop staged vectors, notes on uris that are gone, and versions not in `keep`."""
        self.staging.forget_staged()
        if gone:
            self.staging.forget(gone)
        self.prune(keep)

    def close(self) -> None:
        """Close every connection."""
        self._connections.close()

    def _put(self, batch: list[Document]) -> None:
        bodies = {
            (one.id, one.sha256): {"id": one.id, "sha256": one.sha256, "body": _packed(one)}
            for one in batch
        }
        read = {
            one.uri: {
                "uri": one.uri,
                "revision": one.revision,
                "document_id": one.id,
                "sha256": one.sha256,
            }
            for one in batch
        }
        with self._connections.writing() as connection:
            upsert(connection, documents, list(bodies.values()))
            upsert(connection, parsed, list(read.values()))
            connection.execute(skips.delete().where(skips.c.uri.in_(list(read))))


def _packed(document: Document) -> bytes:
    return zlib.compress(canonical_json(document).encode("utf-8", "surrogatepass"), 3)


def _unpacked(document_id: str, body: bytes) -> Document:
    try:
        plain = json.loads(zlib.decompress(body).decode("utf-8", "surrogatepass"))
    except (zlib.error, ValueError) as fault:
        raise InputError(
            f"the stored document {document_id} is damaged: {fault}", "add its source again"
        ) from fault
    return from_plain(Document, plain)
