"""The second form: the ledger of syncs, checkpoints of sources, pages that are due."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "syncs",
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
    op.create_table(
        "checkpoints",
        sa.Column("source", sa.String, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("listed_at", sa.String, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("complete_at", sa.String, nullable=False),
    )
    op.create_table(
        "due",
        sa.Column("source", sa.String, primary_key=True),
        sa.Column("page", sa.String, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
    )
