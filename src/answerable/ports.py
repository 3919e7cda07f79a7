"""What the flow asks of the world: small protocols that adapters fill."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from answerable.records.answers import Trace, Usage
from answerable.records.docs import Access, Document, Known, Meta, RawDoc
from answerable.records.index import (
    Chunk,
    Filter,
    GenerationInfo,
    IndexedDocument,
    Ranking,
    Skipped,
)

Floats = NDArray[np.float32]

Parser = Callable[[RawDoc, Known], Document]
Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total) as work goes on."""


class Clock(Protocol):
    """Wall time as ISO 8601 UTC, and a monotonic count of seconds."""

    def now(self) -> str: ...
    def seconds(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One document that a source lists, before it is fetched; `revision` is only compared.

    `link` is that of the document where the source knows it already: two sources that list the
    same link hold the same document. `access` and `meta` (None: as fetched) are the truth of now:
    where only they or the link changed, nothing is fetched. A wiki's pages have `title` and `space`
    in their meta.
    """

    uri: str
    revision: str
    link: str = ""
    access: Access | None = None
    meta: Meta | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """All that a source holds now; deletions may be concluded only when `complete`.

    `checkpoint` is opaque and handed back to the source at the next listing, once what this one
    lists is indexed. `notes` are for the report.
    """

    entries: tuple[Entry, ...]
    complete: bool = True
    skipped: tuple[Skipped, ...] = ()
    checkpoint: str = ""
    notes: tuple[str, ...] = ()


class Source(Protocol):
    """Where documents come from."""

    @property
    def name(self) -> str: ...
    def list(self) -> Listing: ...
    def fetch(self, entry: Entry) -> RawDoc:
        """The document's bytes; raises InputError or ServiceError for this one document."""
        ...


@runtime_checkable
class Ahead(Protocol):
    """A source that fetches many documents at once when it is told which will be asked for."""

    def expect(self, entries: Sequence[Entry]) -> None:
        """These will be fetched, in this order."""
        ...


@runtime_checkable
class People(Protocol):
    """A source that knows its users."""

    def name_of(self, user: str) -> str:
        """The display name of a user id, '' when it is not known."""
        ...


class Embedder(Protocol):
    """Text to unit vectors.

    `fingerprint` names model, revision, width, prefixes and normalisation; vectors of two
    fingerprints are never compared. `limit` is the longest text in tokens without special ones.
    """

    @property
    def fingerprint(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def limit(self) -> int: ...
    def passages(self, texts: Sequence[str]) -> Floats:
        """(n, dimensions) unit rows for texts that are searched."""
        ...

    def questions(self, texts: Sequence[str]) -> Floats:
        """(n, dimensions) unit rows for texts that search."""
        ...

    def count(self, text: str) -> int:
        """How many tokens `text` has, without special ones."""
        ...

    def spans(self, text: str) -> NDArray[np.int64]:
        """(n, 2) character spans of the tokens of `text`, in order."""
        ...


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that also gives the vectors of tokens before they are pooled."""

    def token_vectors(self, texts: Sequence[str]) -> Sequence[Floats]:
        """Per text (tokens, dimensions) rows in the order of `spans`, up to the limit."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat; `role` is system, user or assistant."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat model wrote, and what it cost."""

    text: str
    usage: Usage


class Chat(Protocol):
    """A model that writes; `fingerprint` names model and parameters."""

    @property
    def fingerprint(self) -> str: ...
    def reply(self, messages: Sequence[Message], *, most_tokens: int) -> Reply:
        """The model's next turn; raises ServiceError."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge makes of one answer: `value` in 0..1, or None with why."""

    value: float | None
    why: str
    usage: Usage


class Judge(Protocol):
    """A model that grades answers; `fingerprint` names model, prompt and version.

    Its scores stand beside the deterministic ones, under names of their own.
    """

    @property
    def fingerprint(self) -> str: ...
    def judge(
        self, metric: str, question: str, answer: str, passages: Sequence[str], accepted: str
    ) -> Judgement:
        """One answer under one metric; raises ServiceError, which is counted by cause."""
        ...


@dataclass(frozen=True, slots=True)
class Entrant:
    """A document ready to be stored: its row, chunks, terms and vectors.

    `terms[i]` are the analyzed terms of chunk i's text, `lead_terms[i]` of its lead. `vectors`
    has a row per window and `owners[j]` is the chunk index of row j; both empty when nothing
    is embedded.
    """

    document: IndexedDocument
    chunks: tuple[Chunk, ...]
    terms: tuple[tuple[str, ...], ...]
    lead_terms: tuple[tuple[str, ...], ...]
    vectors: Floats
    owners: tuple[int, ...]


class Snapshot(Protocol):
    """One immutable generation, held open until closed."""

    @property
    def info(self) -> GenerationInfo: ...
    def documents(self) -> Mapping[str, IndexedDocument]:
        """Rows by document id."""
        ...

    def all_open_to(self, principals: Collection[str]) -> bool:
        """Whether who holds `principals` may read every document."""
        ...

    def chunk(self, chunk_id: str) -> Chunk: ...
    def chunks_of(self, document_id: str) -> tuple[Chunk, ...]: ...
    def vectors(self, chunk_id: str) -> Floats | None:
        """(windows, dimensions) unit rows of a chunk; None when it has none."""
        ...

    def lexical(
        self,
        terms: Mapping[str, float],
        k: int,
        *,
        k1: float,
        b: float,
        lead_boost: float,
        filter: Filter,
    ) -> Ranking:
        """BM25 (Lucene's form) over the weighted query terms; zero scores are no hits."""
        ...

    def dense(self, question: Floats, k: int, *, filter: Filter) -> Ranking:
        """Cosine of a unit vector to each chunk's best window; a zero vector finds nothing."""
        ...

    def frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """How many chunks hold each term."""
        ...

    def close(self) -> None: ...


class Store(Protocol):
    """Keeps generations; the current one changes by one atomic step."""

    def current(self) -> Snapshot | None: ...
    def open(self, name: str) -> Snapshot:
        """A generation by name: one that is kept, or one that is prepared."""
        ...

    def prepare(
        self,
        entrants: Iterable[Entrant],
        *,
        keep: Mapping[str, IndexedDocument],
        at: str,
        ingest_hash: str,
        embedder: str,
    ) -> GenerationInfo:
        """Write a generation of `entrants` plus the kept documents, which is not yet current.

        `keep` maps document ids of the current generation to their rows as they stand now (link,
        access or meta may have changed); their chunks are carried over untouched.
        """
        ...

    def publish(self, name: str) -> None:
        """Make a prepared generation current."""
        ...

    def discard(self, name: str) -> None:
        """Let go of a prepared generation."""
        ...

    def replace(
        self,
        entrants: Iterable[Entrant],
        *,
        keep: Mapping[str, IndexedDocument],
        at: str,
        ingest_hash: str,
        embedder: str,
    ) -> GenerationInfo:
        """Prepare and publish in one."""
        ...


class Archive(Protocol):
    """Documents as read, by content, kept through interruptions."""

    def put_many(self, many: Iterable[Document]) -> int: ...
    def get(self, document_id: str, sha256: str) -> Document:
        """The document as read; NotFound if no such version is kept."""
        ...

    def parsed(self) -> Mapping[tuple[str, str], tuple[str, str]]:
        """(uri, revision) to the (document id, sha256) read from it before."""
        ...

    def skips(self) -> Mapping[tuple[str, str], str]:
        """(uri, revision) to the reason why it could not be read before."""
        ...

    def put_skips(self, entries: Iterable[tuple[Skipped, str]]) -> None:
        """Remember (what was skipped, its revision)."""
        ...

    def forget(self, uris: Sequence[str]) -> None:
        """These are gone from their source: drop what is noted of them."""
        ...

    def settle(self, gone: Sequence[str], keep: Set[tuple[str, str]]) -> None:
        """A generation stands: forget staged work, uris that are gone, and what none keeps."""
        ...


class AuditLog(Protocol):
    """The append-only trail of traces."""

    def record(self, trace: Trace) -> None: ...


class VectorMemory(Protocol):
    """Vectors kept between runs, by who made them and by what they stand for."""

    def recall(self, space: str, keys: Sequence[str]) -> Mapping[str, Floats]:
        """(windows, dimensions) rows of those `keys` that are known in a `space`."""
        ...

    def keep(self, space: str, rows: Mapping[str, Floats]) -> None:
        """Remember rows by key; a key's rows in a space never change."""
        ...
