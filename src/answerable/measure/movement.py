"""Which questions moved between two runs, and what their mean hides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from answerable.measure.traits import Asked
from answerable.records.comparison import Movement
from answerable.records.runs import Standing

MANY, CANCELLED = 0.05, 0.5
"""A mean hides movement when at least this share of the questions moved, both ways, and at most
this share of all movement is left after gains and losses cancel."""


def ends(
    asked: Mapping[str, Asked],
    values: Mapping[str, tuple[float, float]],
    traits: Mapping[str, tuple[str, ...]],
    higher: bool,
) -> tuple[tuple[Movement, ...], tuple[Movement, ...]]:
    """The questions that gained and those that lost, each farthest first.

    `values` are (before, after) by item id; `higher` says which way is better. Among equal moves
    the one whose evidence changed place the most comes first (by reciprocal rank), then by id.
    """
    gained: list[Movement] = []
    lost: list[Movement] = []
    for item, (before, after) in values.items():
        better = (after - before) * (1 if higher else -1)
        if abs(better) >= 1e-12:
            one = asked[item]
            found = Movement(
                item, one.question, before, after, one.base, one.candidate, traits[item]
            )
            (gained if better > 0 else lost).append(found)
    return tuple(sorted(gained, key=_far)), tuple(sorted(lost, key=_far))


def at_depth(standing: Standing, own: int, depth: int) -> Standing:
    """A standing as it is within `depth` pieces, where it was taken within `own`.

    At another depth only whole or not whole is known.
    """
    if own == depth or standing.state == "unmeasured":
        return standing
    whole = standing.rank is not None and standing.rank <= depth
    return replace(standing, state="whole" if whole else "not whole")


def hidden(
    n: int, gained: Sequence[Movement], lost: Sequence[Movement], asked: Mapping[str, Asked]
) -> tuple[str, ...]:
    """What the mean does not tell, in words: moves that cancel, evidence that moved unscored."""
    notes = []
    moves = [movement.after - movement.before for movement in (*gained, *lost)]
    gross = sum(map(abs, moves))
    if gained and lost and len(moves) >= MANY * n and abs(sum(moves)) <= CANCELLED * gross:
        notes.append(
            f"the mean hides movement: {len(moves)} of {n} questions moved "
            f"({len(gained)} gained, {len(lost)} lost), by {gross / len(moves):.3g} each on "
            f"average, while the mean moved by {sum(moves) / n:+.3g}"
        )
    moved = {movement.item_id for movement in (*gained, *lost)}
    elsewhere = sum(
        one.base.rank != one.candidate.rank for item, one in asked.items() if item not in moved
    )
    if elsewhere:
        notes.append(
            f"{elsewhere} of the {n - len(moved)} questions whose score is the same have their "
            "evidence at another rank"
        )
    return tuple(notes)


def _far(movement: Movement) -> tuple[float, float, str]:
    return (
        -round(abs(movement.after - movement.before), 9),
        -round(abs(_reciprocal(movement.candidate) - _reciprocal(movement.base)), 9),
        movement.item_id,
    )


def _reciprocal(standing: Standing) -> float:
    return 1 / standing.rank if standing.rank else 0.0
