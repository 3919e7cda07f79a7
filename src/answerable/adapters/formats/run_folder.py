"""A run's folder: what was asked and found, how it scored, and what failed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from answerable.adapters.formats.run_rows import (
    FORMAT,
    from_failure,
    from_judged,
    from_score,
    from_trace,
    line,
    rows,
    to_decision,
    to_failure,
    to_piece,
    to_score,
    to_standing,
    to_trace,
)
from answerable.adapters.staged_file import write_whole
from answerable.errors import InputError, NotFound
from answerable.records.answers import Trace
from answerable.records.codec import flat, from_plain, to_plain
from answerable.records.evals import Score
from answerable.records.runs import Decision, Failure, Filed, FoundPiece, Run, RunInfo, Standing

RUN, LOCK, TRACES, PIECES = "run.json", "lock.json", "traces.jsonl", "pieces.jsonl"
SCORES, STANDINGS, FAILURES = "scores.jsonl", "standings.jsonl", "failures.jsonl"
DECISIONS = "decisions.jsonl"
TREC_RUN, TREC_QRELS, REPORT = "run.trec", "qrels.trec", "report.html"

R = TypeVar("R")

_BESIDE = ("format", "recipe", "texts", "filed")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One arm's run on disk; every line is whole, and a line cut off by a crash is no line."""

    path: Path

    def info(self) -> RunInfo | None:
        """What the run says of itself; None where no run was begun."""
        table = self._table()
        return _info(table, self.path) if table is not None else None

    def begin(
        self,
        info: RunInfo,
        questions: Sequence[tuple[str, str]],
        recipe: Mapping[str, Any],
        filed: Iterable[Filed] = (),
    ) -> None:
        """Write run.json: the info, the recipe whole, each question's text and filing by item."""
        under = {one.item_id: _without_id(one) for one in filed}
        texts = dict(questions)
        self._put({**to_plain(info), "recipe": recipe, "texts": texts, "filed": under})

    def update(self, info: RunInfo) -> None:
        """Write run.json anew with other info; NotFound where no run was begun."""
        self._put({**self._begun(), **to_plain(info)})

    def write(self, name: str, text: str) -> None:
        """One file, whole."""
        write_whole(self.path / name, text)

    def traces(self) -> dict[str, Trace]:
        """Traces by item id; a line that cannot be used is no trace."""
        return dict(self._usable(TRACES, to_trace))

    def pieces(self) -> dict[str, FoundPiece]:
        """Every piece that a trace ranks, by chunk id."""
        return dict(self._usable(PIECES, to_piece))

    def failures(self) -> tuple[Failure, ...]:
        """Questions that could not be asked or scored."""
        return tuple(self._usable(FAILURES, to_failure))

    def settle(
        self, order: Sequence[str], traces: Mapping[str, Trace], pieces: Mapping[str, FoundPiece]
    ) -> None:
        """Write traces and pieces anew in the order of the questions.

        So a run by many threads, or in several goes, is the same file as one by one at once.
        """
        kept = [(item, traces[item]) for item in order if item in traces]
        seen = dict.fromkeys(
            hit.chunk_id for _, trace in kept for _, ranking in trace.rankings for hit in ranking
        )
        self.write(TRACES, "".join(line(from_trace(item, trace)) for item, trace in kept))
        self.write(PIECES, "".join(line(to_plain(pieces[id])) for id in seen))

    def fail(self, order: Sequence[str], failures: Iterable[Failure]) -> None:
        """Write failures anew in the order of the questions."""
        places = {item: number for number, item in enumerate(order)}
        ordered = sorted(failures, key=lambda one: places.get(one.item_id, len(places)))
        self.write(FAILURES, "".join(line(from_failure(one)) for one in ordered))

    def judge(
        self,
        scores: Iterable[Score],
        standings: Iterable[Standing],
        checker: str,
        decisions: Iterable[Decision] = (),
    ) -> None:
        """Write what was judged, each line with the version of the checker behind it."""
        self.write(SCORES, "".join(line(from_score(one, checker)) for one in scores))
        self.write(STANDINGS, "".join(line(from_judged(one, checker)) for one in standings))
        self.write(DECISIONS, "".join(line(from_judged(one, checker)) for one in decisions))

    def read(self) -> Run:
        """The run; NotFound where there is none, InputError for one that was never scored."""
        table = self._begun()
        if not (self.path / SCORES).is_file():
            raise InputError(
                f"the run in {self.path} was stopped before it was scored",
                "run the experiment again; it asks only what is missing",
            )
        return Run(
            _info(table, self.path),
            tuple(self._strict(SCORES, to_score)),
            tuple(self._strict(STANDINGS, to_standing)),
            self.failures(),
            tuple(_texts(table, self.path)),
            tuple(self._strict(DECISIONS, to_decision)),
            tuple(_filed(table, self.path)),
            _recipe(table, self.path),
        )

    def _put(self, table: Mapping[str, Any]) -> None:
        whole = {"format": FORMAT, **table}
        self.write(RUN, json.dumps(whole, ensure_ascii=False, indent=1) + "\n")

    def _begun(self) -> dict[str, Any]:
        table = self._table()
        if table is None:
            raise NotFound(f"no run in {self.path}", "give a folder that `answerable run` made")
        return table

    def _table(self) -> dict[str, Any] | None:
        path = self.path / RUN
        try:
            table = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as fault:
            raise InputError(f"{path} cannot be read: {fault}", "delete the folder") from fault
        except RecursionError as fault:
            raise InputError(f"{path} is nested too deeply", "delete the folder") from fault
        if not isinstance(table, dict) or table.get("format") != FORMAT:
            raise InputError(f"{path} is not of format {FORMAT}", "made by another version?")
        return table

    def _usable(self, name: str, build: Callable[[dict[str, Any]], R]) -> Iterator[R]:
        for _, row in rows(self.path / name):
            try:
                found = build(row)
            except (InputError, KeyError, TypeError, AttributeError):
                continue
            yield found

    def _strict(self, name: str, build: Callable[[dict[str, Any]], R]) -> Iterator[R]:
        for number, row in rows(self.path / name):
            try:
                yield build(row)
            except (InputError, KeyError, TypeError, AttributeError, ValueError) as fault:
                raise InputError(
                    f"{self.path / name}:{number} is no line of a run: {fault}",
                    "score it again with `answerable run --rescore`",
                ) from fault


def _without_id(one: Filed) -> dict[str, Any]:
    return {key: value for key, value in to_plain(one).items() if key != "item_id"}


def _texts(table: Mapping[str, Any], path: Path) -> Iterator[tuple[str, str]]:
    for item, text in _part(table, "texts", path).items():
        if not isinstance(text, str):
            raise _wrong(path, f"texts {item!r}", f"a text and not {type(text).__name__}")
        yield item, text


def _filed(table: Mapping[str, Any], path: Path) -> Iterator[Filed]:
    for item, under in _part(table, "filed", path).items():
        try:
            yield from_plain(Filed, {"item_id": item, **under})
        except (InputError, TypeError) as fault:
            raise InputError(
                f"{path / RUN}: filed {item!r}: {fault}", "delete the folder"
            ) from fault


def _recipe(table: Mapping[str, Any], path: Path) -> tuple[tuple[str, str], ...]:
    try:
        return tuple(flat(_part(table, "recipe", path)))
    except RecursionError as fault:
        raise _wrong(path, "recipe", "nested less deeply") from fault


def _part(table: Mapping[str, Any], key: str, path: Path) -> dict[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise _wrong(path, key, f"an object and not {type(found).__name__}")
    return found


def _wrong(path: Path, key: str, wanted: str) -> InputError:
    return InputError(f"{path / RUN}: {key} must be {wanted}", "delete the folder")


def _info(table: Mapping[str, Any], path: Path) -> RunInfo:
    wanted = {key: value for key, value in table.items() if key not in _BESIDE}
    try:
        return from_plain(RunInfo, wanted)
    except InputError as fault:
        raise InputError(f"{path / RUN}: {fault.message}", "delete the folder") from fault
