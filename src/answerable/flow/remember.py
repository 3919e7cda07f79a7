"""Embed each text once: known vectors are used again, new ones are kept as they come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

import numpy as np

from answerable.errors import NotFound
from answerable.flow.prepare import Embed, Late
from answerable.ports import Floats, Snapshot
from answerable.records.docs import Document
from answerable.records.index import Chunk, IndexedDocument
from answerable.text.cut import searched


def text_key(text: str) -> str:
    """The key of a searched text: SHA-256 hex of its UTF-8."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


class EmbedOnce:
    """An `Embed` that asks `recall` first and hands every new vector to `stage`.

    `recall` maps keys to the rows of those texts that are known; `embedded` counts the texts that
    really went to the model.
    """

    def __init__(
        self,
        embed: Embed,
        recall: Callable[[Sequence[str]], Mapping[str, Floats]],
        stage: Callable[[Mapping[str, Floats]], None],
    ) -> None:
        self._embed, self._recall, self._stage = embed, recall, stage
        self._carried: dict[str, Floats] = {}
        self.embedded = 0

    def carry(
        self, snapshot: Snapshot, row: IndexedDocument, document: Callable[[str, str], Document]
    ) -> None:
        """Remember the vectors of an indexed document by the text they stand for."""
        try:
            read = document(row.id, row.sha256)
        except NotFound:
            return  # an old version that is not kept costs an embedding, nothing else
        for chunk in snapshot.chunks_of(row.id):
            vectors = snapshot.vectors(chunk.id)
            if vectors is not None:
                self._carried[text_key(searched(chunk, read))] = vectors

    def __call__(self, texts: Sequence[str]) -> tuple[Floats, tuple[int, ...]]:
        """Unit rows and owners, in the order of `texts`."""
        keys = [text_key(text) for text in texts]
        known = {key: self._carried[key] for key in keys if key in self._carried}
        known.update(self._recall(sorted(set(keys) - set(known))))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            vectors, owners = self._embed(list(new.values()))
            bounds = np.searchsorted(np.asarray(owners, np.int64), np.arange(len(new) + 1))
            fresh = {
                key: vectors[bounds[number] : bounds[number + 1]] for number, key in enumerate(new)
            }
            self._stage(fresh)
            known.update(fresh)
            self.embedded += len(new)
        rows = [known[key] for key in keys]
        owned = tuple(number for number, row in enumerate(rows) for _ in range(len(row)))
        return (np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)), owned


class PoolOnce:
    """A `Late` that asks `recall` first and hands the rows of each document to `stage`.

    A document under one cutting is remembered as a whole: a row depends on all the text around
    its piece. `embedded` counts the pieces whose document really went to the model.
    """

    def __init__(
        self,
        late: Late,
        recall: Callable[[Sequence[str]], Mapping[str, Floats]],
        stage: Callable[[Mapping[str, Floats]], None],
    ) -> None:
        self._late, self._recall, self._stage = late, recall, stage
        self._carried: dict[str, Floats] = {}
        self.embedded = 0

    def carry(
        self, snapshot: Snapshot, row: IndexedDocument, document: Callable[[str, str], Document]
    ) -> None:
        """Remember the rows of an indexed document; its text is not needed."""
        chunks = tuple(snapshot.chunks_of(row.id))
        rows = [snapshot.vectors(chunk.id) for chunk in chunks]
        known = [found for found in rows if found is not None and len(found) == 1]
        if chunks and len(known) == len(chunks):
            self._carried[_pooled_key(row.sha256, chunks)] = np.concatenate(known)

    def __call__(self, document: Document, chunks: Sequence[Chunk]) -> Floats:
        """A unit row for each chunk, in order."""
        key = _pooled_key(document.sha256, chunks)
        known = self._carried.get(key)
        if known is None:
            known = self._recall([key]).get(key)
        if known is None:
            known = self._late(document, chunks)
            self._stage({key: known})
            self.embedded += len(chunks)
        return known


def _pooled_key(sha256: str, chunks: Sequence[Chunk]) -> str:
    spans = " ".join(f"{chunk.span.start}-{chunk.span.end}" for chunk in chunks)
    return text_key(f"{sha256} {spans}")
