"""The ledger of syncs, and the form of a database that was there before it."""

from __future__ import annotations

import sqlalchemy as sa

from answerable.adapters import tables
from answerable.adapters.connect import Connections
from answerable.adapters.database import Database, SourceRow
from answerable.adapters.ledger import Listed
from answerable.adapters.migrations.upgrade import upgrade
from answerable.records.index import Change, Gated, IngestReport, Skipped


def database(tmp_path, name="a.db"):
    return Database(f"sqlite:///{tmp_path / name}")


def report(**more):
    given = {
        "added": 2,
        "changed": 1,
        "unchanged": 5,
        "removed": 1,
        "skipped": (Skipped("x", "why"),),
        "generation": "000002",
        "seconds": 1.5,
        "complete": True,
        "failed": 1,
        "changes": (Change("docs/a", "added", "docs"),),
        "listed_at": "2026-11-30T10:00:00.000Z",
        "swapped_at": "2026-11-30T10:00:30.000Z",
        "swapped": True,
    }
    return IngestReport(**{**given, **more})


def test_the_last_sync_and_the_longest_window(tmp_path):
    ledger = database(tmp_path).ledger
    assert (ledger.last(), ledger.longest_window(), ledger.recipes()) == (None, None, ())
    ledger.record(report(), "one")
    ledger.record(report(deletion_window_seconds=90.5), "two")
    ledger.record(report(deletion_window_seconds=12.0), "one")
    refused = Gated(False, 3, ("said",), ("said",))
    ledger.record(report(gate=refused, swapped=False, generation="000003", failed=0), "")
    last = ledger.last()
    assert (last.generation, last.gate, last.swapped, last.failed) == ("000003", "failed", False, 0)
    assert last.listed_at == "2026-11-30T10:00:00.000Z"
    assert ledger.longest_window() == 90.5
    assert ledger.recipes() == ("one", "two")


def test_checkpoints_and_pages_that_are_due(tmp_path):
    made = database(tmp_path)
    ledger = made.ledger
    wiki = Listed("wiki", "c1", "2026-11-30T10:00:00Z", True, "2026-11-30T10:00:00Z")
    ledger.put_listed([wiki, Listed("docs", "", "2026-11-30T10:00:00Z", False, "")])
    newer = Listed("wiki", "c2", "2026-11-30T11:00:00Z", False, "2026-11-30T10:00:00Z")
    ledger.put_listed([newer])
    assert ledger.listed()["wiki"] == newer
    ledger.queue("wiki", ["7", "8", "7"], "2026-11-30T11:00:01Z")
    ledger.queue("docs", ["a"], "2026-11-30T11:00:02Z")
    assert (ledger.due(), ledger.due("2026-11-30T11:00:01Z")) == (3, 1)
    ledger.queue("wiki", ["7"], "2026-11-30T11:00:05Z")
    ledger.serve(["wiki"], "2026-11-30T11:00:04Z")
    assert ledger.due() == 2  # page 7 was said to have changed again, docs was not listed
    ledger.from_the_start("wiki")
    assert ledger.listed()["wiki"].checkpoint == ""
    assert ledger.listed()["wiki"].complete_at == "2026-11-30T10:00:00Z"
    made.put_source(SourceRow("wiki", "confluence", {}, "now"))
    made.forget_source("wiki")
    assert set(ledger.listed()) == {"docs"} and ledger.due() == 1


def test_a_database_of_the_first_form_is_brought_to_the_newest(tmp_path):
    made = database(tmp_path)
    made.put_source(SourceRow("docs", "folder", {"root": "/x"}, "now"))
    made.close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'a.db'}")
    with engine.begin() as connection:
        for table in (tables.syncs, tables.checkpoints, tables.due):
            table.drop(connection)
        connection.execute(tables.version.update().values(version_num="0001"))
    engine.dispose()
    again = database(tmp_path)
    again.ledger.record(report(), "one")
    again.ledger.queue("docs", ["a"], "2026-11-30T11:00:02Z")
    assert again.sources()[0].options == {"root": "/x"}
    # migrated and fresh databases have the same tables
    assert columns(tmp_path / "a.db") == columns_of_fresh(tmp_path)
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'b.db'}")
    with engine.begin() as connection:
        upgrade(connection)
    engine.dispose()
    assert columns(tmp_path / "b.db") == columns(tmp_path / "a.db")


def columns_of_fresh(tmp_path):
    Connections(f"sqlite:///{tmp_path / 'fresh.db'}").close()
    return columns(tmp_path / "fresh.db")


def columns(path):
    engine = sa.create_engine(f"sqlite:///{path}")
    look = sa.inspect(engine)
    found = {
        table: [(c["name"], str(c["type"]), c["nullable"]) for c in look.get_columns(table)]
        for table in sorted(look.get_table_names())
        if table != "alembic_version"
    }
    engine.dispose()
    return found
