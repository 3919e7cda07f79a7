"""What only Confluence Cloud does: who may see a space, and how a user is asked for.

Atlassian, "Confluence Cloud REST API": v1 `space?expand=permissions`, v2 `spaces/{id}/permissions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from answerable.adapters.sources.confluence.asking import UNTOLD, Asking, Telling, present
from answerable.adapters.sources.confluence.paging import walk
from answerable.adapters.sources.confluence.restrictions import (
    Readers,
    group_principal,
    is_cut,
    user_principal,
)
from answerable.errors import NotFound, ServiceError

_MOST = 10_000


def space_readers(asking: Asking, key: str) -> Readers:
    """Who may see a space; NotFound when there is none, Forbidden when it is not told.

    ServiceError when it cannot be asked for.
    """
    place = f"rest/api/space/{quote(key, '')}"
    shown = asking.web.get_json(place, [("expand", "permissions")], also=UNTOLD)
    rows = shown.get("permissions") if isinstance(shown, Mapping) else None
    if isinstance(rows, list):
        found = _first(rows)
        if found is not None:
            return found[0]
    return _second(asking, key)


def _first(rows: list[Any]) -> tuple[Readers] | None:
    """The first API's form; None where a list is cut or nothing of reading is shown."""
    principals: set[str] = set()
    seen = False
    for row in rows:
        if not isinstance(row, Mapping) or not _is_read(row.get("operation"), "operation"):
            continue
        seen = True
        if row.get("anonymousAccess") is True:
            return (None,)
        subjects = row.get("subjects")
        for kind, principal in (("user", user_principal), ("group", group_principal)):
            part = subjects.get(kind) if isinstance(subjects, Mapping) else None
            if not isinstance(part, Mapping) or not isinstance(part.get("results"), list):
                continue
            if is_cut(part):
                return None
            principals |= {principal(one) for one in part["results"] if isinstance(one, Mapping)}
    return (tuple(sorted(principals - {""})),) if seen else None


def _second(asking: Asking, key: str) -> Readers:
    """The second API's form: principals by id, so groups are asked for their names."""
    web = Telling(asking.web)
    found = walk(web, asking.site, "api/v2/spaces", [("keys", key)], _MOST)
    space = next((one for one in found.results if one.get("key") == key), None)
    if space is None:
        raise NotFound(f"the space {key!r} is not there, or not shown to this user")
    id = quote(str(space["id"]), "")
    rows = walk(web, asking.site, f"api/v2/spaces/{id}/permissions", [("limit", 250)], _MOST)
    if rows.why:
        raise ServiceError(f"the permissions of space {key!r}: {rows.why}")
    principals: set[str] = set()
    for row in rows.results:
        who = row.get("principal")
        if not isinstance(who, Mapping) or not _is_read(row.get("operation"), "key"):
            continue
        kind, name = str(who.get("type", "")).lower(), str(who.get("id", ""))
        if kind == "user" and name:
            principals.add(f"user:{name}")
        elif kind == "group" and name:
            principals.add(f"group:{_group_name(asking, name)}")
    return tuple(sorted(principals))


def _group_name(asking: Asking, id: str) -> str:
    if id not in asking.groups:
        try:
            shown = present(asking, "rest/api/group/by-id", [("id", id)])
        except ServiceError:
            shown = None
        name = shown.get("name") if shown else None
        asking.groups[id] = name if isinstance(name, str) and name else id
    return asking.groups[id]


def _is_read(operation: Any, key: str) -> bool:
    return (
        isinstance(operation, Mapping)
        and operation.get(key) == "read"
        and operation.get("targetType") == "space"
    )


def user_queries(user: str) -> list[tuple[str, str]]:
    """The parameters by which a user may be asked for."""
    return [("accountId", user)]
