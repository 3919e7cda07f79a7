"""Scores as JSON lines, from a run folder or from a checker or judge of anyone's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from answerable.adapters.formats.lines import identifier, objects
from answerable.errors import InputError
from answerable.records.evals import Score
from answerable.records.runs import Failure

ByMetric = dict[str, tuple[list[Score], list[Failure]]]


def read_scores(path: Path) -> tuple[ByMetric, tuple[str, ...]]:
    """Scores and failures by metric, and the lines that could not be used.

    A line is `{"item", "metric", "value"}` with a number; or `"value": null` with `"why"`, which is
    not measurable; or `"error"` with the cause of a failure. A value that is no finite number, and
    null without a reason, are failures too; so are the questions that a `failures.jsonl` beside
    the file names, as in a run folder. Raises InputError when no line is left.
    """
    problems: list[str] = []
    found: ByMetric = {}
    seen: set[tuple[str, str]] = set()
    failed = _failed(path.with_name("failures.jsonl"), problems)
    for place, row in objects(path, problems):
        item, metric = identifier(row.get("item")), row.get("metric")
        if item is None or not isinstance(metric, str) or not metric:
            problems.append(f"{place}: a score needs item and metric")
            continue
        if (item, metric) in seen:
            problems.append(f"{place}: {item!r} has two scores under {metric}; the first is kept")
            continue
        seen.add((item, metric))
        scores, failures = found.setdefault(metric, ([], []))
        one = failed.get(item) or _read(item, metric, row)
        if isinstance(one, Score):
            scores.append(one)
        else:
            failures.append(one)
    if not found:
        raise InputError(f"{path} holds no score", problems[0] if problems else "it is empty")
    return found, tuple(problems)


def _failed(path: Path, problems: list[str]) -> dict[str, Failure]:
    if not path.is_file():
        return {}
    rows = [row for _, row in objects(path, problems)]
    return {
        item: Failure(item, str(row.get("stage", "")), str(row.get("cause", "")))
        for row in rows
        if (item := identifier(row.get("item"))) is not None
    }


def _read(item: str, metric: str, row: dict[str, Any]) -> Score | Failure:
    value, why, error = row.get("value"), row.get("why"), row.get("error")
    if error:
        return Failure(item, metric, str(error))
    if value is None:
        return Score(item, metric, None, str(why)) if why else Failure(item, metric, "no value")
    if isinstance(value, bool):
        return Score(item, metric, float(value))
    if not isinstance(value, int | float):
        return Failure(item, metric, "no number")
    if not abs(value) <= sys.float_info.max:
        return Failure(item, metric, "no finite number")
    return Score(item, metric, float(value))
