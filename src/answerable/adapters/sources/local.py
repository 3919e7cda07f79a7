"""Folders and files of this machine from their options, with the names of the people in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from answerable.adapters.sources.around import Around
from answerable.adapters.sources.folder import Folder
from answerable.adapters.sources.jsonl import Jsonl
from answerable.adapters.sources.options import check_options, many, one
from answerable.errors import ConfigError
from answerable.ports import Entry, Listing, Source
from answerable.records.docs import EVERYONE, Access, RawDoc


@dataclass(frozen=True, slots=True)
class Peopled:
    """A source with a file that names its users, filling `ports.Source` and `ports.People`."""

    source: Source
    names: Mapping[str, str]

    @property
    def name(self) -> str:
        """The source's own."""
        return self.source.name

    def list(self) -> Listing:
        """The source's own."""
        return self.source.list()

    def fetch(self, entry: Entry) -> RawDoc:
        """The source's own."""
        return self.source.fetch(entry)

    def name_of(self, user: str) -> str:
        """The display name of a user id, '' when the file does not have it."""
        return self.names.get(user, "")


def make_folder(name: str, options: Mapping[str, Any], around: Around) -> Source:
    """A folder or file: `root`, and `include`, `exclude` (globs), `readers`, `users` (a file).

    `readers` are those who may read (default: everyone). `users` is a JSON file of display names by
    user id, as the mentions in exported wiki pages need them.
    """
    check_options("folder", options, ("root", "include", "exclude", "readers", "users"))
    folder = Folder(
        Path(options["root"]),
        name,
        include=many(options, "include"),
        exclude=many(options, "exclude"),
        access=_access(options),
    )
    users = one(options, "users")
    return Peopled(folder, _people(Path(users))) if users else folder


def make_jsonl(name: str, options: Mapping[str, Any], around: Around) -> Source:
    """A JSONL file: `root`, and `readers` for lines that say nothing of access."""
    check_options("jsonl", options, ("root", "readers"))
    return Jsonl(Path(options["root"]), name, access=_access(options))


def _access(options: Mapping[str, Any]) -> Access:
    readers = many(options, "readers")
    return Access(readers) if readers else EVERYONE


def _people(path: Path) -> Mapping[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
        users = found.get("users", found)
        return {str(user): str(name) for user, name in users.items()}
    except (OSError, ValueError, AttributeError, RecursionError) as fault:
        raise ConfigError(
            f"users = {str(path)!r}: {fault}", 'give a JSON file: {"users": {"ID": "NAME"}}'
        ) from fault
