"""Contents with their bodies, fetched many at a time in the order they will be asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from answerable.adapters.sources.confluence.asking import Asking, present
from answerable.adapters.sources.confluence.by_id import AT_ONCE, ask_by_id
from answerable.errors import ServiceError

_KEPT = 4 * AT_ONCE
"""Contents kept in memory: those ahead, and those that other pages show over and over."""
_BODY = "body.storage,version"


class Bodies:
    """Contents by id; a bulk request that fails costs its contents one request each."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._order: dict[str, int] = {}
        self._ids: Sequence[str] = ()
        self._kept: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self._singly: set[str] = set()

    def expect(self, ids: Sequence[str]) -> None:
        """These will be asked for, in this order."""
        self._ids = list(dict.fromkeys(ids))
        self._order = {id: at for at, id in enumerate(self._ids)}
        self._kept.clear()
        self._singly.clear()

    def content(self, id: str) -> Mapping[str, Any]:
        """A content with its storage body and version; ServiceError, also when it is gone."""
        if id not in self._kept and id in self._order and id not in self._singly:
            self._fill(self._order[id])
        if id in self._kept:
            self._kept.move_to_end(id)
            return self._kept[id]
        return self._keep(self.one(id, _BODY))

    def one(self, id: str, expand: str) -> Mapping[str, Any]:
        """A content asked for alone; ServiceError, also when it is gone."""
        place = f"rest/api/content/{quote(id, '')}"
        found = present(self._asking, place, [("expand", expand)])
        if found is None or found.get("status", "current") != "current":
            raise ServiceError(
                f"content {id} is not there any more", "the next sync takes it out if it is gone"
            )
        return found

    def _fill(self, at: int) -> None:
        wanted = [
            id
            for id in self._ids[at : at + AT_ONCE]
            if id not in self._kept and id not in self._singly
        ]
        if len(wanted) > 1:
            try:
                for content in ask_by_id(self._asking, wanted, _BODY):
                    self._keep(content)
            except ServiceError:
                pass
        # What a bulk answer did not hold is asked for alone, when its turn comes.
        self._singly.update(wanted)

    def _keep(self, content: Mapping[str, Any]) -> Mapping[str, Any]:
        self._kept[str(content.get("id", ""))] = content
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return content
