"""Insert rows or put them in the place of those with the same primary key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import sqlalchemy as sa


def upsert(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """One statement for all rows; a row with a known key replaces the old one."""
    if not rows:
        return
    # only the dialect in use: another's import is a twentieth of a second of every command
    dialect: Any = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    statement = dialect.insert(table)
    keys = [column.name for column in table.primary_key]
    others = {c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys}
    connection.execute(
        statement.on_conflict_do_update(index_elements=keys, set_=others), [dict(r) for r in rows]
    )
