"""Contents by their ids, many with one request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from answerable.adapters.sources.confluence.asking import Asking
from answerable.adapters.sources.confluence.cql import all_clauses, among
from answerable.adapters.sources.confluence.paging import Query, walk
from answerable.errors import ServiceError

SEARCH = "rest/api/content/search"
AT_ONCE = 50
"""Contents with their bodies that both deployments give at once."""


def batches(ids: Sequence[str], size: int = AT_ONCE) -> Iterator[Sequence[str]]:
    """The ids in their order, some at a time."""
    for first in range(0, len(ids), size):
        yield ids[first : first + size]


def search_query(cql: str, expand: str, limit: int) -> Query:
    """The parameters of a search."""
    return [("cql", cql), ("expand", expand), ("limit", limit)]


def ask_by_id(
    asking: Asking, ids: Sequence[str], expand: str, within: str = ""
) -> tuple[dict[str, Any], ...]:
    """Those of up to 50 contents that are found; ServiceError when not all were looked for.

    `within` is a clause that they must fulfil as well.
    """
    cql = all_clauses(among("id", ids), f"({within})" if within else "")
    found = walk(asking.web, asking.site, SEARCH, search_query(cql, expand, AT_ONCE), len(ids))
    if found.why:
        raise ServiceError(f"looking for {len(ids)} contents by id: {found.why}", retryable=True)
    return found.results


def contents_by_id(asking: Asking, ids: Sequence[str], expand: str) -> Iterator[dict[str, Any]]:
    """Those of the contents that are found; a batch that fails is left out."""
    for batch in batches(ids):
        try:
            yield from ask_by_id(asking, batch, expand)
        except ServiceError:
            continue
