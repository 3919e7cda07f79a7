"""Entrants for stores, made by hand: words are the terms, vectors are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np

from answerable.adapters.stores.embedded.disk import Disk
from answerable.ports import Entrant
from answerable.records.docs import EVERYONE, Access, Meta, Span
from answerable.records.index import Chunk, Filter, IndexedDocument

ALL = Filter()
AT = "2026-11-30T00:00:00.000Z"
MADE = {"at": AT, "ingest_hash": "ingest", "embedder": "model"}


class Loose(Disk):
    """A disk that does not wait for the writes to arrive: many small steps, quickly."""

    def write_bytes(self, path, data):
        path.write_bytes(data)

    def write_array(self, path, array):
        with path.open("wb") as file:
            np.lib.format.write_array(file, array, allow_pickle=False)

    def sync_folder(self, path):
        assert path.is_dir()


def hexed(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def entrant(
    uri: str,
    texts: Sequence[str],
    *,
    leads: Sequence[str] | None = None,
    vectors: Sequence[tuple[int, Sequence[float]]] = (),
    access: Access = EVERYONE,
    meta: Meta = (),
    language: str = "en",
    type: str = "plain",
    source: str = "docs",
    version: str = "1",
) -> Entrant:
    """A document whose chunks are `texts`; `vectors` are (chunk, row)."""
    leads = leads if leads is not None else [""] * len(texts)
    whole = "\n".join(texts)
    start, chunks = 0, []
    for text, lead in zip(texts, leads, strict=True):
        span = Span(start, start + len(text))
        chunks.append(
            Chunk(
                hexed(f"{uri} {span.start} {span.end} {lead}"),
                hexed(uri),
                span,
                lead,
                tuple(part for part in lead.split(" > ") if part),
                "paragraph",
                len(text.split()),
                len(text.split()) + 1,
                "too long" if len(text.split()) > 50 else "",
                Span(0, len(whole)) if lead else None,
            )
        )
        start = span.end + 1
    row = IndexedDocument(
        id=hexed(uri),
        uri=uri,
        title=uri.rsplit("/", 1)[-1],
        link=f"https://example.org/{uri}",
        type=type,
        language=language,
        sha256=sha256(whole.encode()).hexdigest(),
        revision=version,
        source=source,
        access=access,
        meta=meta,
        includes=("docs/other.md",),
        notes=("a note",),
        chunks=len(texts),
        words=len(whole.split()),
    )
    rows = np.array([row for _, row in vectors], dtype=np.float32)
    return Entrant(
        row,
        tuple(chunks),
        tuple(tuple(text.split()) for text in texts),
        tuple(tuple(lead.split()) for lead in leads),
        rows.reshape(len(vectors), -1) if vectors else np.empty((0, 0), np.float32),
        tuple(owner for owner, _ in vectors),
    )


def lexical(snapshot, *words: str, k: int = 10, filter: Filter = ALL) -> list[str]:
    """The ids found for words of weight 1 with the usual constants."""
    terms: Mapping[str, float] = dict.fromkeys(words, 1.0)
    hits = snapshot.lexical(terms, k, k1=1.2, b=0.75, lead_boost=1.0, filter=filter)
    return [hit.chunk_id for hit in hits]


def uris(snapshot, found: Sequence[str]) -> list[str]:
    """The documents that chunks belong to, in the order found."""
    rows = snapshot.documents()
    return [rows[snapshot.chunk(chunk_id).document_id].uri for chunk_id in found]
