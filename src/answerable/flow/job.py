"""What an ingest works with."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from answerable.flow.prepare import Preparation
from answerable.ports import Archive, Clock, Entry, Listing, Progress, Source, Store
from answerable.records.docs import Document, Known, RawDoc
from answerable.records.index import GenerationInfo, IndexedDocument

Read = Callable[[RawDoc, Known], Document]
Surroundings = Callable[[Sequence[tuple[Source, Listing]]], Callable[[Entry], Known]]
Accept = Callable[[GenerationInfo], bool]


@dataclass(frozen=True, slots=True)
class Job:
    """What an ingest works with. `ingest_hash` and `fingerprint` are of the recipe in use.

    `surroundings` tells a parser of the pages beside it; `carry` is told of each indexed
    document that is about to be replaced, so that its vectors can be used again; `older` are the
    (id, sha256) of the generations before the last that can be gone back to. `accept` says of a
    prepared generation whether it may be published; None: any may.
    """

    read: Read
    surroundings: Surroundings
    preparation: Preparation
    store: Store
    archive: Archive
    clock: Clock
    ingest_hash: str
    fingerprint: str
    progress: Progress
    carry: Callable[[IndexedDocument], None] = lambda row: None
    older: Callable[[], Set[tuple[str, str]]] = frozenset
    accept: Accept | None = None
