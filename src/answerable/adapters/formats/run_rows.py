"""The lines of a run folder's files: one object each, with the format's version."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from answerable.errors import InputError
from answerable.records.answers import Trace
from answerable.records.codec import from_plain, to_plain
from answerable.records.evals import Score
from answerable.records.runs import Decision, Failure, FoundPiece, Standing

FORMAT = 1
"""Stands in run.json and in every line of the .jsonl files; TREC files have none."""


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of whole lines with their numbers, {} for a line that holds none.

    A missing file has no lines. Raises InputError for a line of another format.
    """
    if not path.is_file():
        return
    whole = path.read_bytes().rpartition(b"\n")[0]
    for number, text in enumerate(whole.split(b"\n") if whole else (), 1):
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            row = {}
        row = row if isinstance(row, dict) else {}
        if row.pop("format", FORMAT) != FORMAT:
            raise InputError(f"{path}:{number} is not of format {FORMAT}", "a newer version's?")
        yield number, row


def line(row: Mapping[str, Any]) -> str:
    """An object as one line."""
    return json.dumps({**row, "format": FORMAT}, ensure_ascii=False, separators=(",", ":")) + "\n"


def to_piece(row: dict[str, Any]) -> tuple[str, FoundPiece]:
    """A piece with its chunk id."""
    piece = from_plain(FoundPiece, row)
    return piece.chunk_id, piece


def from_trace(item_id: str, trace: Trace) -> dict[str, Any]:
    """The line of a trace."""
    return {"item": item_id, "trace": to_plain(trace)}


def to_trace(row: dict[str, Any]) -> tuple[str, Trace]:
    """A trace with its item id."""
    return row["item"], from_plain(Trace, row["trace"])


def from_failure(one: Failure) -> dict[str, Any]:
    """The line of a failure."""
    return {"item": one.item_id, "stage": one.stage, "cause": one.cause}


def to_failure(row: dict[str, Any]) -> Failure:
    """The failure of a line."""
    return from_plain(
        Failure, {"item_id": row["item"], "stage": row["stage"], "cause": row["cause"]}
    )


def from_score(one: Score, checker: str) -> dict[str, Any]:
    """The line of a score; a value that is not finite raises InputError."""
    value = to_plain(one.value)
    return {
        "item": one.item_id,
        "metric": one.metric,
        "value": value,
        "why": one.why,
        "checker": checker,
    }


def to_score(row: dict[str, Any]) -> Score:
    """The score of a line; TypeError or ValueError for one that is none."""
    item, metric, value, why = row["item"], row["metric"], row["value"], row.get("why", "")
    if not (isinstance(item, str) and isinstance(metric, str) and isinstance(why, str)):
        raise TypeError("item, metric and why must be texts")
    if value is None:
        return Score(item, metric, None, why)
    if not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ValueError(f"{value!r:.40} is no finite number")
    return Score(item, metric, float(value), why)


def from_judged(one: Standing | Decision, checker: str) -> dict[str, Any]:
    """The line of a standing or a decision."""
    plain = to_plain(one)
    return {"item": plain.pop("item_id"), **plain, "checker": checker}


def to_standing(row: dict[str, Any]) -> Standing:
    """The standing of a line."""
    return from_plain(Standing, _judged(row))


def to_decision(row: dict[str, Any]) -> Decision:
    """The decision of a line."""
    return from_plain(Decision, _judged(row))


def _judged(row: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in row.items() if key not in ("item", "checker")}
    return {"item_id": row["item"], **plain}
