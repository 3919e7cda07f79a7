"""What only Confluence Data Center does: who may see a space, and how a user is asked for.

Atlassian, "Confluence Data Center REST API", group "Space Permissions" (from version 9.1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from answerable.adapters.sources.confluence.asking import UNTOLD, Asking, present
from answerable.adapters.sources.confluence.restrictions import (
    Readers,
    group_principal,
    user_principal,
)
from answerable.errors import Forbidden, NotFound, ServiceError

_KEY = re.compile(r"[0-9a-f]{32}")


def space_readers(asking: Asking, key: str) -> Readers:
    """Who may see a space; NotFound when there is none, Forbidden when it is not told.

    ServiceError when it cannot be asked for.
    """
    place = f"rest/api/space/{quote(key, '')}"
    shown = asking.web.get_json(f"{place}/permissions", also=UNTOLD)
    if shown is None:
        if present(asking, place) is None:
            raise NotFound(f"the space {key!r} is not there, or not shown to this user")
        raise Forbidden(f"{place}/permissions: the site does not tell this user")
    rows = shown.get("results") if isinstance(shown, Mapping) else shown
    if not isinstance(rows, list):
        raise ServiceError(f"the permissions of space {key!r} are not shown")
    principals: set[str] = set()
    for row in rows:
        if not isinstance(row, Mapping) or not _is_read(row.get("operation")):
            continue
        subject = row.get("subject")
        subject = subject if isinstance(subject, Mapping) else {}
        kind = str(subject.get("type", "")).lower()
        if kind == "anonymous":
            return None
        if kind == "group":
            principals.add(group_principal(subject))
        elif kind == "user":
            principals.add(_user(asking, subject))
    return tuple(sorted(principals - {""}))


def _user(asking: Asking, subject: Mapping[str, Any]) -> str:
    """A user by name: this list names users by their keys, restrictions by their names."""
    if subject.get("username") or not subject.get("userKey"):
        return user_principal(subject)
    shown = present(asking, "rest/api/user", [("key", str(subject["userKey"]))])
    return user_principal(shown or subject)


def _is_read(operation: Any) -> bool:
    return (
        isinstance(operation, Mapping)
        and operation.get("operationKey", operation.get("operation")) == "read"
        and operation.get("targetType", "space") == "space"
    )


def user_queries(user: str) -> list[tuple[str, str]]:
    """The parameters by which a user may be asked for: mentions hold keys or names."""
    by_key, by_name = ("key", user), ("username", user)
    return [by_key, by_name] if _KEY.fullmatch(user) else [by_name, by_key]
