"""Whether what a listing does not show any more is really gone.

A search answers from an index of its own, which may be behind, being rebuilt or cut short; so
nothing counts as deleted because a search does not show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Missed:
    """Contents that are there and were not listed; `why` the listing cannot be trusted, or ''."""

    contents: tuple[Mapping[str, Any], ...]
    why: str = ""


def look_again(asking: Asking, ids: Sequence[str], options: Options, boundary: str) -> Missed:
    """Ask for each content that is not listed any more: by the search, then itself.

    With a clause of one's own that only the search can judge, a content that is there but not found
    by it is taken as out of the boundary.
    """
    missed: list[Mapping[str, Any]] = []
    try:
        for batch in batches(ids):
            missed += ask_by_id(asking, batch, LIGHT, boundary)
            if len(missed) > MOST_MISSED:
                return Missed((), _distrust(len(missed)))
        found = {str(one.get("id")) for one in missed}
        for id in ids:
            if id not in found and not options.extra:
                place = f"rest/api/content/{quote(id, '')}"
                content = present(asking, place, [("expand", LIGHT)], HIDDEN)
                if content is not None and _belongs(content, options):
                    missed.append(content)
            if len(missed) > MOST_MISSED:
                return Missed((), _distrust(len(missed)))
    except ServiceError as fault:
        return Missed((), f"what is not listed any more cannot be looked for: {fault.message}")
    return Missed(tuple(missed))


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
