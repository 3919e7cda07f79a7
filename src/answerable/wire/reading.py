"""Sources read into documents without a knowledge base, one bad document costing itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import Any

from answerable import __version__, config
from answerable.adapters.shelf import Shelf
from answerable.errors import AnswerableError, InputError, NotFound
from answerable.flow.repeats import without_repeats
from answerable.ports import Entry, Listing, Progress, Source
from answerable.records.codec import canonical_json, from_plain
from answerable.records.docs import Document, Known
from answerable.records.index import Skipped
from answerable.records.recipe import Ingest
from answerable.wire.base import read, silent
from answerable.wire.sources import make_source
from answerable.wire.surroundings import surroundings
from answerable.wire.table import build

_SAVE_EVERY = 64


def source_of(path: Path, name: str = "", without: Sequence[Path] = ()) -> Source:
    """The source of a folder, file or `.jsonl`, named after it as `add` names it.

    Resolved files and folders `without` count as not there.
    """
    kind = "jsonl" if path.suffix == ".jsonl" and path.is_file() else "folder"
    called = name or (path.stem if path.is_file() else path.name)
    settings = config.plain_settings(path.parent)
    options: dict[str, Any] = {"root": str(path)}
    if inside := [one.relative_to(path) for one in without if path in one.parents]:
        options["exclude"] = [escape(one.as_posix()) for one in inside]
    return make_source(called, kind, options, settings, build("clock", "system"))


def sources_of(paths: Sequence[Path], without: Sequence[Path] = ()) -> list[Source]:
    """A source per path; of two that would be named alike the later gets a mark of its path.

    Files and folders `without` count as not there. Raises NotFound for a path that is not there.
    """
    made: dict[str, Source] = {}
    without = [one.resolve() for one in without]
    for path in dict.fromkeys(path.expanduser().resolve() for path in paths):
        if not path.exists():
            raise NotFound(f"{path} does not exist", "give a folder or a file")
        if any(path.is_relative_to(one) for one in without):
            continue
        source = source_of(path, without=without)
        if source.name in made:
            mark = sha256(str(path).encode()).hexdigest()[:6]
            source = source_of(path, f"{source.name}-{mark}", without)
        made[source.name] = source
    return list(made.values())


def read_sources(
    sources: Sequence[Source], shelf: Shelf | None = None, progress: Progress = silent
) -> tuple[list[Document], list[Skipped]]:
    """Every readable document in the order of the listings, and what was skipped with why.

    What a `shelf` keeps of an unchanged file is not read again.
    """
    listings, skipped = without_repeats([(source, source.list()) for source in sources], [])
    skipped += [skip for _, listing in listings for skip in listing.skipped]
    entries = [(source, entry) for source, listing in listings for entry in listing.entries]
    documents, unread = read_entries(entries, listings, shelf, progress)
    return documents, [*skipped, *unread]


def read_entries(
    entries: Sequence[tuple[Source, Entry]],
    listings: Sequence[tuple[Source, Listing]],
    shelf: Shelf | None = None,
    progress: Progress = silent,
) -> tuple[list[Document], list[Skipped]]:
    """Some entries of listings, each read with what its neighbours tell of it."""
    known = surroundings(listings)
    memory = _Memory(shelf, listings)
    documents: list[Document] = []
    skipped: list[Skipped] = []
    for number, (source, entry) in enumerate(entries, 1):
        try:
            documents.append(memory.read(source, entry, known(entry)))
        except AnswerableError as fault:
            skipped.append(Skipped(entry.uri, _reason(fault, entry)))
        except Exception as fault:  # one bad document costs itself, whatever its parser met
            skipped.append(Skipped(entry.uri, repr(fault)))
        progress("read", number, len(entries))
    memory.save()
    return documents, skipped


class _Memory:
    """Documents as they were read before, by place and revision.

    A page that knows of its neighbours is read anew: what it shows depends on them.
    """

    def __init__(self, shelf: Shelf | None, listings: Sequence[tuple[Source, Listing]]) -> None:
        self._shelf = shelf
        self._space = f"documents {__version__} {Ingest().reader}"
        keys = [_key(source, entry) for source, listing in listings for entry in listing.entries]
        self._kept: Mapping[str, bytes] = shelf.get_many(self._space, keys) if shelf else {}
        self._new: dict[str, bytes] = {}

    def read(self, source: Source, entry: Entry, known: Known) -> Document:
        key = _key(source, entry)
        alone = self._shelf is not None and not known.pages
        if alone and key in self._kept:
            try:
                return from_plain(Document, json.loads(self._kept[key]))
            except (InputError, ValueError):
                pass  # kept by another version: read again
        document = read(source.fetch(entry), known)
        if alone:
            self._new[key] = canonical_json(document).encode("utf-8", "surrogatepass")
            if len(self._new) >= _SAVE_EVERY:
                self.save()
        return document

    def save(self) -> None:
        if self._shelf is not None and self._new:
            self._shelf.put_many(self._space, self._new)
            self._new = {}


def _key(source: Source, entry: Entry) -> str:
    return f"{source!r}\n{entry.uri}\n{entry.revision}"


def _reason(fault: AnswerableError, entry: Entry) -> str:
    return fault.message.removeprefix(f"{entry.uri}: ").replace(f": {entry.uri}", "")
