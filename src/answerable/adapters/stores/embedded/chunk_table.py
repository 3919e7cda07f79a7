"""The chunks of one segment as fixed-width arrays: found by id, listed by document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.adapters.stores.embedded.ids import Keys, find, key_of, name_of
from answerable.adapters.stores.embedded.strings import Pool, Strings
from answerable.errors import InputError
from answerable.records.docs import Span
from answerable.records.index import Chunk

Mask = NDArray[np.bool_]

_DOCUMENT, _START, _END, _WORDS, _TOKENS, _KIND, _LEAD, _PATH, _OVER, _FROM, _TO = range(11)
_CODED = (_KIND, _LEAD, _PATH, _OVER)
_WIDTH = 11
_NO_PARENT = (-1, -1)


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """Chunk i of a segment is row i; the chunks of one document stand together, in its order.

    `keys` uint64 (n), `order` int32 (n) sorts them, `rows` int32 (n, 11): document ordinal, start,
    end, words, tokens, then codes into `strings` of kind, lead, path (a JSON list) and over, then
    start and end of the parent (-1, -1: none).
    `documents` uint64 (d) are the documents' ids, `first` int64 (d + 1) where each one's chunks
    begin.
    """

    keys: Keys
    order: NDArray[np.int32]
    rows: NDArray[np.int32]
    documents: Keys
    first: NDArray[np.int64]
    strings: Strings

    @staticmethod
    def of(arrays: Mapping[str, NDArray[Any]]) -> ChunkTable:
        """The table that `arrays()` took apart; InputError when shapes do not fit together."""
        table = ChunkTable(
            arrays["keys"],
            arrays["order"],
            arrays["rows"],
            arrays["documents"],
            arrays["first"],
            Strings(arrays["text"], arrays["offsets"]),
        )
        count = len(table.keys)
        if (
            table.rows.shape != (count, _WIDTH)
            or len(table.order) != count
            or len(table.first) != len(table.documents) + 1
            or int(table.first[-1]) != count
        ):
            raise InputError("the arrays of a chunk table do not fit together")
        return table

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything as arrays of numbers, by name."""
        return {
            "keys": self.keys,
            "order": self.order,
            "rows": self.rows,
            "documents": self.documents,
            "first": self.first,
            "text": self.strings.data,
            "offsets": self.strings.offsets,
        }

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, chunk_id: str) -> int:
        """The ordinal of a chunk, -1 if it is not here."""
        return find(self.keys, self.order, key_of(chunk_id))

    def name(self, ordinal: int) -> str:
        """The id of a chunk."""
        return name_of(int(self.keys[ordinal]))

    def chunk(self, ordinal: int) -> Chunk:
        """The chunk as it was stored."""
        row = self.rows[ordinal].tolist()
        return Chunk(
            self.name(ordinal),
            name_of(int(self.documents[row[_DOCUMENT]])),
            Span(row[_START], row[_END]),
            self.strings[row[_LEAD]],
            tuple(json.loads(self.strings[row[_PATH]])),
            self.strings[row[_KIND]],
            row[_WORDS],
            row[_TOKENS],
            self.strings[row[_OVER]],
            Span(row[_FROM], row[_TO]) if row[_FROM] >= 0 else None,
        )

    def chunks_of(self, document: int) -> tuple[Chunk, ...]:
        """All chunks of a document ordinal, in its order."""
        start, end = int(self.first[document]), int(self.first[document + 1])
        return tuple(self.chunk(ordinal) for ordinal in range(start, end))

    def spread(self, documents: Mask) -> Mask:
        """A mask over documents as a mask over their chunks."""
        return np.repeat(documents, np.diff(self.first))

    def over_limit(self, live: Mask) -> int:
        """How many live chunks are longer than their limit."""
        codes, counts = np.unique(self.rows[live, _OVER], return_counts=True)
        return sum(int(n) for code, n in zip(codes, counts, strict=True) if self.strings[code])


def chunk_table(documents: Sequence[tuple[str, Sequence[Chunk]]]) -> ChunkTable:
    """The table of (document id, its chunks) in the order given."""
    pool = Pool()
    rows: list[tuple[int, ...]] = []
    keys: list[int] = []
    first = [0]
    for ordinal, (_, chunks) in enumerate(documents):
        for chunk in chunks:
            keys.append(key_of(chunk.id))
            path = json.dumps(list(chunk.path), ensure_ascii=False)
            texts = (chunk.kind, chunk.lead, path, chunk.over)
            numbers = (chunk.span.start, chunk.span.end, chunk.words, chunk.tokens)
            parent = (chunk.parent.start, chunk.parent.end) if chunk.parent else _NO_PARENT
            rows.append((ordinal, *numbers, *map(pool.code, texts), *parent))
        first.append(len(keys))
    names = [key_of(document_id) for document_id, _ in documents]
    table = np.array(rows, dtype=np.int32).reshape(len(rows), _WIDTH)
    return _assemble(np.array(keys, np.uint64), table, names, first, pool)


def merge_tables(tables: Sequence[ChunkTable], documents: Sequence[Mask]) -> ChunkTable:
    """One table of the documents that `documents` marks in each, in the order they stand in."""
    pool = Pool()
    keys: list[Keys] = []
    rows: list[NDArray[np.int32]] = []
    names: list[int] = []
    first = [0]
    for table, alive in zip(tables, documents, strict=True):
        chunks = table.spread(alive)
        part = np.array(table.rows[chunks])
        places = np.cumsum(alive) - 1 + len(names)
        part[:, _DOCUMENT] = places[part[:, _DOCUMENT]]
        coded = part[:, _CODED]
        used, inverse = np.unique(coded, return_inverse=True)
        codes = np.array([pool.code(table.strings[code]) for code in used], dtype=np.int32)
        part[:, _CODED] = codes[inverse].reshape(coded.shape) if len(used) else coded
        keys.append(np.asarray(table.keys[chunks]))
        rows.append(part)
        names.extend(table.documents[alive].tolist())
        first.extend((np.cumsum(np.diff(table.first)[alive]) + first[-1]).tolist())
    return _assemble(np.concatenate(keys), np.concatenate(rows), names, first, pool)


def _assemble(
    keys: Keys, rows: NDArray[np.int32], names: list[int], first: list[int], pool: Pool
) -> ChunkTable:
    order = np.argsort(keys, kind="stable").astype(np.int32)
    sorted_keys = keys[order]
    twice = np.flatnonzero(sorted_keys[1:] == sorted_keys[:-1])
    if len(twice):
        raise InputError(f"two chunks have the id {name_of(int(sorted_keys[twice[0]]))}")
    return ChunkTable(
        keys,
        order,
        rows,
        np.array(names, dtype=np.uint64),
        np.array(first, dtype=np.int64),
        pool.strings(),
    )
