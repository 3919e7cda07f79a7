"""From one generation to the next: what is carried over, what enters, what is merged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from answerable.adapters.stores.embedded.compaction import to_merge
from answerable.adapters.stores.embedded.damage import REBUILD
from answerable.adapters.stores.embedded.disk import Files
from answerable.adapters.stores.embedded.generation import Generation, Part
from answerable.adapters.stores.embedded.ids import key_of
from answerable.adapters.stores.embedded.segment import (
    SegmentBuilder,
    merge_segments,
    open_segment,
)
from answerable.adapters.stores.embedded.visible import by_segment
from answerable.errors import StaleIndex, UsageError
from answerable.records.index import GenerationInfo, IndexedDocument


class Succession:
    """Collects the parts and rows of the generation `info` names; used once, by one writer."""

    def __init__(self, files: Files, root: Path, info: GenerationInfo) -> None:
        self._files = files
        self._root = root
        self._info = info
        self._written = 0
        self.parts: list[Part] = []
        self.rows: dict[int, IndexedDocument] = {}

    def carry(self, base: Generation | None, keep: Mapping[str, IndexedDocument]) -> None:
        """Take over the kept documents with the segments that hold them, untouched."""
        if not keep:
            return
        if base is None:
            raise StaleIndex(f"{len(keep)} documents are to be kept, but there is no index yet")
        before = base.manifest.info
        for name, old, new in (
            ("recipe", before.ingest_hash, self._info.ingest_hash),
            ("embedder", before.embedder, self._info.embedder),
        ):
            if old != new:
                raise StaleIndex(
                    f"generation {before.name} was made by {name} {old!r}, not {new!r}", REBUILD
                )
        chosen = np.zeros(len(base.documents), dtype=np.bool_)
        for document_id, row in keep.items():
            number = base.documents.find(document_id)
            if number < 0:
                raise StaleIndex(
                    f"{row.uri} is to be kept, but generation {before.name} does not hold it",
                    "another process changed the index meanwhile; run the sync again",
                )
            chosen[number] = True
            self.rows[key_of(document_id)] = row
        masks = by_segment(base.documents, base.segments, chosen)
        self.parts = [
            Part(segment, mask)
            for segment, mask in zip(base.segments, masks, strict=True)
            if mask.any()
        ]

    def enter(self, document: IndexedDocument) -> None:
        """Note the row of a document that comes in; UsageError if its id is there already."""
        key = key_of(document.id)
        if key in self.rows:
            raise UsageError(
                f"{document.uri} comes in twice, or is kept and comes in",
                "a document either stays or is replaced",
            )
        self.rows[key] = document

    def append(self, builder: SegmentBuilder) -> None:
        """Write what the builder holds as one more segment."""
        mark = builder.write(self._files, self._root, self._segment_name())
        segment = open_segment(self._root, mark)
        self.parts.append(Part(segment, np.ones(len(segment.table.documents), dtype=np.bool_)))

    def compact(self) -> None:
        """Merge the segments that are too many or too dead into one."""
        live = [int(part.segment.table.spread(part.alive).sum()) for part in self.parts]
        chosen = to_merge(live, [len(part.segment.table) for part in self.parts])
        if not chosen:
            return
        merging = [self.parts[i] for i in chosen]
        mark = merge_segments(
            self._files,
            self._root,
            self._segment_name(),
            [part.segment for part in merging],
            [part.alive for part in merging],
        )
        segment = open_segment(self._root, mark)
        merged = Part(segment, np.ones(len(segment.table.documents), dtype=np.bool_))
        self.parts = [p for i, p in enumerate(self.parts) if i not in chosen] + [merged]

    def _segment_name(self) -> str:
        self._written += 1
        return f"{self._info.name}-{self._written}"
