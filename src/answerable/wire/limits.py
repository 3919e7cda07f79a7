"""Pieces that the model cannot read at once: marked, and said in the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from answerable.records.docs import Document
from answerable.records.index import Chunk, Skipped


@dataclass(frozen=True, slots=True)
class Limited:
    """A cut that marks each piece over `limit` tokens as `over`.

    `notes` gathers one line for each document with such pieces; `long` is the embedder rule's
    way with them (windows, head). Limit 0: nothing is embedded and nothing is marked.
    """

    cut: Callable[[Document], tuple[Chunk, ...]]
    limit: int
    long: str
    notes: list[Skipped] = field(default_factory=list)

    def __call__(self, document: Document) -> tuple[Chunk, ...]:
        """The chunks of a document."""
        chunks = self.cut(document)
        over = [chunk for chunk in chunks if chunk.tokens > self.limit]
        if not self.limit or not over:
            return chunks
        self.notes.append(Skipped(document.uri, self._said(over, len(chunks))))
        why = f"longer than the embedder's limit of {self.limit} tokens"
        return tuple(
            replace(chunk, over=chunk.over or why) if chunk.tokens > self.limit else chunk
            for chunk in chunks
        )

    def _said(self, over: list[Chunk], pieces: int) -> str:
        behind = sum(chunk.tokens - self.limit for chunk in over)
        what = f"{len(over)} of {pieces} pieces over the embedder's limit of {self.limit} tokens"
        if self.long == "head":
            return f"{what}: {behind} tokens cut, not found by meaning"
        return f"{what}: embedded in windows"
