"""The documents behind a golden set: of a knowledge base, or read from a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from answerable import config
from answerable.errors import NotFound
from answerable.flow.locate import Read
from answerable.ports import Progress
from answerable.records.index import IndexedDocument, Skipped
from answerable.wire.base import open_base, silent
from answerable.wire.corpus import open_corpus


@dataclass(frozen=True, slots=True)
class Library:
    """Documents by id, how each is read, and what was left out."""

    rows: Mapping[str, IndexedDocument]
    read: Read
    skipped: tuple[Skipped, ...] = ()


@contextmanager
def library(
    kb: str, documents: Sequence[Path] = (), progress: Progress = silent
) -> Iterator[Library]:
    """The documents of the paths, or else those indexed in the knowledge base `kb`.

    An index made by another recipe serves too: the text of its documents is the same. Raises
    NotFound when there is neither a path nor an index.
    """
    if documents:
        corpus = open_corpus(documents, None, config.plain_settings(Path.cwd()), progress)
        yield Library(corpus.rows(), corpus.document, tuple(corpus.skipped))
        return
    base = open_base(kb)
    snapshot = base.store.current()
    if snapshot is None:
        raise NotFound(
            "nothing is indexed yet", "run `answerable add PATH` first, or give --documents PATH"
        )
    try:
        yield Library(snapshot.documents(), base.document)
    finally:
        snapshot.close()
