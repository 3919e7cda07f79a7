"""The ledger of syncs: what each did, where each source goes on from, which pages are due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from answerable.adapters.connect import Connections
from answerable.adapters.tables import checkpoints, due, syncs
from answerable.adapters.upsert import upsert
from answerable.records.codec import canonical_json
from answerable.records.index import IngestReport


@dataclass(frozen=True, slots=True)
class Listed:
    """When a source was listed last, at all and completely (ISO 8601 UTC, '' if never)."""

    source: str
    checkpoint: str
    listed_at: str
    complete: bool
    complete_at: str


@dataclass(frozen=True, slots=True)
class LastSync:
    """What the newest row of the ledger says."""

    listed_at: str
    swapped_at: str
    generation: str
    failed: int
    complete: bool
    swapped: bool
    gate: str


class Ledger:
    """Rows are written after a generation stands, so a crash before leaves what was."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def record(self, report: IngestReport, recipe: str) -> None:
        """Append a sync; `recipe` is the canonical JSON of the one that made its generation."""
        gate = "" if report.gate is None else "passed" if report.gate.passed else "failed"
        row = {
            "listed_at": report.listed_at,
            "swapped_at": report.swapped_at,
            "generation": report.generation,
            "added": report.added,
            "changed": report.changed,
            "unchanged": report.unchanged,
            "removed": report.removed,
            "skipped": len(report.skipped),
            "failed": report.failed,
            "complete": report.complete,
            "swapped": report.swapped,
            "gate": gate,
            "deletion_window_seconds": report.deletion_window_seconds,
            "recipe": recipe,
            "report": canonical_json(report),
        }
        with self._connections.writing() as connection:
            connection.execute(syncs.insert().values(**row))

    def last(self) -> LastSync | None:
        """The newest sync; None before the first."""
        names = [syncs.c[name] for name in LastSync.__slots__]
        with self._connections.reading() as connection:
            row = connection.execute(sa.select(*names).order_by(syncs.c.id.desc()).limit(1)).first()
        return None if row is None else LastSync(*row)

    def recipes(self, most: int = 20) -> tuple[str, ...]:
        """The different recipes that made generations, as canonical JSON, the newest first."""
        query = (
            sa.select(syncs.c.recipe)
            .where(syncs.c.recipe != "")
            .group_by(syncs.c.recipe)
            .order_by(sa.func.max(syncs.c.id).desc())
            .limit(most)
        )
        with self._connections.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def longest_window(self) -> float | None:
        """The longest deletion window measured, in seconds; None where none was."""
        query = sa.select(sa.func.max(syncs.c.deletion_window_seconds))
        with self._connections.reading() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else float(found)

    def listed(self) -> dict[str, Listed]:
        """The sources that were listed, by name."""
        with self._connections.reading() as connection:
            rows = connection.execute(sa.select(checkpoints)).all()
        return {
            row.source: Listed(row.source, row.value, row.listed_at, row.complete, row.complete_at)
            for row in rows
        }

    def put_listed(self, found: Iterable[Listed]) -> None:
        """Note sources as listed now."""
        rows = [
            {
                "source": one.source,
                "value": one.checkpoint,
                "listed_at": one.listed_at,
                "complete": one.complete,
                "complete_at": one.complete_at,
            }
            for one in found
        ]
        with self._connections.writing() as connection:
            upsert(connection, checkpoints, rows)

    def from_the_start(self, source: str = "") -> None:
        """Let a source, or all, list from the start: what is indexed is not what it listed."""
        statement = checkpoints.update().values(value="")
        if source:
            statement = statement.where(checkpoints.c.source == source)
        with self._connections.writing() as connection:
            connection.execute(statement)

    def forget(self, source: str) -> None:
        """Drop what is noted of a source."""
        with self._connections.writing() as connection:
            connection.execute(checkpoints.delete().where(checkpoints.c.source == source))
            connection.execute(due.delete().where(due.c.source == source))

    def queue(self, source: str, pages: Sequence[str], at: str) -> None:
        """Note pages that a source said have changed."""
        rows = [{"source": source, "page": page, "at": at} for page in dict.fromkeys(pages)]
        with self._connections.writing() as connection:
            upsert(connection, due, rows)

    def due(self, after: str = "") -> int:
        """How many pages are due that were noted after a time."""
        query = sa.select(sa.func.count()).select_from(due).where(due.c.at > after)
        with self._connections.reading() as connection:
            return int(connection.execute(query).scalar() or 0)

    def serve(self, sources: Sequence[str], until: str) -> None:
        """What was due of these sources before a time has been listed."""
        with self._connections.writing() as connection:
            connection.execute(due.delete().where(due.c.source.in_(sources), due.c.at <= until))
