"""Who may read a page: its own restrictions, every ancestor's, and the space's permissions.

Atlassian, "Page restrictions" and "Inherited restrictions": view restrictions of a page hold for
all pages under it, and nobody sees a page without seeing its space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from answerable.records.docs import Access, all_of

Readers = tuple[str, ...] | None
"""Principals of whom one must be held; None is open to all, () nobody."""

NOBODY_AT_ALL: Readers = ()


@dataclass(frozen=True, slots=True)
class Restrictions:
    """Read restrictions as one answer shows them; `whole` is False where more is to be read."""

    readers: Readers
    whole: bool


def user_principal(user: Mapping[str, Any]) -> str:
    """`user:ID`: the account id on Cloud, the user name (else its key) on Data Center."""
    for key in ("accountId", "username", "name", "userKey"):
        if user.get(key):
            return f"user:{user[key]}"
    return ""


def group_principal(group: Mapping[str, Any]) -> str:
    """`group:NAME`, or its id where the name is not told."""
    name = group.get("name") or group.get("id")
    return f"group:{name}" if name else ""


def restrictions_of(content: Mapping[str, Any]) -> Restrictions:
    """The read restrictions that were expanded in a content; none shown means nobody."""
    try:
        shown = content["restrictions"]["read"]["restrictions"]
    except (KeyError, TypeError):
        return Restrictions(NOBODY_AT_ALL, whole=False)
    return restrictions_in(shown)


def restrictions_in(shown: Any) -> Restrictions:
    """Restrictions from their `user` and `group` lists; a list that is missing means nobody."""
    principals: list[str] = []
    whole = True
    for kind, principal in (("user", user_principal), ("group", group_principal)):
        part = shown.get(kind) if isinstance(shown, Mapping) else None
        if not isinstance(part, Mapping) or not isinstance(part.get("results"), list):
            return Restrictions(NOBODY_AT_ALL, whole=False)
        principals += [principal(one) for one in part["results"] if isinstance(one, Mapping)]
        whole = whole and not is_cut(part)
    # Restricted to those who are gone, or of a kind not known here, is not the same as open.
    if not any(_holds(part) for kind, part in shown.items() if not kind.startswith("_")):
        return Restrictions(None, whole)
    return Restrictions(tuple(sorted({one for one in principals if one})), whole)


def _holds(part: Any) -> bool:
    """Whether a list has members, shown or only counted."""
    if not isinstance(part, Mapping):
        return bool(part)
    return bool(part.get("results")) or _counted(part) > 0


def _counted(part: Mapping[str, Any]) -> int:
    """How many members a list says that it has; 0 where it does not."""
    counts = [part.get(key) for key in ("size", "totalSize")]
    return max((count for count in counts if isinstance(count, int)), default=0)


def is_cut(part: Mapping[str, Any]) -> bool:
    """Whether a list of an answer may go on behind what is shown."""
    links = part.get("_links")
    if isinstance(links, Mapping) and links.get("next"):
        return True
    limit, start, shown = part.get("limit"), part.get("start"), len(part["results"])
    if _counted(part) > (start if isinstance(start, int) else 0) + shown:
        return True
    return isinstance(limit, int) and 0 < limit <= shown


def joined(parts: Iterable[Restrictions]) -> Readers:
    """Restrictions read in several parts: the principals of all, open only if all are."""
    lists = [part.readers for part in parts]
    shown = [one for one in lists if one is not None]
    return tuple(sorted({one for part in shown for one in part})) if shown else None


def effective(own: Readers, ancestors: Iterable[Readers], space: Readers) -> Access:
    """Who may read a page: one principal of every list must be held."""
    return all_of((own, *ancestors, space))
