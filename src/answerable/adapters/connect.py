"""Opening the database: pragmas, one writer at a time, the newest form, named faults."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine import make_url

from answerable.adapters import tables
from answerable.errors import AnswerableError, ConfigError, InputError, ServiceError, StaleIndex

WAIT = 60_000
"""Milliseconds that a SQLite writer waits for another."""

_WRITES = "answerable_writes"
_MAKING = 0x414E5357


class Connections:
    """Connections to one database; `reading` and `writing` are whole transactions.

    SQLite writes begin by taking the write lock (BEGIN IMMEDIATE), so two processes wait for one
    another and neither fails halfway. Foreign faults leave as ConfigError, InputError or
    ServiceError.
    """

    def __init__(self, url: str) -> None:
        try:
            self._url = make_url(url)
            self._engine = sa.create_engine(self._url)
        except (exc.ArgumentError, exc.NoSuchModuleError, ImportError, ValueError) as fault:
            raise ConfigError(
                f"not a database that can be opened: {url.partition('@')[2] or url!r}: {fault}",
                "give sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME, which needs "
                "pip install 'answerable[postgres]'",
            ) from fault
        self.name = self._url.render_as_string(hide_password=True)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _prepare)
            event.listen(self._engine, "begin", _begin)
        self._to_newest()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state and changes nothing."""
        with self._faults(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that holds the write lock from its beginning."""
        with self._faults():
            engine = self._engine.execution_options(**{_WRITES: True})
            with engine.begin() as connection:
                yield connection

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def _to_newest(self) -> None:
        with self.reading() as connection:
            found = _version(connection)
        if found == tables.HEAD:
            return
        with self.writing() as connection:
            if connection.dialect.name == "postgresql":
                # two processes that find it empty would both make its tables
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAKING})")
            found = _version(connection)
            if found is None:
                tables.create(connection)
            elif found > tables.HEAD:
                raise StaleIndex(
                    f"the database {self.name} has form {found}; this version knows {tables.HEAD}",
                    "use the version of Answerable that wrote it, or a newer one",
                )
            elif found < tables.HEAD:
                upgrade = importlib.import_module("answerable.adapters.migrations.upgrade")
                upgrade.upgrade(connection)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except exc.SQLAlchemyError as fault:
            raise named(fault, self.name) from fault


def named(fault: exc.SQLAlchemyError, database: str) -> AnswerableError:
    """The fault of the error tree that a database's fault is."""
    text = str(getattr(fault, "orig", None) or fault).strip()
    if isinstance(fault, exc.OperationalError | exc.InterfaceError | exc.TimeoutError):
        lock = "locked" in text or "busy" in text
        hint = (
            "another process is writing; try again"
            if lock
            else "see that it can be reached, and that its folder may be written and has space"
        )
        return ServiceError(f"the database {database} refuses: {text}", hint, retryable=True)
    if isinstance(fault, exc.IntegrityError):
        return InputError(f"the database {database} does not take this: {text}")
    if isinstance(fault, exc.DatabaseError):
        return InputError(
            f"the database {database} is damaged or none: {text}",
            "restore it, or move it away and add the documents again",
        )
    return ServiceError(f"the database {database} fails: {text}")


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(tables.version.name):
        return None
    found: str | None = connection.execute(sa.select(tables.version.c.version_num)).scalar()
    return found


def _prepare(connection: Any, _: object) -> None:
    # The driver's own transactions begin late and without the write lock; ours begin in _begin.
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout = {WAIT}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
