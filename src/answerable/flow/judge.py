"""A whole run scored from its traces, question by question, without asking anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

from answerable.errors import AnswerableError
from answerable.flow.locate import Located
from answerable.flow.score import Absent, score
from answerable.measure.refusal import decide
from answerable.records.answers import Trace
from answerable.records.docs import Document
from answerable.records.evals import GoldenItem, Score
from answerable.records.runs import Decision, Failure, FoundPiece, Standing

Check = Callable[[GoldenItem, Trace], object]
"""A measure of the user's own: a number or truth value, or None or (None, why) if not measurable.

It is given the item as the golden set has it.
"""


@dataclass(frozen=True, slots=True)
class Judged:
    """Every score and standing of a run, and the questions that could not be scored.

    `decisions` are of every question that was asked, whether or not it could be scored.
    """

    scores: tuple[Score, ...]
    standings: tuple[Standing, ...]
    failures: tuple[Failure, ...]
    decisions: tuple[Decision, ...]


def judge(
    located: Located,
    traces: Mapping[str, Trace],
    pieces: Mapping[str, FoundPiece],
    documents: Mapping[str, Document],
    depth: int,
    absent: Absent,
    checks: Mapping[str, Check],
    failures: Iterable[Failure],
) -> Judged:
    """The scores of every item in the golden set's order; see `flow.score.score`.

    `failures` are the questions that could not be asked. A question that failed, then or now, is
    not measurable under every metric of its kind (answerable or not), so that it is counted.
    """
    failed = {failure.item_id: failure.cause for failure in failures}
    now: list[Failure] = []
    scores: list[Score] = []
    standings: list[Standing] = []
    metrics: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for item, original in zip(located.items, located.golden.items, strict=True):
        if item.id not in traces:
            continue
        trace = traces[item.id]
        try:
            why = located.unmeasured.get(item.id, "")
            found, standing = score(item, why, trace, pieces, documents, depth, absent)
            own = [_own(name, check, original, trace) for name, check in checks.items()]
        except Exception as fault:  # one question costs itself, whatever its measures met
            cause = fault.message if isinstance(fault, AnswerableError) else repr(fault)
            now.append(Failure(item.id, "score", cause))
            continue
        scores += (*found, *own)
        standings.append(standing)
        metrics[item.answerable] |= dict.fromkeys(one.metric for one in (*found, *own))
    failed |= {failure.item_id: failure.cause for failure in now}
    for item in located.items:
        cause = failed.get(item.id, "it was not asked" if item.id not in traces else "")
        if cause:
            scores += [Score(item.id, metric, None, cause) for metric in metrics[item.answerable]]
            standings.append(Standing(item.id, None, "unmeasured"))
    right = {one.item_id: one.value for one in scores if one.metric == "right"}
    places = {item.id: number for number, item in enumerate(located.items)}
    return Judged(
        tuple(sorted(scores, key=lambda one: places[one.item_id])),
        tuple(sorted(standings, key=lambda one: places[one.item_id])),
        tuple(now),
        tuple(
            decide(item.id, item.answerable, traces[item.id], right.get(item.id))
            for item in located.items
            if item.id in traces
        ),
    )


def _own(name: str, check: Check, item: GoldenItem, trace: Trace) -> Score:
    try:
        given = check(item, trace)
    except Exception as fault:  # a fault of a checker costs its own score of this item
        return Score(item.id, name, None, f"checker {name} failed: {fault!r}")
    value, why = given if isinstance(given, tuple) and len(given) == 2 else (given, "")
    if value is None:
        return Score(item.id, name, None, str(why) or f"checker {name} gave none")
    if not isinstance(value, bool | int | float) or not isfinite(value):
        return Score(item.id, name, None, f"checker {name} gave {value!r}, not a number")
    return Score(item.id, name, float(value))
