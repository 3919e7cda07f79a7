"""Adding to a run question by question, so that a crash costs the question at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from answerable.adapters.formats.run_folder import FAILURES, PIECES, TRACES, RunFolder
from answerable.adapters.formats.run_rows import from_failure, from_trace, line
from answerable.records.answers import Trace
from answerable.records.codec import to_plain
from answerable.records.runs import Failure, FoundPiece


@dataclass(slots=True)
class RunWriter:
    """Adds to a run question by question; `close` it, or use it as a context.

    A trace's pieces are written before it, so that a trace on disk can always be scored.
    """

    folder: RunFolder
    traces: dict[str, Trace] = field(default_factory=dict)
    pieces: dict[str, FoundPiece] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    _files: dict[str, IO[bytes]] = field(default_factory=dict)

    def __enter__(self) -> RunWriter:
        self.traces = self.folder.traces()
        self.pieces = self.folder.pieces()
        for name in (TRACES, PIECES, FAILURES):
            self._files[name] = _opened(self.folder.path / name)
        return self

    def __exit__(self, *fault: object) -> None:
        for file in self._files.values():
            file.close()

    def traced(self, item_id: str, trace: Trace, pieces: Sequence[FoundPiece]) -> None:
        """Keep a trace and those of its pieces that are not on disk yet."""
        new = {piece.chunk_id: piece for piece in pieces if piece.chunk_id not in self.pieces}
        self._add(PIECES, [to_plain(piece) for piece in new.values()])
        self._add(TRACES, [from_trace(item_id, trace)])
        self.pieces |= new
        self.traces[item_id] = trace

    def failed(self, failure: Failure) -> None:
        """Keep a question that failed."""
        self._add(FAILURES, [from_failure(failure)])
        self.failures.append(failure)

    def _add(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        self._files[name].write("".join(map(line, rows)).encode("utf-8", "replace"))
        self._files[name].flush()


def _opened(path: Path) -> IO[bytes]:
    """The file for adding, without the line that a crash cut off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("ab+")
    file.seek(0)
    body = file.read()
    file.truncate(body.rfind(b"\n") + 1)
    file.seek(0, 2)
    return file
