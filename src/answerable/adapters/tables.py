"""The database's tables, and the statements that no abstraction has: triggers of the trail."""

from __future__ import annotations

import sqlalchemy as sa

HEAD = "0002"
"""The newest migration; a fresh database is made at once and marked with it."""

metadata = sa.MetaData()

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("sha256", sa.String(64), primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""Documents as read, by content; `body` is zlib of their canonical JSON."""

sources = sa.Table(
    "sources",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("added_at", sa.String, nullable=False),
)
"""Where documents come from; `options` is a JSON object."""

parsed = sa.Table(
    "parsed",
    metadata,
    sa.Column("uri", sa.String, primary_key=True),
    sa.Column("revision", sa.String, nullable=False),
    sa.Column("document_id", sa.String(16), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
)
"""Which stored document came of a uri at a revision, so that an interrupted add resumes."""

skips = sa.Table(
    "skips",
    metadata,
    sa.Column("uri", sa.String, primary_key=True),
    sa.Column("revision", sa.String, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
"""What could not be read at a revision, and why: not tried again while it is unchanged."""

staged = sa.Table(
    "staged",
    metadata,
    sa.Column("fingerprint", sa.String, primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("rows", sa.Integer, nullable=False),
    sa.Column("vectors", sa.LargeBinary, nullable=False),
)
"""Vectors of an unfinished ingest: `rows` x width float32, little-endian, by searched text."""

syncs = sa.Table(
    "syncs",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("listed_at", sa.String, nullable=False),
    sa.Column("swapped_at", sa.String, nullable=False),
    sa.Column("generation", sa.String, nullable=False),
    sa.Column("added", sa.Integer, nullable=False),
    sa.Column("changed", sa.Integer, nullable=False),
    sa.Column("unchanged", sa.Integer, nullable=False),
    sa.Column("removed", sa.Integer, nullable=False),
    sa.Column("skipped", sa.Integer, nullable=False),
    sa.Column("failed", sa.Integer, nullable=False),
    sa.Column("complete", sa.Boolean, nullable=False),
    sa.Column("swapped", sa.Boolean, nullable=False),
    sa.Column("gate", sa.String, nullable=False),
    sa.Column("deletion_window_seconds", sa.Float, nullable=True),
    sa.Column("recipe", sa.Text, nullable=False),
    sa.Column("report", sa.Text, nullable=False),
)
"""One row per add, sync and drop; `gate` is '', passed or failed, `recipe` and `report` JSON."""

checkpoints = sa.Table(
    "checkpoints",
    metadata,
    sa.Column("source", sa.String, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("listed_at", sa.String, nullable=False),
    sa.Column("complete", sa.Boolean, nullable=False),
    sa.Column("complete_at", sa.String, nullable=False),
)
"""What a source goes on from, and when it was last listed: at all, and completely."""

due = sa.Table(
    "due",
    metadata,
    sa.Column("source", sa.String, primary_key=True),
    sa.Column("page", sa.String, primary_key=True),
    sa.Column("at", sa.String, nullable=False),
)
"""Pages that a source said have changed, until a sync has listed it again."""

traces = sa.Table(
    "traces",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("id", sa.String, nullable=False, unique=True),
    sa.Column("at", sa.String, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("principal", sa.String, nullable=False),
    sa.Column("recipe_hash", sa.String, nullable=False),
    sa.Column("generation", sa.String, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("previous", sa.String(64), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
)
"""The trail: rows are numbered from 1 without gaps, each holds the hash of the one before."""

version = sa.Table(
    "alembic_version", metadata, sa.Column("version_num", sa.String(32), primary_key=True)
)

_SQLITE = (
    "CREATE TRIGGER traces_no_update BEFORE UPDATE ON traces "
    "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END",
    "CREATE TRIGGER traces_no_delete BEFORE DELETE ON traces "
    "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END",
    # INSERT OR REPLACE deletes without firing delete triggers, so it is stopped before.
    "CREATE TRIGGER traces_no_replace BEFORE INSERT ON traces "
    "WHEN EXISTS (SELECT 1 FROM traces WHERE seq = NEW.seq OR id = NEW.id) "
    "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END",
)

_POSTGRESQL = (
    "CREATE FUNCTION answerable_append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the trail is append-only'; END $$",
    "CREATE TRIGGER traces_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON traces "
    "FOR EACH STATEMENT EXECUTE FUNCTION answerable_append_only()",
)

TRIGGERS = {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}
"""What keeps the trail append-only, by dialect."""


def create(connection: sa.Connection) -> None:
    """Make every table and trigger in an empty database, marked with the newest migration."""
    metadata.create_all(connection)
    for statement in TRIGGERS.get(connection.dialect.name, ()):
        connection.exec_driver_sql(statement)
    connection.execute(version.insert().values(version_num=HEAD))
