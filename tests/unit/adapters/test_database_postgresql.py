"""The database in PostgreSQL: the same promises, on a server started for these tests."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from answerable.adapters import tables
from answerable.adapters.connect import Connections
from answerable.adapters.database import Database, SourceRow
from answerable.adapters.ledger import Listed
from answerable.adapters.migrations.upgrade import upgrade
from answerable.errors import InputError, NotFound, ServiceError
from answerable.records.answers import Answer, Route, Trace, Verdict
from answerable.records.docs import Access, Block, Document, Span
from answerable.records.index import IngestReport, Skipped

TOOLS = [shutil.which("initdb"), shutil.which("postgres")]
RUNNER = shutil.which("setpriv") if os.geteuid() == 0 else "none needed"

pytestmark = pytest.mark.skipif(
    not all(TOOLS) or not RUNNER or importlib.util.find_spec("psycopg") is None,
    reason="no PostgreSQL server or no psycopg here",
)

PUMP = Document(
    id="0123456789abcdef",
    uri="docs/pump.md",
    title="Pumpe ü",
    text="# Pumpe ü",
    blocks=(Block("heading", Span(0, 9), Span(2, 9), level=1),),
    sha256="a" * 64,
    type="markdown",
    revision="10-1",
    access=Access(readers=("night",)),
    meta=(("space", "OPS"),),
)


def trace(id: str, question: str = "Who?") -> Trace:
    return Trace(
        id=id,
        at="2026-11-30T00:00:00.000Z",
        recipe_hash="r" * 16,
        generation="000001",
        principal="anna",
        question=question,
        route=Route("answer", "covered", (("coverage", 0.75),)),
        rankings=(),
        passages=(),
        answer=Answer("Anna.", "Anna", (), False),
        verdict=Verdict(True),
        seconds=(("lexical", 0.25),),
    )


def as_other(words: Sequence[str]) -> list[str]:
    """A command as a user who is not root: the server refuses to run as root."""
    if os.geteuid():
        return [*words]
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *words]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a running server, without the name of a database."""
    place = Path(tempfile.mkdtemp(prefix="answerable-pg-"))
    if not os.geteuid():
        os.chown(place, 65534, 65534)
    data = str(place / "data")
    initdb, postgres = TOOLS
    made = [initdb, "-D", data, "-U", "keeper", "-A", "trust", "-E", "UTF8", "--no-sync"]
    # of a language that orders letters otherwise than their code points, where it can be
    other = [*made, "--locale-provider=icu", "--icu-locale=en", "--locale=C.UTF-8"]
    if subprocess.run(as_other(other), capture_output=True, cwd=place).returncode:
        subprocess.run(as_other(made), check=True, capture_output=True, cwd=place)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": place}
    words = [postgres, "-D", data, "-F"]
    for name, value in settings.items():
        words += ["-c", f"{name}={value}"]
    running = subprocess.Popen(
        as_other(words), cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"postgresql+psycopg://keeper@127.0.0.1:{port}"
    try:
        _wait_for(url)
        yield url
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(30)
        shutil.rmtree(place, ignore_errors=True)


def _wait_for(url: str) -> None:
    engine = sa.create_engine(f"{url}/postgres")
    for _ in range(200):
        try:
            with engine.connect():
                break
        except sa.exc.OperationalError:
            subprocess.run(["sleep", "0.1"], check=True)
    else:
        raise AssertionError("the server did not start")
    engine.dispose()


@pytest.fixture
def url(server: str, request: pytest.FixtureRequest) -> str:
    """A database of its own for each test."""
    name = f"kb{abs(hash(request.node.name))}"
    engine = sa.create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return f"{server}/{name}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    made = Database(url)
    yield made
    made.close()


def test_documents_come_back_as_they_were(database: Database) -> None:
    database.put(PUMP)
    database.put(replace(PUMP, link="https://new"))
    assert database.get(PUMP.id, PUMP.sha256) == replace(PUMP, link="https://new")
    surrogate = replace(PUMP, sha256="c" * 64, text="lone \ud800 and \x00")
    database.put(surrogate)
    assert database.get(PUMP.id, "c" * 64) == surrogate
    many = [replace(PUMP, id=f"{n:016x}", uri=f"docs/{n}") for n in range(450)]
    assert database.put_many(iter(many)) == 450
    wanted = [(f"{n:016x}", PUMP.sha256) for n in (3, 449, 3, 1000)]
    assert [doc.uri for doc in database.get_many(wanted).values()] == ["docs/3", "docs/449"]
    assert database.prune({(PUMP.id, PUMP.sha256)}) == 451
    with pytest.raises(NotFound):
        database.get(f"{3:016x}", PUMP.sha256)


def test_what_was_done_is_staged(database: Database) -> None:
    database.put(PUMP)
    staging = database.staging
    assert staging.parsed("docs/") == {("docs/pump.md", "10-1"): (PUMP.id, PUMP.sha256)}
    assert staging.parsed("doc_/") == {}
    staging.put_skips([(Skipped("docs/pump.md", "not text"), "10-2")])
    assert (staging.skips(), staging.parsed()) == ({("docs/pump.md", "10-2"): "not text"}, {})
    rows = np.random.default_rng(3).standard_normal((3, 5)).astype(np.float32)
    staging.stage("model", {"k1": rows, "k2": rows[:1], "k3": rows[:0]})
    staging.stage("model", {"k2": rows[1:2]})
    found = staging.staged("model", ["k2", "k1", "k3", "k9"])
    np.testing.assert_array_equal(found["k1"], rows)
    np.testing.assert_array_equal(found["k2"], rows[1:2])
    assert len(found["k3"]) == 0 and set(found) == {"k1", "k2", "k3"}
    database.settle(["docs/pump.md"], set())
    assert staging.staged("model", ["k1"]) == {} == staging.skips()


def test_sources_are_registered_changed_and_forgotten_in_order(database: Database) -> None:
    row = SourceRow("docs", "folder", {"root": "/x", "n": 1}, "2026-11-30")
    for name in ("b", "B", "a-b", "ab", "Ä"):
        database.put_source(replace(row, name=name))
    database.put_source(replace(row, name="b", options={"root": "/y"}))
    # By code points, as SQLite orders them, whatever the server's language.
    assert [one.name for one in database.sources()] == ["B", "a-b", "ab", "b", "Ä"]
    database.forget_source("b")
    with pytest.raises(NotFound, match="'b'"):
        database.forget_source("b")


def test_the_trail_is_a_chain(database: Database) -> None:
    assert database.verify_trail() is None and database.trail.head() == (0, "0" * 64)
    asked = ["Who?", "Wer – \U0001f600?", "100 %s of :this?", "nul \x00 inside"]
    for number, question in enumerate(asked):
        database.record(trace(f"t{number}", question))
    assert [database.trace(f"t{n}").question for n in range(4)] == asked
    assert [one.id for one in database.traces(2)] == ["t3", "t2"]
    assert database.verify_trail() is None and database.trail.head()[0] == 4
    with pytest.raises(InputError):
        database.record(trace("t3"))
    assert database.verify_trail() is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE traces SET question = 'other' WHERE seq = 2",
        "DELETE FROM traces WHERE seq = 2",
        "DELETE FROM traces",
        "TRUNCATE traces",
        "INSERT INTO traces SELECT * FROM traces WHERE seq = 2 "
        "ON CONFLICT (seq) DO UPDATE SET question = 'other'",
    ],
)
def test_the_trail_refuses_change(database: Database, url: str, statement: str) -> None:
    for number in range(3):
        database.record(trace(f"t{number}"))
    engine = sa.create_engine(url)
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()
    assert database.verify_trail() is None


@pytest.mark.parametrize(
    ("statement", "first"),
    [
        ("UPDATE traces SET body = replace(body, 'Anna', 'Bert') WHERE seq = 3", "t2"),
        ("DELETE FROM traces WHERE seq = 2", "t2"),
    ],
)
def test_change_behind_the_triggers_is_found(
    database: Database, url: str, statement: str, first: str
) -> None:
    for number in range(4):
        database.record(trace(f"t{number}"))
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER traces_append_only ON traces")
        connection.exec_driver_sql(statement)
    engine.dispose()
    assert database.verify_trail() == first


def test_processes_that_begin_at_once_make_one_database_and_one_chain(url: str) -> None:
    code = """
        import sys
        from pathlib import Path
        sys.path.insert(0, str(Path(sys.argv[3]).parent))
        from dataclasses import replace
        from answerable.adapters.database import Database
        from test_database_postgresql import PUMP, trace
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
        for who in "abc"
    ]
    for child in children:
        assert child.wait(120) == 0, child.stderr.read().decode()
    database = Database(url)
    assert database.verify_trail() is None and database.trail.head()[0] == 60
    assert len(database.staging.parsed()) == 60
    database.close()


def test_the_ledger_of_syncs(database: Database) -> None:
    report = IngestReport(1, 0, 0, 0, (), generation="000001", seconds=1.0, complete=True)
    ledger = database.ledger
    for recipe in ("one", "two", "one"):
        ledger.record(report, recipe)
    assert ledger.recipes() == ("one", "two")
    assert ledger.last() is not None and ledger.longest_window() is None
    ledger.put_listed([Listed("docs", "page 3", "2026", True, "2026")])
    assert ledger.listed()["docs"].checkpoint == "page 3"
    ledger.queue("docs", ["a", "a", "b"], "2026-11-30")
    assert (ledger.due(), ledger.due("2027")) == (2, 0)
    ledger.serve(["docs"], "2026-12-01")
    assert ledger.due() == 0


def test_the_migrations_make_what_a_fresh_database_is(database: Database, server: str) -> None:
    engine = sa.create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE migrated")
    engine.dispose()
    other = sa.create_engine(f"{server}/migrated")
    with other.begin() as connection:
        upgrade(connection)
    Connections(f"{server}/migrated").close()
    made = [sa.inspect(one) for one in (other, sa.create_engine(_url(database)))]
    for name in tables.metadata.tables:
        columns = [
            [(c["name"], str(c["type"]), c["nullable"]) for c in one.get_columns(name)]
            for one in made
        ]
        assert columns[0] == columns[1], name
        keys = [one.get_pk_constraint(name)["constrained_columns"] for one in made]
        assert keys[0] == keys[1], name
    with other.begin() as connection, pytest.raises(sa.exc.DBAPIError, match="append-only"):
        connection.exec_driver_sql("TRUNCATE traces")


def _url(database: Database) -> str:
    return database._connections._url.render_as_string(hide_password=False)


def test_a_server_that_is_not_there_is_an_outside_fault() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ServiceError, match="refuses"):
        Database(f"postgresql+psycopg://keeper@127.0.0.1:{port}/kb")
