"""Documents looked at without a knowledge base: one file cut, a folder profiled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from answerable.errors import AnswerableError, InputError, NotFound, UsageError
from answerable.flow.profile import Profile, profile
from answerable.ports import Entry, Listing, Progress, Source
from answerable.records.docs import Document
from answerable.records.index import Chunk, Skipped
from answerable.records.recipe import CutRule, Ingest
from answerable.wire.base import make_rulers, read, silent
from answerable.wire.cutting import make_cut
from answerable.wire.surroundings import surroundings
from answerable.wire.table import build, load

_SHOWN = 5
"""Names of documents that a message shows."""


def read_folder(target: str, progress: Progress = silent) -> tuple[list[Document], list[Skipped]]:
    """Every readable document of a folder, file or JSONL, and what was skipped with why."""
    source, listing = _listed(target)
    return _read(source, listing, listing.entries, progress)


def _listed(target: str) -> tuple[Source, Listing]:
    path = Path(target).expanduser().resolve()
    if not path.exists():
        raise NotFound(f"{target} does not exist", "give a folder or a file")
    kind = "jsonl" if path.suffix == ".jsonl" else "folder"
    source: Source = load("source", kind)(path, path.stem if path.is_file() else path.name)
    return source, source.list()


def _read(
    source: Source, listing: Listing, entries: Sequence[Entry], progress: Progress
) -> tuple[list[Document], list[Skipped]]:
    known = surroundings([(source, listing)])
    documents: list[Document] = []
    skipped = list(listing.skipped)
    for number, entry in enumerate(entries, 1):
        try:
            documents.append(read(source.fetch(entry), known(entry)))
        except AnswerableError as fault:
            skipped.append(Skipped(entry.uri, fault.message))
        except Exception as fault:  # one bad document costs itself, whatever its parser met
            skipped.append(Skipped(entry.uri, repr(fault)))
        progress("read", number, len(entries))
    return documents, skipped


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
    source, listing = _listed(path)
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
    documents, skipped = _read(source, listing, entries, silent)
    if not documents:
        reason = skipped[-1].reason if skipped else "no document in it"
        raise InputError(f"{path}: {reason}", "give one file that can be read")
    return documents[0]


def cut_file(document: Document, rule: CutRule) -> tuple[Chunk, ...]:
    """The chunks of a document under one rule."""
    embedder = build("embedder", "minilm")
    return make_cut(Ingest(cut=(rule,)), make_rulers(embedder), lambda: embedder)(document)
