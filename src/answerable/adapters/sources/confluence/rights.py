"""Who may read each page of a listing, asked for as seldom as can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from answerable.adapters.sources.confluence.asking import Asking
from answerable.adapters.sources.confluence.by_id import contents_by_id
from answerable.adapters.sources.confluence.pages import Page
from answerable.adapters.sources.confluence.restrictions import (
    NOBODY_AT_ALL,
    Readers,
    Restrictions,
    effective,
    is_cut,
    joined,
    restrictions_in,
    restrictions_of,
)
from answerable.errors import AnswerableError, Forbidden, NotFound, ServiceError
from answerable.records.docs import NOBODY, Access

_EXPAND = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"
_PART = 200
_PARTS = 1000

SpaceReaders = Callable[[Asking, str], Readers]


class Rights:
    """Restrictions and permissions as read once each; what cannot be read lets nobody in.

    `fallback` may read a space whose permissions the site never told: those in `told` it did.
    """

    def __init__(
        self,
        asking: Asking,
        space_readers: SpaceReaders,
        fallback: tuple[str, ...],
        told: Collection[str] = (),
    ) -> None:
        self._asking, self._space_readers, self._fallback = asking, space_readers, fallback
        self._own: dict[str, Readers] = {}
        self._spaces: dict[str, Readers] = {}
        self._unread: Counter[str] = Counter()
        self._space_notes: dict[str, str] = {}
        self._told = set(told)

    @property
    def told(self) -> frozenset[str]:
        """Keys of the spaces whose permissions were read, now or before."""
        return frozenset(self._told)

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be read, and what follows."""
        counted = [f"{why}: {count}" for why, count in self._unread.items()]
        return (*self._space_notes.values(), *counted)

    def learn(self, contents: Iterable[Mapping[str, Any]]) -> None:
        """Take in the restrictions that contents were listed with."""
        for content in contents:
            id = str(content.get("id", ""))
            if id and id not in self._own:
                shown = restrictions_of(content)
                self._own[id] = shown.readers if shown.whole else self._whole(id)

    def learn_ancestors(self, pages: Iterable[Page]) -> None:
        """Ask for the restrictions of the ancestors that no listing showed, many at a time."""
        wanted = dict.fromkeys(
            id for page in pages for id in page.ancestor_ids if id not in self._own
        )
        self.learn(contents_by_id(self._asking, list(wanted), _EXPAND))
        for id in wanted:
            if id not in self._own:
                self._own[id] = self._whole(id)

    def access(self, page: Page) -> Access:
        """Who may read a page whose own and ancestors' restrictions were learned."""
        if not page.space:
            return NOBODY
        ancestors = [self._own.get(id, NOBODY_AT_ALL) for id in page.ancestor_ids]
        own = self._own.get(page.id, NOBODY_AT_ALL)
        return effective(own, ancestors, self.space(page.space))

    def space(self, key: str) -> Readers:
        """Who may see a space; NotFound when it is not there."""
        if key not in self._spaces:
            try:
                self._spaces[key] = self._space_readers(self._asking, key)
                self._told.add(key)
            except (Forbidden, ServiceError) as fault:
                untold = isinstance(fault, Forbidden) and key not in self._told
                self._spaces[key] = self._fallback if untold else NOBODY_AT_ALL
                self._space_notes[key] = (
                    f"the permissions of space {key} cannot be read, it is open to "
                    f"{self._who(key, fault)}: {fault.message}"
                )
        return self._spaces[key]

    def _who(self, key: str, fault: AnswerableError) -> str:
        """To whom a space is open whose permissions cannot be read, and what changes that."""
        if isinstance(fault, ServiceError):
            return "nobody until they can"
        if key in self._told:
            return (
                "nobody, as they were read before (give the user of the token its rights back, or "
                "drop the source and add it under another name)"
            )
        return ", ".join(self._fallback) or "nobody (readers=group:NAME names them)"

    def space_or_nobody(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Ask for the permissions of spaces; those that are not there, to which nobody is let."""
        gone = []
        for key in keys:
            try:
                self.space(key)
            except NotFound:
                self._spaces[key] = NOBODY_AT_ALL
                gone.append(key)
        return tuple(gone)

    def _whole(self, id: str) -> Readers:
        """All read restrictions of a content, however many they are."""
        place = f"rest/api/content/{quote(id, '')}/restriction/byOperation/read"
        parts: list[Restrictions] = []
        known: set[str] = set()
        start = 0
        try:
            for _ in range(_PARTS):
                query: list[tuple[str, str | int]] = [
                    ("expand", "restrictions.user,restrictions.group"),
                    ("start", start),
                    ("limit", _PART),
                ]
                shown = self._asking.web.get_json(place, query)
                lists = shown.get("restrictions") if isinstance(shown, Mapping) else None
                part = restrictions_in(lists)
                if not isinstance(lists, Mapping) or (part.readers == () and not part.whole):
                    break
                parts.append(part)
                before = len(known)
                known.update(part.readers or ())
                both = [lists[kind] for kind in ("user", "group")]
                if not any(map(is_cut, both)):
                    return joined(parts)
                if len(known) == before:
                    break
                start += min(
                    (one["limit"] for one in both if isinstance(one.get("limit"), int)),
                    default=_PART,
                )
        except ServiceError:
            pass
        self._unread["pages whose restrictions cannot be read, open to nobody"] += 1
        return NOBODY_AT_ALL
