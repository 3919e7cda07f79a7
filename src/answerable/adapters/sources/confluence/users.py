"""Display names of users, asked for once each."""

from __future__ import annotations

from collections.abc import Callable

from answerable.adapters.sources.confluence.asking import Asking, present

Queries = Callable[[str], list[tuple[str, str]]]


class Users:
    """Names by user id; '' for a user that the site does not know."""

    def __init__(self, asking: Asking, queries: Queries) -> None:
        self._asking, self._queries = asking, queries
        self._names: dict[str, str] = {}

    def name_of(self, user: str) -> str:
        """The display name of an account id, a user key or a user name; ServiceError."""
        if user not in self._names:
            self._names[user] = self._ask(user)
        return self._names[user]

    def _ask(self, user: str) -> str:
        for query in self._queries(user):
            shown = present(self._asking, "rest/api/user", [query])
            name = shown.get("displayName") if shown else None
            if isinstance(name, str) and name.strip():
                return name.strip()
        return ""
