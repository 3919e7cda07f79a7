"""The first form: documents, sources, what was read or skipped, staged vectors, the trail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables and what keeps the trail append-only."""
    op.create_table(
        "documents",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sources",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("added_at", sa.String, nullable=False),
    )
    op.create_table(
        "parsed",
        sa.Column("uri", sa.String, primary_key=True),
        sa.Column("revision", sa.String, nullable=False),
        sa.Column("document_id", sa.String(16), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
    )
    op.create_table(
        "skips",
        sa.Column("uri", sa.String, primary_key=True),
        sa.Column("revision", sa.String, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_table(
        "staged",
        sa.Column("fingerprint", sa.String, primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.Column("vectors", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "traces",
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
    for statement in _TRIGGERS.get(op.get_bind().dialect.name, ()):
        op.execute(statement)


_TRIGGERS = {
    "sqlite": (
        "CREATE TRIGGER traces_no_update BEFORE UPDATE ON traces "
        "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END",
        "CREATE TRIGGER traces_no_delete BEFORE DELETE ON traces "
        "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END",
        "CREATE TRIGGER traces_no_replace BEFORE INSERT ON traces "
        "WHEN EXISTS (SELECT 1 FROM traces WHERE seq = NEW.seq OR id = NEW.id) "
        "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION answerable_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the trail is append-only'; END $$",
        "CREATE TRIGGER traces_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON traces "
        "FOR EACH STATEMENT EXECUTE FUNCTION answerable_append_only()",
    ),
}
