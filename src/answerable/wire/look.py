"""Documents looked at without a knowledge base: one file cut, a folder profiled."""

from __future__ import annotations

from pathlib import Path

from answerable.errors import AnswerableError, InputError, NotFound
from answerable.flow.profile import Profile, profile
from answerable.ports import Progress
from answerable.records.docs import Document
from answerable.records.index import Chunk, Skipped
from answerable.records.recipe import CutRule
from answerable.text.cut import cut
from answerable.wire.base import make_rulers, read, silent
from answerable.wire.surroundings import surroundings
from answerable.wire.table import build, build_cutter, load


def read_folder(target: str, progress: Progress = silent) -> tuple[list[Document], list[Skipped]]:
    """Every readable document of a folder, file or JSONL, and what was skipped with why."""
    path = Path(target).expanduser().resolve()
    if not path.exists():
        raise NotFound(f"{target} does not exist", "give a folder or a file")
    kind = "jsonl" if path.suffix == ".jsonl" else "folder"
    source = load("source", kind)(path, path.stem if path.is_file() else path.name)
    listing = source.list()
    known = surroundings([(source, listing)])
    documents: list[Document] = []
    skipped = list(listing.skipped)
    for number, entry in enumerate(listing.entries, 1):
        try:
            documents.append(read(source.fetch(entry), known(entry)))
        except AnswerableError as fault:
            skipped.append(Skipped(entry.uri, fault.message))
        except Exception as fault:  # one bad document costs itself, whatever its parser met
            skipped.append(Skipped(entry.uri, repr(fault)))
        progress("read", number, len(listing.entries))
    return documents, skipped


def profile_of(target: str, progress: Progress = silent) -> tuple[Profile, list[Skipped]]:
    """The profile of a folder, measured in the default embedder's tokens."""
    documents, skipped = read_folder(target, progress)
    embedder = build("embedder", "minilm")
    return profile(documents, make_rulers(embedder)["tokens"], embedder.limit), skipped


def read_file(path: str) -> Document:
    """One file as it is read; InputError with the reason if it cannot be."""
    documents, skipped = read_folder(path)
    if not documents:
        reason = skipped[0].reason if skipped else "no document in it"
        raise InputError(f"{path}: {reason}", "give one file that can be read")
    return documents[0]


def cut_file(document: Document, rule: CutRule) -> tuple[Chunk, ...]:
    """The chunks of a document under one rule."""
    return cut(document, [rule], build_cutter, make_rulers(None))
