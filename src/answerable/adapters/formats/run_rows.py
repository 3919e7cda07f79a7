"""The lines of a run folder's files: one object each, with the format's version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from answerable.errors import InputError
from answerable.records.answers import Trace
from answerable.records.codec import from_plain, to_plain
from answerable.records.evals import Score
from answerable.records.runs import Failure, FoundPiece, Standing

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
        except ValueError:
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
    return Failure(row["item"], row["stage"], row["cause"])


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
    """The score of a line."""
    value = row["value"]
    return Score(
        row["item"], row["metric"], None if value is None else float(value), row.get("why", "")
    )


def from_standing(one: Standing, checker: str) -> dict[str, Any]:
    """The line of a standing."""
    plain = to_plain(one)
    return {"item": plain.pop("item_id"), **plain, "checker": checker}


def to_standing(row: dict[str, Any]) -> Standing:
    """The standing of a line."""
    plain = {key: value for key, value in row.items() if key not in ("item", "checker")}
    return from_plain(Standing, {"item_id": row["item"], **plain})
