"""One immutable segment: documents with their chunks, terms and vectors in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.adapters.stores.embedded.chunk_table import (
    ChunkTable,
    Mask,
    chunk_table,
    merge_tables,
)
from answerable.adapters.stores.embedded.damage import REBUILD, check_whole, map_array, mark
from answerable.adapters.stores.embedded.disk import Files
from answerable.adapters.stores.embedded.manifest import SEGMENTS, SegmentMark
from answerable.errors import InputError
from answerable.ports import Entrant, Floats
from answerable.rank import dense, sparse
from answerable.records.index import Chunk

_CHUNKS, _SPARSE, _DENSE = "chunks.", "sparse.", "dense."


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """An open segment; `dense` is None when none of its chunks has a vector."""

    mark: SegmentMark
    table: ChunkTable
    sparse: sparse.SparseSegment
    dense: dense.DenseSegment | None

    def vectors_of(self, ordinal: int) -> Floats | None:
        """The rows of a chunk, None when it has none."""
        if self.dense is None:
            return None
        start, end = np.searchsorted(self.dense.owners, [ordinal, ordinal + 1])
        return np.array(self.dense.vectors[start:end]) if end > start else None

    def rows(self) -> NDArray[np.int32]:
        """The chunk ordinal of each vector, never falling."""
        if self.dense is None:
            return np.empty(0, dtype=np.int32)
        owners: NDArray[np.int32] = self.dense.owners
        return owners


class SegmentBuilder:
    """Takes entrants one by one; terms become postings at once, so no entrant is kept whole."""

    def __init__(self) -> None:
        self._documents: list[tuple[str, tuple[Chunk, ...]]] = []
        self._terms = sparse.Builder()
        self._vectors: list[Floats] = []
        self._owners: list[NDArray[np.int32]] = []

    def __len__(self) -> int:
        return len(self._terms)

    @property
    def documents(self) -> int:
        """How many documents were added."""
        return len(self._documents)

    def add(self, entrant: Entrant) -> None:
        """One more document; InputError when its parts do not fit together."""
        _check(entrant)
        base = len(self._terms)
        for terms, lead in zip(entrant.terms, entrant.lead_terms, strict=True):
            self._terms.add(terms, lead)
        self._documents.append((entrant.document.id, entrant.chunks))
        if len(entrant.owners):
            owners = np.array(entrant.owners, dtype=np.int32)
            order = np.argsort(owners, kind="stable")
            self._vectors.append(np.asarray(entrant.vectors, dtype=np.float32)[order])
            self._owners.append(owners[order] + np.int32(base))

    def write(self, files: Files, root: Path, name: str) -> SegmentMark:
        """The segment as a folder of arrays, synced."""
        vectors = None
        if self._vectors:
            vectors = dense.build(np.concatenate(self._vectors), np.concatenate(self._owners))
            self._vectors.clear()
        table = chunk_table(self._documents)
        return _write(files, root, name, table, self._terms.finish(), vectors)


def merge_segments(
    files: Files, root: Path, name: str, segments: Sequence[Segment], alive: Sequence[Mask]
) -> SegmentMark:
    """One new segment of the documents that `alive` marks in each, in their order."""
    live = [
        segment.table.spread(documents) for segment, documents in zip(segments, alive, strict=True)
    ]
    table = merge_tables([segment.table for segment in segments], alive)
    postings = sparse.merge([segment.sparse for segment in segments], live)
    return _write(files, root, name, table, postings, _merge_dense(segments, live))


def _merge_dense(segments: Sequence[Segment], live: Sequence[Mask]) -> dense.DenseSegment | None:
    widths = [segment.dense.vectors.shape[1] for segment in segments if segment.dense is not None]
    if not widths:
        return None
    nothing = dense.build(np.empty((0, widths[0]), np.float32), np.empty(0, np.int32))
    return dense.merge([segment.dense or nothing for segment in segments], live)


def _write(
    files: Files,
    root: Path,
    name: str,
    table: ChunkTable,
    postings: sparse.SparseSegment,
    vectors: dense.DenseSegment | None,
) -> SegmentMark:
    folder = root / SEGMENTS / name
    files.make_folder(folder)
    parts = {_CHUNKS: table.arrays(), _SPARSE: postings.arrays()}
    if vectors is not None:
        parts[_DENSE] = vectors.arrays()
    marks = []
    for prefix, arrays in parts.items():
        for part, array in arrays.items():
            path = folder / f"{prefix}{part}.npy"
            files.write_array(path, array)
            marks.append((path.name, mark(path)))
    files.sync_folder(folder)
    files.sync_folder(folder.parent)
    rows = 0 if vectors is None else len(vectors.owners)
    return SegmentMark(name, len(table), rows, tuple(marks))


def open_segment(root: Path, segment: SegmentMark, *, whole: bool = False) -> Segment:
    """The segment as memory maps; `whole` also reads and checks every byte.

    Raises InputError naming the folder when a file is damaged, FileNotFoundError when one is gone.
    """
    folder = root / SEGMENTS / segment.name
    parts: dict[str, dict[str, NDArray[Any]]] = {_CHUNKS: {}, _SPARSE: {}, _DENSE: {}}
    for name, expected in segment.files:
        if whole:
            check_whole(folder / name, expected)
        prefix, _, rest = name.partition(".")
        parts.setdefault(f"{prefix}.", {})[rest.removesuffix(".npy")] = map_array(
            folder / name, expected
        )
    try:
        return _assemble(segment, parts, whole)
    except (InputError, KeyError, IndexError, ValueError, TypeError) as fault:
        what = fault.message if isinstance(fault, InputError) else str(fault)
        raise InputError(f"index folder {folder} is damaged: {what}", REBUILD) from fault


def _assemble(
    segment: SegmentMark, parts: Mapping[str, Mapping[str, NDArray[Any]]], whole: bool
) -> Segment:
    table = ChunkTable.of(parts[_CHUNKS])
    postings = sparse.SparseSegment.of(parts[_SPARSE], deep=whole)
    vectors = dense.DenseSegment.of(parts[_DENSE]) if parts[_DENSE] else None
    if vectors is not None and len(vectors.owners):
        owners = vectors.owners
        if int(owners[-1]) >= len(table) or bool((owners[1:] < owners[:-1]).any()):
            raise InputError("the vectors do not stand in the order of their chunks")
    if not len(table) == len(postings) == segment.chunks:
        raise InputError(f"{len(postings)} chunks have terms where {segment.chunks} stand")
    return Segment(segment, table, postings, vectors)


def _check(entrant: Entrant) -> None:
    count = len(entrant.chunks)
    uri = entrant.document.uri
    if not count == len(entrant.terms) == len(entrant.lead_terms):
        raise InputError(
            f"{uri}: {count} chunks, {len(entrant.terms)} lists of terms and "
            f"{len(entrant.lead_terms)} of lead terms"
        )
    if len(entrant.vectors) != len(entrant.owners):
        raise InputError(f"{uri}: {len(entrant.vectors)} vectors for {len(entrant.owners)} owners")
    if any(not 0 <= owner < count for owner in entrant.owners):
        raise InputError(f"{uri}: a vector belongs to none of the {count} chunks")
