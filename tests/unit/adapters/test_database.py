"""The database: what goes in comes out, two processes write at once, the trail holds."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest
import sqlalchemy as sa

from answerable.adapters import tables
from answerable.adapters.connect import named
from answerable.adapters.database import Database, SourceRow
from answerable.adapters.migrations.upgrade import upgrade
from answerable.errors import ConfigError, InputError, NotFound, ServiceError, StaleIndex
from answerable.records.answers import Answer, Route, Trace, Verdict
from answerable.records.docs import Access, Block, Document, Link, Span
from answerable.records.index import Hit, Skipped

PUMP = Document(
    id="0123456789abcdef",
    uri="docs/pump.md",
    title="Pumpe ü",
    text="# Pumpe ü\n\n| a |",
    blocks=(
        Block("heading", Span(0, 9), Span(2, 9), level=1),
        Block("table", Span(11, 16), Span(11, 16), cells=(("a",),), rows=(Span(11, 16),), header=1),
    ),
    sha256="a" * 64,
    type="markdown",
    links=(Link(Span(2, 7), "docs/x.md"),),
    revision="10-1",
    access=Access(readers=("night",)),
    meta=(("space", "OPS"),),
    notes=("one",),
    includes=("docs/y.md",),
)


def trace(id, question="Who?"):
    return Trace(
        id=id,
        at="2026-11-30T00:00:00.000Z",
        recipe_hash="r" * 16,
        generation="000001",
        principal="anna",
        question=question,
        route=Route("answer", "covered", (("coverage", 0.75),)),
        rankings=(("lexical", (Hit("c" * 16, 1.25, "lexical"),)),),
        passages=(),
        answer=Answer("Anna.", "Anna", (), False),
        verdict=Verdict(True),
        seconds=(("lexical", 0.25),),
    )


@pytest.fixture
def database(tmp_path):
    made = Database(f"sqlite:///{tmp_path / 'kb.db'}")
    yield made
    made.close()


def raw(tmp_path):
    return sqlite3.connect(tmp_path / "kb.db", isolation_level=None)


def test_documents_come_back_as_they_were(database):
    database.put(PUMP)
    assert database.get(PUMP.id, PUMP.sha256) == PUMP
    database.put(replace(PUMP, link="https://new"))
    assert database.get(PUMP.id, PUMP.sha256).link == "https://new"
    with pytest.raises(NotFound):
        database.get(PUMP.id, "b" * 64)
    surrogate = replace(PUMP, sha256="c" * 64, text="lone \ud800")
    database.put(surrogate)
    assert database.get(PUMP.id, "c" * 64) == surrogate


def test_many_at_once_and_several_by_key(database):
    many = [replace(PUMP, id=f"{n:016x}", uri=f"docs/{n}") for n in range(450)]
    assert database.put_many(iter(many)) == 450
    wanted = [(f"{n:016x}", PUMP.sha256) for n in (3, 449, 3, 1000)]
    assert [doc.uri for doc in database.get_many(wanted).values()] == ["docs/3", "docs/449"]


def test_a_damaged_row_is_named(database, tmp_path):
    database.put(PUMP)
    raw(tmp_path).execute("UPDATE documents SET body = x'00'")
    with pytest.raises(InputError, match=PUMP.id):
        database.get(PUMP.id, PUMP.sha256)


def test_versions_that_no_generation_holds_are_pruned(database):
    versions = [replace(PUMP, sha256=letter * 64) for letter in "abc"]
    database.put_many(versions)
    assert database.prune({(PUMP.id, "b" * 64)}) == 2
    assert database.get(PUMP.id, "b" * 64).sha256 == "b" * 64
    with pytest.raises(NotFound):
        database.get(PUMP.id, "a" * 64)
    # the uri was last read as version c, which is gone: it has to be read again
    assert database.staging.parsed() == {}


def test_an_interrupted_ingest_finds_what_was_done(database):
    database.put(PUMP)
    staging = database.staging
    assert staging.parsed("docs/") == {("docs/pump.md", "10-1"): (PUMP.id, PUMP.sha256)}
    assert staging.parsed("doc_/") == {}
    staging.put_skips([(Skipped("docs/pump.md", "not text"), "10-2")])
    assert staging.skips("docs/") == {("docs/pump.md", "10-2"): "not text"}
    assert staging.parsed() == {}
    database.put(PUMP)
    assert staging.skips() == {} and len(staging.parsed()) == 1
    staging.forget(["docs/pump.md"])
    assert staging.parsed() == {}


def test_staged_vectors_come_back_to_the_bit(database):
    rows = np.random.default_rng(3).standard_normal((3, 5)).astype(np.float32)
    database.staging.stage("model", {"k1": rows, "k2": rows[:1], "k3": rows[:0]})
    found = database.staging.staged("model", ["k2", "k1", "k3", "k9"])
    assert set(found) == {"k1", "k2", "k3"} and len(found["k3"]) == 0
    np.testing.assert_array_equal(found["k1"], rows)
    assert found["k2"].shape == (1, 5) and found["k1"].dtype == np.float32
    assert database.staging.staged("another", ["k1"]) == {}
    many = database.staging.staged("model", [str(n) for n in range(5000)])
    assert many == {}
    database.settle([], set())
    assert database.staging.staged("model", ["k1"]) == {}


def test_sources_are_registered_changed_and_forgotten(database):
    row = SourceRow("docs", "folder", {"root": "/x", "n": 1}, "2026-11-30")
    database.put_source(row)
    database.put_source(replace(row, options={"root": "/y"}))
    assert database.sources() == (replace(row, options={"root": "/y"}),)
    database.forget_source("docs")
    assert database.sources() == ()
    with pytest.raises(NotFound, match="docs"):
        database.forget_source("docs")


def test_the_trail_is_a_chain(database):
    assert database.verify_trail() is None and database.trail.head() == (0, "0" * 64)
    for number in range(5):
        database.record(trace(f"t{number}"))
    assert database.trace("t3") == trace("t3")
    assert [one.id for one in database.traces(2)] == ["t4", "t3"]
    assert [one.id for one in database.trail.traces(2, before=3)] == ["t1", "t0"]
    assert database.verify_trail() is None and database.trail.head()[0] == 5
    with pytest.raises(NotFound):
        database.trace("t9")
    with pytest.raises(InputError):
        database.record(trace("t3"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE traces SET question = 'other' WHERE seq = 2",
        "DELETE FROM traces WHERE seq = 2",
        "DELETE FROM traces",
        "INSERT OR REPLACE INTO traces SELECT seq, id, at, 'other', principal, recipe_hash, "
        "generation, body, previous, hash FROM traces WHERE seq = 2",
    ],
)
def test_the_trail_refuses_change(database, tmp_path, statement):
    for number in range(3):
        database.record(trace(f"t{number}"))
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw(tmp_path).execute(statement)
    assert database.verify_trail() is None


@pytest.mark.parametrize(
    ("statement", "first"),
    [
        ("UPDATE traces SET question = 'other' WHERE seq = 2", "t1"),
        ("UPDATE traces SET body = replace(body, 'Anna', 'Bert') WHERE seq = 3", "t2"),
        ("UPDATE traces SET hash = 'f' WHERE seq = 1", "t0"),
        ("DELETE FROM traces WHERE seq = 2", "t2"),
        ("DELETE FROM traces WHERE seq = 1", "t1"),
        ("UPDATE traces SET seq = 9 WHERE seq = 2", "t2"),
    ],
)
def test_change_behind_the_triggers_is_found(database, tmp_path, statement, first):
    for number in range(4):
        database.record(trace(f"t{number}"))
    behind = raw(tmp_path)
    for name in ("update", "delete", "replace"):
        behind.execute(f"DROP TRIGGER traces_no_{name}")
    behind.execute(statement)
    assert database.verify_trail() == first


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path):
    url = f"sqlite:///{tmp_path / 'kb.db'}"
    code = """
        import sys
        from pathlib import Path
        sys.path.insert(0, str(Path(sys.argv[3]).parent))
        from dataclasses import replace
        from answerable.adapters.database import Database
        from test_database import PUMP, trace
        database = Database(sys.argv[1])
        for n in range(20):
            database.record(trace(f"{sys.argv[2]}-{n}"))
            database.put(replace(PUMP, id=f"{n:08x}{sys.argv[2]}", uri=f"{sys.argv[2]}/{n}"))
    """
    children = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), url, who * 8, __file__],
            stderr=subprocess.PIPE,
        )
        for who in "ab"
    ]
    for child in children:
        assert child.wait() == 0, child.stderr.read().decode()
    database = Database(url)
    assert database.verify_trail() is None and database.trail.head()[0] == 40
    assert len(database.staging.parsed()) == 40
    database.close()


def schema(path):
    rows = sqlite3.connect(path).execute(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
    )
    return {name: " ".join((sql or "").split()) for name, sql in rows}


def test_the_migrations_make_what_a_fresh_database_is(tmp_path, database):
    other = sa.create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    with other.begin() as connection:
        upgrade(connection)
    inspected = [
        sa.inspect(sa.create_engine(f"sqlite:///{tmp_path / n}.db")) for n in ("kb", "migrated")
    ]
    for name in (*tables.metadata.tables,):
        columns = [
            [
                (c["name"], str(c["type"]), c["nullable"], c["primary_key"])
                for c in i.get_columns(name)
            ]
            for i in inspected
        ]
        assert columns[0] == columns[1]
        uniques = [[u["column_names"] for u in i.get_unique_constraints(name)] for i in inspected]
        assert uniques[0] == uniques[1]
    fresh, migrated = schema(tmp_path / "kb.db"), schema(tmp_path / "migrated.db")
    triggers = {name: sql for name, sql in fresh.items() if "TRIGGER" in sql}
    assert len(triggers) == 3
    assert triggers == {name: sql for name, sql in migrated.items() if "TRIGGER" in sql}
    with other.connect() as connection:
        assert connection.execute(sa.select(tables.version)).scalar() == tables.HEAD


def test_opening_an_up_to_date_database_does_not_load_alembic(database, tmp_path):
    code = "import sys; from answerable.adapters.database import Database; "
    code += f"Database('sqlite:///{tmp_path / 'kb.db'}'); print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_database_whose_making_was_cut_off_is_made(tmp_path):
    behind = raw(tmp_path)
    behind.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    database = Database(f"sqlite:///{tmp_path / 'kb.db'}")
    database.put(PUMP)
    assert database.get(PUMP.id, PUMP.sha256) == PUMP


def test_a_newer_database_is_refused(database, tmp_path):
    raw(tmp_path).execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StaleIndex, match="9999"):
        Database(f"sqlite:///{tmp_path / 'kb.db'}")


def test_what_is_no_database_is_named(tmp_path):
    (tmp_path / "text.db").write_text("no database at all " * 100)
    with pytest.raises(InputError, match=r"text\.db"):
        Database(f"sqlite:///{tmp_path / 'text.db'}")
    with pytest.raises(ServiceError, match="unable to open"):
        Database(f"sqlite:///{tmp_path / 'none' / 'x.db'}")
    for url in ("nonsense", "oracle+nothing://x", "mysql://user:secret@host/x"):
        with pytest.raises(ConfigError) as fault:
            Database(url)
        assert "secret" not in str(fault.value)


def test_every_foreign_fault_has_a_place_in_the_error_tree():
    from sqlalchemy import exc

    def every(kind):
        return {kind, *(one for sub in kind.__subclasses__() for one in every(sub))}

    for kind in every(exc.DBAPIError):
        fault = kind("select 1", {}, Exception("database is locked"))
        made = named(fault, "kb")
        assert isinstance(made, ServiceError | InputError), kind
    locked = named(exc.OperationalError("x", {}, Exception("database is locked")), "kb")
    assert isinstance(locked, ServiceError) and locked.retryable
    integrity = named(exc.IntegrityError("x", {}, Exception("UNIQUE")), "kb")
    assert isinstance(integrity, InputError)
