"""What is in the wiki: spaces, pages with their versions, who may read them, and what happens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


@dataclass
class Space:
    """`users` and `groups` may read it; `hidden`: its permissions are not told."""

    key: str
    id: int
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    anonymous: bool = False
    hidden: bool = False


@dataclass
class Version:
    number: int
    when: datetime
    title: str
    body: str
    by: str


@dataclass
class Content:
    """A page, blog post, comment or attachment (whose bytes are `data`)."""

    id: str
    type: str
    space: str
    versions: list[Version]
    parent: str = ""
    container: str = ""
    labels: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    status: str = "current"
    data: bytes = b""
    media_type: str = ""
    view: str | None = None
    adf: str | None = None

    @property
    def now(self) -> Version:
        return self.versions[-1]

    @property
    def title(self) -> str:
        return self.now.title


@dataclass
class World:
    """The wiki. Each change takes a second of its own clock, in UTC.

    `unindexed` contents are there but no search finds them. `zone` is of the user that asks.
    """

    at: datetime = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
    zone: str = "UTC"
    spaces: dict[str, Space] = field(default_factory=dict)
    contents: dict[str, Content] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    unindexed: set[str] = field(default_factory=set)
    changes: int = 0
    next_id: int = 1000

    def space(self, key: str, *, groups: Iterable[str] = ("staff",), **more: object) -> Space:
        made = Space(key, 9000 + len(self.spaces), groups=tuple(groups), **more)  # type: ignore[arg-type]
        self.spaces[key] = made
        self._changed()
        return made

    def page(
        self,
        space: str,
        title: str,
        body: str = "<p>words</p>",
        *,
        id: str = "",
        type: str = "page",
        version: int = 1,
        when: datetime | None = None,
        by: str = "u-author",
        **more: object,
    ) -> Content:
        if space not in self.spaces:
            self.space(space)
        self._changed()
        id = id or self._new_id()
        first = Version(version, when or self.at, title, body, by)
        made = Content(id, type, space, [first], **more)  # type: ignore[arg-type]
        self.contents[id] = made
        return made

    def attach(self, page: str, filename: str, data: bytes, media_type: str = "") -> Content:
        owner = self.contents[page]
        same = [
            one
            for one in self.contents.values()
            if one.container == page and one.type == "attachment" and one.title == filename
        ]
        if same:
            self.edit(same[0].id, "")
            same[0].data = data
            return same[0]
        made = self.page(owner.space, filename, "", type="attachment", id=f"att{self._new_id()}")
        made.container, made.data, made.media_type = page, data, media_type
        return made

    def comment(self, page: str, body: str) -> Content:
        owner = self.contents[page]
        made = self.page(owner.space, f"Re: {owner.title}", body, type="comment")
        made.container = page
        return made

    def edit(self, id: str, body: str | None = None, title: str = "") -> Version:
        self._changed()
        old = self.contents[id].now
        made = Version(
            old.number + 1, self.at, title or old.title, old.body if body is None else body, old.by
        )
        self.contents[id].versions.append(made)
        return made

    def move(self, id: str, parent: str = "", space: str = "") -> None:
        """No new version, as on the real site."""
        self._changed()
        self.contents[id].parent = parent
        if space:
            self.contents[id].space = space

    def restrict(self, id: str, *, users: Iterable[str] = (), groups: Iterable[str] = ()) -> None:
        """No new version, as on the real site."""
        self._changed()
        self.contents[id].users, self.contents[id].groups = tuple(users), tuple(groups)

    def label(self, id: str, *labels: str) -> None:
        self._changed()
        self.contents[id].labels = labels

    def trash(self, id: str) -> None:
        self._changed()
        self.contents[id].status = "trashed"

    def restore(self, id: str) -> None:
        self._changed()
        self.contents[id].status = "current"

    def purge(self, id: str) -> None:
        self._changed()
        del self.contents[id]

    def ancestors(self, content: Content) -> list[Content]:
        """Outermost first."""
        chain: list[Content] = []
        at = content.parent
        while at and at in self.contents and len(chain) < 100:
            chain.insert(0, self.contents[at])
            at = self.contents[at].parent
        return chain

    def is_found(self, content: Content) -> bool:
        """Whether a search may find it: not in the trash, nor within what is."""
        holder = self.contents.get(content.container) if content.container else None
        return (
            content.status == "current"
            and content.id not in self.unindexed
            and content.space in self.spaces
            and (not content.container or (holder is not None and holder.status == "current"))
        )

    def minute(self, at: datetime) -> str:
        """How a search compares times: whole minutes in the zone of the one who asks."""
        return at.astimezone(ZoneInfo(self.zone)).strftime("%Y-%m-%d %H:%M")

    def _changed(self) -> None:
        self.changes += 1
        self.at += timedelta(seconds=1)

    def _new_id(self) -> str:
        self.next_id += 1
        return str(self.next_id)
