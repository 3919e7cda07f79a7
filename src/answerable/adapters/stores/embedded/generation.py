"""One generation as it lies on disk: opened whole, or written whole, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from answerable.adapters.stores.embedded.chunk_table import Mask
from answerable.adapters.stores.embedded.damage import check_whole, damaged
from answerable.adapters.stores.embedded.disk import Files
from answerable.adapters.stores.embedded.document_table import (
    ORDINAL,
    SEGMENT,
    DocumentTable,
    open_documents,
    write_documents,
)
from answerable.adapters.stores.embedded.manifest import (
    FORMAT,
    GENERATIONS,
    MANIFEST,
    Kept,
    Manifest,
    encode_manifest,
    read_manifest,
)
from answerable.adapters.stores.embedded.segment import Segment, open_segment
from answerable.records.index import GenerationInfo, IndexedDocument


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """An open generation: its manifest, its documents and its segments as memory maps."""

    manifest: Manifest
    documents: DocumentTable
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A segment in a generation that is being written, and which of its documents stay."""

    segment: Segment
    alive: Mask


def open_generation(root: Path, kept: Kept, *, whole: bool = False) -> Generation:
    """Open a generation; `whole` checks every byte, else sizes, headers and edges are checked.

    Raises InputError or StaleIndex for what cannot be used, FileNotFoundError when a file is gone.
    """
    folder = root / GENERATIONS / kept.name
    manifest = read_manifest(folder / MANIFEST, kept.sha256)
    if whole:
        for name, expected in manifest.files:
            check_whole(folder / name, expected)
    documents = open_documents(folder, manifest.files)
    segments = tuple(open_segment(root, mark, whole=whole) for mark in manifest.segments)
    _check_places(folder, documents, segments)
    return Generation(manifest, documents, segments)


def write_generation(
    files: Files,
    root: Path,
    parts: Sequence[Part],
    rows: Mapping[int, IndexedDocument],
    info: GenerationInfo,
) -> tuple[Kept, GenerationInfo]:
    """Write a generation of finished segments, its manifest last; it is not yet current.

    The counts of `info` are filled in from what is written.
    """
    folder = root / GENERATIONS / info.name
    files.make_folder(folder)
    placed = [
        (key, number, ordinal)
        for number, part in enumerate(parts)
        for ordinal, key in zip(
            np.flatnonzero(part.alive).tolist(),
            part.segment.table.documents[part.alive].tolist(),
            strict=True,
        )
    ]
    facets, marks = write_documents(files, folder, placed, rows)
    live = [part.segment.table.spread(part.alive) for part in parts]
    info = replace(
        info,
        documents=len(placed),
        chunks=sum(int(mask.sum()) for mask in live),
        vectors=sum(
            int(mask[part.segment.rows()].sum()) for part, mask in zip(parts, live, strict=True)
        ),
        over_limit=sum(
            part.segment.table.over_limit(mask) for part, mask in zip(parts, live, strict=True)
        ),
    )
    segments = tuple(part.segment.mark for part in parts)
    data = encode_manifest(Manifest(FORMAT, info, facets, segments, marks))
    files.sync_folder(folder)
    files.write_bytes(folder / MANIFEST, data)
    files.sync_folder(folder)
    files.sync_folder(folder.parent)
    return Kept(info.name, sha256(data).hexdigest()), info


def _check_places(folder: Path, documents: DocumentTable, segments: Sequence[Segment]) -> None:
    places = documents.places
    sizes = np.array([len(segment.table.documents) for segment in segments], dtype=np.int64)
    if not len(places):
        return
    if int(places.min()) < 0 or int(places[:, SEGMENT].max()) >= len(sizes):
        raise damaged(folder / MANIFEST, "does not fit its document table")
    if bool((places[:, ORDINAL] >= sizes[places[:, SEGMENT]]).any()):
        raise damaged(folder / MANIFEST, "does not fit its document table")
