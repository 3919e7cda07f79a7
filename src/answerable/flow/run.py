"""An arm asked every question: only the question's words go in, traces and failures come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from answerable.errors import AnswerableError
from answerable.flow.ask import Asking, ask
from answerable.ports import Progress, Snapshot
from answerable.records.answers import Trace
from answerable.records.index import Chunk, Filter, IndexedDocument
from answerable.records.runs import Failure, FoundPiece

R = TypeVar("R")

Question = tuple[str, str]
"""An item's id and its question: all of a golden item that this module is ever given."""


class Keep(Protocol):
    """Where results go, one question at a time, from one thread."""

    def traced(self, item_id: str, trace: Trace, pieces: Sequence[FoundPiece]) -> None: ...
    def failed(self, failure: Failure) -> None: ...


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """The trail of an evaluation: none, its run keeps every trace."""

    def record(self, trace: Trace) -> None:
        """Keep nothing."""


def run_arm(
    questions: Sequence[Question],
    asking: Asking,
    trace_id: Callable[[str], str],
    keep: Keep,
    *,
    jobs: int,
    progress: Progress,
) -> None:
    """Ask each question once by `jobs` threads; `trace_id` names the trace of an item.

    Results are kept as they come. A question that fails costs itself; an interruption loses only
    those at hand. Access is not filtered: an experiment sees every document.
    """

    def one(question: Question) -> tuple[Trace, tuple[FoundPiece, ...]] | Failure:
        item_id, words = question
        try:
            trace = ask(words, replace(asking, new_id=lambda: trace_id(item_id)), Filter())
            return trace, found_pieces(trace, asking.finder.snapshot)
        except AnswerableError as fault:
            return Failure(item_id, "ask", fault.message)
        except Exception as fault:  # one question costs itself, whatever its parts met
            return Failure(item_id, "ask", repr(fault))

    for done, (question, result) in enumerate(_results(questions, one, jobs), 1):
        if isinstance(result, Failure):
            keep.failed(result)
        else:
            keep.traced(question[0], *result)
        progress("ask", done, len(questions))


def found_pieces(trace: Trace, snapshot: Snapshot) -> tuple[FoundPiece, ...]:
    """Every piece that a stage of the trace ranks, each once, in the order of the rankings."""
    rows = snapshot.documents()
    names = dict.fromkeys(hit.chunk_id for _, ranking in trace.rankings for hit in ranking)
    return tuple(found_piece(chunk, rows) for chunk in map(snapshot.chunk, names))


def found_piece(chunk: Chunk, rows: Mapping[str, IndexedDocument]) -> FoundPiece:
    """A chunk by what outlives its index; `rows` are those of its documents by id."""
    return FoundPiece(
        chunk.id,
        chunk.document_id,
        rows[chunk.document_id].uri,
        chunk.span,
        chunk.words,
        chunk.tokens,
        chunk.kind,
        chunk.path,
    )


def _results(
    questions: Sequence[Question], one: Callable[[Question], R], jobs: int
) -> Iterator[tuple[Question, R]]:
    """Results as they come; closing the iterator drops what has not begun."""
    if jobs == 1:
        yield from ((question, one(question)) for question in questions)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        asked = {pool.submit(one, question): question for question in questions}
        for future in as_completed(asked):
            yield asked[future], future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
