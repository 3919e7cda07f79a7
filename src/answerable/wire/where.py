"""The keys that documents can be chosen by: what `where` may name in one generation."""

from __future__ import annotations

from answerable.errors import UsageError
from answerable.ports import Snapshot
from answerable.records.index import Filter

ALWAYS = ("language", "source", "type", "uri")


def check_where(snapshot: Snapshot, filter: Filter) -> None:
    """UsageError for a key of `filter.where` that no document has, naming those there are.

    Only documents that the filter's principals may read are looked at, so that the message says
    nothing of hidden ones; rows are read only when a key is not one that every document has.
    """
    asked = [(key, value) for key, value in filter.where if key not in ALWAYS]
    if not asked:
        return
    who = filter.principals
    keys = {
        key
        for row in snapshot.documents().values()
        if who is None or row.access.allows(frozenset(who))
        for key, _ in row.meta
    }
    for key, value in asked:
        if key not in keys:
            raise UsageError(
                f"where {key}={value}: no document has the key {key!r}",
                f"keys here: {', '.join(sorted({*ALWAYS, *keys}))}",
            )
