"""A listing walked to its end: `_links.next` is followed as it was given, and nothing else.

Atlassian, "Pagination in the REST API": the end of a listing is the absence of `next`; a short or
empty page in the middle is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from answerable.adapters.http.guard import place_of
from answerable.errors import ServiceError

EMPTY_IN_A_ROW = 100
"""Pages without anything new after which a walk counts as one that leads nowhere."""

Query = Sequence[tuple[str, str | int]]


class Web(Protocol):
    """What is asked of an HTTP client."""

    def get_json(self, place: str, params: Query = ()) -> Any:
        """The answer as JSON; ServiceError."""
        ...


@dataclass(frozen=True, slots=True)
class Walk:
    """What a listing gave, each id once; `why` it is not whole, '' if it is.

    `total` is how many the site says there are, -1 if it does not.
    """

    results: tuple[dict[str, Any], ...]
    why: str = ""
    total: int = -1


def walk(web: Web, site: str, place: str, params: Query, most: int) -> Walk:
    """Follow a listing from `place` to its end, or until more than `most` were seen.

    A failing first request raises ServiceError; later faults end the walk with what was seen.
    """
    found: dict[str, dict[str, Any]] = {}
    visited: set[str] = set()
    total, idle = -1, 0
    page = _page(web, place, params)
    while True:
        before = len(found)
        for one in results_of(page):
            found.setdefault(str(one.get("id", "")), one)
        found.pop("", None)
        total = page["totalSize"] if isinstance(page.get("totalSize"), int) else total
        if len(found) > most:
            kept = tuple(found.values())[:most]
            return Walk(kept, f"cut at the limit of {most:,}", total)
        idle = idle + 1 if len(found) == before else 0
        given = next_of(page)
        if not given:
            return Walk(tuple(found.values()), "", total)
        why = ""
        if given in visited:
            why = "paging loop: a page named as its next one a page that was read already"
        elif idle >= EMPTY_IN_A_ROW:
            why = f"paging loop: {idle} pages in a row brought nothing new"
        if not why:
            visited.add(given)
            try:
                page = _page(web, follow(site, place, given), ())
                continue
            except ServiceError as fault:
                why = fault.message
        return Walk(tuple(found.values()), why, total)


def _page(web: Web, place: str, params: Query) -> dict[str, Any]:
    page: dict[str, Any] = web.get_json(place, params)
    results_of(page)
    return page


def results_of(page: Any) -> list[dict[str, Any]]:
    """The objects of one page; ServiceError for what is no page of a listing."""
    found = page.get("results") if isinstance(page, dict) else None
    if not isinstance(found, list):
        raise ServiceError("the site answered without a list of results", retryable=True)
    return [one for one in found if isinstance(one, dict)]


def next_of(page: Any) -> str:
    """Where a page says that the next one is, '' at the end."""
    links = page.get("_links") if isinstance(page, dict) else None
    given = links.get("next") if isinstance(links, dict) else None
    return given if isinstance(given, str) else ""


def follow(site: str, place: str, given: str) -> str:
    """The URL of a link that the site gave, joined to the site with its context path.

    ServiceError for a link to another scheme, host or port.
    """
    origin = place_of(site).origin
    if given.startswith("?"):
        return f"{site.rstrip('/')}/{place.lstrip('/')}{given}"
    path = given.partition("?")[0]
    if "://" in path or path.startswith(("//", "\\", "/\\")):
        there = place_of(given) if "://" in path else None
        if there is None or there.origin != origin:
            raise ServiceError("the site gave a link to another host; it is not followed")
        return given
    context = urlsplit(site).path.rstrip("/")
    if context and path.startswith(context + "/"):
        return origin + given
    return f"{site.rstrip('/')}/{given.lstrip('/')}"
