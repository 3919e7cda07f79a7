"""A file of documents, one JSON object a line (such as a BEIR corpus), as a source."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from answerable.adapters.sources.media_types import BY_EXTENSION, PLAIN
from answerable.errors import InputError, NotFound
from answerable.ports import Entry, Listing
from answerable.records.docs import EVERYONE, Access, RawDoc
from answerable.records.index import Skipped

_PLACES = dict[str, tuple[int, int, int]]
_READABLE = sorted(set(BY_EXTENSION.values()))


@dataclass(frozen=True, slots=True)
class Jsonl:
    """Lines of `path` as documents, filling `ports.Source`.

    A line has `_id` or `id` (text or a whole number), `text`, and may have `title`, `url`,
    `media_type` (text/plain if none) and `access` ("everyone", or a list of principals);
    `metadata` values that are text, numbers or truth values become meta. The title is handed on
    as meta `title`. The uri is `name`/id; the
    revision is a hash of the line. A bad line is skipped, named by file and line number; with one
    that is no JSON (a file that is being written) the listing is not complete. `access` is that of
    lines which say nothing of it.
    """

    path: Path
    name: str
    access: Access = EVERYONE
    _places: _PLACES = field(default_factory=dict, init=False, repr=False, compare=False)

    def list(self) -> Listing:
        """All documents of the file now; NotFound when it is not there."""
        entries: list[Entry] = []
        skipped: list[Skipped] = []
        places: _PLACES = {}
        offset = broken = 0
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    start, offset = offset, offset + len(line)
                    if not line.strip():
                        continue
                    try:
                        uri, fields = self._read(line, number)
                        if uri in places:
                            first = places[uri][2]
                            raise self._bad(number, f"the id of line {first} stands here again")
                    except InputError as fault:
                        broken += not _is_json(line)
                        skipped.append(Skipped(f"{self.path}:{number}", fault.message))
                        continue
                    places[uri] = (start, len(line), number)
                    access = self._access(fields, number)
                    entries.append(Entry(uri, _revision(line), access=access))
        except FileNotFoundError as fault:
            raise NotFound(f"no such file: {self.path}", "see that it is mounted") from fault
        except OSError as fault:
            raise InputError(f"{self.path} cannot be read: {fault.strerror}") from fault
        self._places.clear()
        self._places.update(places)
        notes = (f"{broken} lines are broken off or damaged",) if broken else ()
        return Listing(tuple(entries), not broken, tuple(skipped), notes=notes)

    def fetch(self, entry: Entry) -> RawDoc:
        """One document; InputError when its line is not there any more."""
        if entry.uri not in self._places:
            self.list()
        if entry.uri not in self._places:
            raise InputError(f"{entry.uri}: not in {self.path} any more")
        start, length, number = self._places[entry.uri]
        try:
            with self.path.open("rb") as file:
                file.seek(start)
                line = file.read(length)
        except OSError as fault:
            raise InputError(f"{self.path}:{number}: cannot be read: {fault.strerror}") from fault
        uri, fields = self._read(line, number)
        if uri != entry.uri:
            raise InputError(f"{entry.uri}: {self.path} changed while it was read")
        meta = {key: str(value) for key, value in _scalars(fields.get("metadata"))}
        if fields.get("title"):
            meta["title"] = fields["title"]
        return RawDoc(
            uri=uri,
            body=fields["text"].encode("utf-8", "replace"),
            media_type=fields.get("media_type") or PLAIN,
            revision=_revision(line),
            link=fields.get("url") or "",
            access=self._access(fields, number),
            meta=tuple(sorted(meta.items())),
        )

    def _read(self, line: bytes, number: int) -> tuple[str, dict[str, Any]]:
        try:
            fields = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as fault:
            raise self._bad(number, f"not JSON: {fault}") from fault
        if not isinstance(fields, dict):
            raise self._bad(number, f"not a JSON object: {type(fields).__name__}")
        key = fields.get("_id", fields.get("id"))
        if isinstance(key, bool) or not isinstance(key, str | int) or key == "":
            raise self._bad(number, f"`_id` or `id` is no name: {key!r}")
        if not isinstance(fields.get("text"), str):
            raise self._bad(number, f"`text` is no text: {fields.get('text')!r:.40}")
        for name in ("title", "url"):
            if not isinstance(fields.get(name) or "", str):
                raise self._bad(number, f"`{name}` is no text: {fields[name]!r:.40}")
        if (fields.get("media_type") or PLAIN) not in _READABLE:
            raise self._bad(
                number, f"`media_type` {fields['media_type']!r:.40}: one of {', '.join(_READABLE)}"
            )
        self._access(fields, number)
        uri = f"{self.name}/{key}".encode("utf-8", "replace").decode("utf-8")
        return uri, fields

    def _access(self, fields: dict[str, Any], number: int) -> Access:
        if "access" not in fields:
            return self.access
        given = fields["access"]
        if given == "everyone":
            return EVERYONE
        if isinstance(given, list) and all(isinstance(one, str) and one for one in given):
            return Access(tuple(given))
        raise self._bad(
            number, f'`access` is neither "everyone" nor a list of names: {given!r:.40}'
        )

    def _bad(self, number: int, what: str) -> InputError:
        return InputError(f"{self.path}:{number}: {what}")


def _revision(line: bytes) -> str:
    return sha256(line.strip()).hexdigest()[:16]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def _scalars(metadata: object) -> list[tuple[str, object]]:
    if not isinstance(metadata, dict):
        return []
    return [(k, v) for k, v in metadata.items() if isinstance(v, str | int | float | bool)]
