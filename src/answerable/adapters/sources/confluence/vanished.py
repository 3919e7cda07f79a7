"""Whether what a listing does not show any more is really gone.

A search answers from an index of its own, which may be behind, being rebuilt or cut short; so
nothing counts as deleted because a search does not show it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from answerable.adapters.sources.confluence.asking import HIDDEN, Asking, present
from answerable.adapters.sources.confluence.by_id import ask_by_id, batches
from answerable.adapters.sources.confluence.options import Options
from answerable.adapters.sources.confluence.pages import LIGHT, page_of
from answerable.errors import ServiceError

MOST_MISSED = 20
"""Contents that a listing may miss and still be completed one by one."""
MOST_LOST = 20
"""Contents that may go at once, however few stay."""

_LANDSLIDE = (
    "at least {lost} pages are gone at once, or hidden from the user of the token; see its rights, "
    "or if they are gone, add the source again with shrink=true, or `answerable drop` it"
)


@dataclass(frozen=True, slots=True)
class Missed:
    """Contents that are there and were not listed; `why` the listing cannot be trusted, or ''."""

    contents: tuple[Mapping[str, Any], ...]
    why: str = ""


def look_again(
    asking: Asking,
    before: Collection[str],
    listed: Collection[str],
    options: Options,
    boundary: str,
) -> Missed:
    """Ask for each content that is not listed any more: by the search, then itself.

    With a clause of one's own that only the search can judge, a content that is there but not found
    by it is taken as out of the boundary. Where most are gone at once, the listing is not trusted:
    the user of the token may have lost its rights.
    """
    ids = sorted(set(before) - set(listed))
    missed: list[Mapping[str, Any]] = []
    lost = 0
    try:
        for batch in batches(ids):
            missed += ask_by_id(asking, batch, LIGHT, boundary)
            if len(missed) > MOST_MISSED:
                return Missed((), _distrust(len(missed)))
        found = {str(one.get("id")) for one in missed}
        rest = [id for id in ids if id not in found]
        if options.extra:
            lost = len(rest) - sum(len(ask_by_id(asking, batch, "")) for batch in batches(rest))
        for id in () if options.extra else rest:
            place = f"rest/api/content/{quote(id, '')}"
            content = present(asking, place, [("expand", LIGHT)], HIDDEN)
            if content is None:
                lost += 1
            elif _belongs(content, options):
                missed.append(content)
            if len(missed) > MOST_MISSED:
                return Missed((), _distrust(len(missed)))
            if _is_most(lost, len(before)) and not options.shrink:
                break
    except ServiceError as fault:
        return Missed((), f"what is not listed any more cannot be looked for: {fault.message}")
    # A space of the boundary is seen by this user, so that it can be empty.
    all_of_it = lost > 0 and not listed and not missed and not options.spaces
    if (all_of_it or _is_most(lost, len(before))) and not options.shrink:
        return Missed((), _LANDSLIDE.format(lost=lost))
    return Missed(tuple(missed))


def _is_most(lost: int, before: int) -> bool:
    return lost > MOST_LOST and 2 * lost > before


def _distrust(count: int) -> str:
    return f"the listing left out at least {count} pages that are there"


def _belongs(content: Mapping[str, Any], options: Options) -> bool:
    page = page_of(content)
    return (
        content.get("status", "current") == "current"
        and page.type in options.types
        and (not options.spaces or page.space in options.spaces)
        and (not options.labels or bool(set(page.labels) & set(options.labels)))
    )
