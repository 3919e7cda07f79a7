"""What is asked of a site: its client, its address, and what was learned of it on the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from answerable.adapters.http.reply import Reply
from answerable.adapters.sources.confluence.paging import Query
from answerable.errors import Forbidden, ServiceError

GONE = (404, 410)
HIDDEN = (*GONE, 403)
"""What a site says of a content that is not there, or not for this user."""
UNTOLD = (401, *HIDDEN, 501)
"""What a site says where it keeps something to itself, or does not have it."""


class Site(Protocol):
    """The part of an HTTP client that a site is asked by."""

    def get_json(self, place: str, params: Query = (), *, also: Collection[int] = ()) -> Any:
        """The answer as JSON, None for a status of `also`; ServiceError."""
        ...

    def get(
        self,
        place: str,
        params: Query = (),
        *,
        headers: Mapping[str, str] | None = None,
        also: Collection[int] = (),
    ) -> Reply:
        """The answer; ServiceError unless its status is 2xx or one of `also`."""
        ...


@dataclass(frozen=True, slots=True)
class Asking:
    """A site, and the names of its groups by id as far as they were asked for."""

    web: Site = field(repr=False)
    site: str
    groups: dict[str, str] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Telling:
    """A site that is asked for what it may keep to itself."""

    web: Site = field(repr=False)

    def get_json(self, place: str, params: Query = ()) -> Any:
        """The answer as JSON; Forbidden where the site does not tell, ServiceError."""
        found = self.web.get_json(place, params, also=UNTOLD)
        if found is None:
            raise Forbidden(f"{place}: the site does not tell this user")
        return found


def present(
    asking: Asking, place: str, params: Query = (), gone: Collection[int] = GONE
) -> Mapping[str, Any] | None:
    """An object of the site, None when it is not there (any more); ServiceError."""
    reply = asking.web.get(place, params, headers={"Accept": "application/json"}, also=gone)
    if reply.status in gone:
        return None
    found = reply.json()
    if not isinstance(found, Mapping):
        raise ServiceError("the site answered without an object", retryable=True)
    return found
