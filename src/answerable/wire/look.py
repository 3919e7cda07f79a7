"""Documents looked at without a knowledge base: one file cut, a folder profiled."""

from __future__ import annotations

from pathlib import Path

from answerable.errors import InputError, NotFound, UsageError
from answerable.flow.profile import Profile, profile
from answerable.ports import Progress
from answerable.records.docs import Document
from answerable.records.index import Chunk, Skipped
from answerable.records.recipe import CutRule, Ingest
from answerable.wire.base import make_rulers, silent
from answerable.wire.cutting import make_cut
from answerable.wire.reading import read_entries, read_sources, sources_of
from answerable.wire.table import build

_SHOWN = 5
"""Names of documents that a message shows."""


def read_folder(target: str, progress: Progress = silent) -> tuple[list[Document], list[Skipped]]:
    """Every readable document of a folder, file or JSONL, and what was skipped with why."""
    return read_sources(sources_of([Path(target)]), progress=progress)


def profile_of(target: str, progress: Progress = silent) -> tuple[Profile, list[Skipped]]:
    """The profile of a folder, measured in the default embedder's tokens."""
    documents, skipped = read_folder(target, progress)
    embedder = build("embedder", "minilm")
    return profile(documents, make_rulers(embedder)["tokens"], embedder.limit), skipped


def read_file(path: str, name: str = "") -> Document:
    """One document as it is read: the only one of `path`, or the one of its documents `name`d.

    InputError with the reason if it cannot be read, UsageError with the first names when `path`
    holds several, NotFound when none has the name. The name is the uri without its source.
    """
    (source,) = sources_of([Path(path)])
    listing = source.list()
    names = {entry.uri.partition("/")[2]: entry for entry in listing.entries}
    first = ", ".join(list(names)[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    if name and name not in names:
        raise NotFound(f"{path} holds no document {name!r}", f"it holds: {first or 'none'}")
    if not name and len(names) > 1:
        raise UsageError(
            f"{path} holds {len(names)} documents: {first}",
            f"name one of them with --document, as in --document {next(iter(names))}",
        )
    entries = [names[name]] if name else listing.entries
    found = read_entries([(source, entry) for entry in entries], [(source, listing)])
    documents, skipped = found[0], [*listing.skipped, *found[1]]
    if not documents:
        reason = skipped[-1].reason if skipped else "no document in it"
        raise InputError(f"{path}: {reason}", "give one file that can be read")
    return documents[0]


def cut_file(document: Document, rule: CutRule) -> tuple[Chunk, ...]:
    """The chunks of a document under one rule."""
    embedder = build("embedder", "minilm")
    return make_cut(Ingest(cut=(rule,)), make_rulers(embedder), lambda: embedder)(document)
