"""Pictures of movement: where evidence stood before and after, and each question's difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt

from answerable.adapters.formats.figures import signed
from answerable.adapters.formats.markup import Markup, tag
from answerable.adapters.formats.report_axes import Frame, label, shortened
from answerable.measure.compare import shown
from answerable.records.comparison import Comparison, Movement
from answerable.records.runs import Standing

_EDGES = (1, 2, 3, 5, 10, 20, 50, 100)
_SLOPE = Frame(height=380, left=120, right=120, top=34, bottom=14)
_BARS = Frame(height=260, left=52, right=14, top=14, bottom=26)
DRAWN = 1500
"""Difference bars are drawn one by one up to so many questions."""


def slopes(
    found: Comparison, base: Mapping[str, Standing], candidate: Mapping[str, Standing]
) -> Markup | None:
    """Ranks of the evidence before and after, equal ways drawn as one line; None without ranks."""
    skipped = {item for item, _ in found.skipped}
    pairs = [
        (one.rank, candidate[item].rank)
        for item, one in base.items()
        if item in candidate
        and item not in skipped
        and "unmeasured" not in (one.state, candidate[item].state)
    ]
    deepest = max((rank for pair in pairs for rank in pair if rank is not None), default=0)
    if not deepest:
        return None
    names, bucket = _buckets(found.depth, deepest)
    ways = Counter((bucket(before), bucket(after)) for before, after in pairs)
    frame = _SLOPE
    step = (frame.south - frame.top) / len(names)

    def y(at: int) -> float:
        return frame.top + (at + 0.5) * step

    most = max((n for (a, b), n in ways.items() if a != b), default=1)
    still = [
        _way(frame, y(a), y(b), n, 1.0, names[a], names[b]) for (a, b), n in ways.items() if a == b
    ]
    moved = [
        _way(frame, y(a), y(b), n, 1 + 9 * sqrt(n / most), names[a], names[b])
        for (a, b), n in sorted(ways.items(), key=lambda way: (-way[1], way[0]))
        if a != b
    ]
    before, after = Counter(bucket(a) for a, _ in pairs), Counter(bucket(b) for _, b in pairs)
    sides = [
        part
        for at, name in enumerate(names)
        for part in (
            label(frame.left - 8, y(at) + 4, f"{name}  ·  {before[at]}", "end", "halo"),
            label(frame.east + 8, y(at) + 4, f"{after[at]}  ·  {name}", "start", "halo"),
        )
    ]
    edge = frame.top + (bucket(found.depth) + 1) * step
    return frame.picture(
        f"Rank of the evidence under {found.base} and {found.candidate}",
        label(frame.left, 16, shortened(found.base, 30), "middle", "head"),
        label(frame.east, 16, shortened(found.candidate, 30), "middle", "head"),
        tag("line", class_="mark", x1=8, x2=frame.width - 8, y1=edge, y2=edge),
        label(8, edge - 4, "to the model ↑"),
        *still,
        *moved,
        *sides,
    )


def bars(found: Comparison, link: Callable[[str], str]) -> Markup | None:
    """Each moved question's difference, from the most gained to the most lost.

    None where every question moved by the same amount, as the counts then say all.
    """
    moves = [*found.gained, *reversed(found.lost)]
    sizes = {round(abs(m.after - m.before), 9) for m in moves}
    if len(sizes) < 2:
        return None
    frame = _BARS
    most = max(sizes)
    width = (frame.east - frame.left) / len(moves)
    middle = (frame.top + frame.south) / 2

    def y(value: float) -> float:
        return middle - value / most * (frame.south - frame.top) / 2

    if len(moves) <= DRAWN:
        gained = {m.item_id for m in found.gained}
        drawn = [
            tag(
                "a",
                tag(
                    "rect",
                    tag("title", f"{m.item_id}: {signed(m.after - m.before)}"),
                    x=frame.left + at * width,
                    width=max(width - 1, width * 0.7),
                    y=min(middle, y(m.after - m.before)),
                    height=abs(y(m.after - m.before) - middle),
                    fill="var(--up)" if m.item_id in gained else "var(--down)",
                ),
                href=link(m.item_id),
            )
            for at, m in enumerate(moves)
        ]
    else:
        drawn = [_area(moves, frame.left, width, middle, y)]
    axis = [
        part
        for value in (most, most / 2, 0.0, -most / 2, -most)
        for part in (
            tag(
                "line",
                class_="grid" if value else "axis",
                x1=frame.left,
                x2=frame.east,
                y1=y(value),
                y2=y(value),
            ),
            label(frame.left - 6, y(value) + 4, signed(value, 2) if value else "0", "end"),
        )
    ]
    edge = frame.left + len(found.gained) * width
    return frame.picture(
        f"Difference of each question that moved, {found.metric}",
        *axis,
        *drawn,
        label(frame.left, frame.height - 8, f"{len(found.gained)} gained", "start", "up"),
        label(frame.east, frame.height - 8, f"{len(found.lost)} lost", "end", "down"),
        tag("line", class_="mark", x1=edge, x2=edge, y1=frame.top, y2=frame.south),
    )


def forest(found: Comparison, most: float) -> Markup:
    """A difference with its interval on a scale from -most to +most, which holds all of it."""

    def x(value: float) -> float:
        return 75 + value / most * 68

    shade = ("var(--flat)", "var(--up)", "var(--down)")[shown(found)]
    low, high = x(found.low), x(found.high)
    return tag(
        "svg",
        tag("line", class_="axis", x1=75, x2=75, y1=1, y2=17),
        tag("line", x1=low, x2=high, y1=9, y2=9, style=f"stroke:{shade};stroke-width:2"),
        tag("circle", cx=x(found.delta), cy=9, r=3.5, fill=shade),
        viewBox="0 0 150 18",
        role="img",
        aria_label=f"{signed(found.delta)} [{signed(found.low)}, {signed(found.high)}]",
    )


def _buckets(depth: int, deepest: int) -> tuple[list[str], Callable[[int | None], int]]:
    """Names of groups of ranks, and the group of a rank; the model's depth ends a group."""
    edges = sorted({edge for edge in (*_EDGES, depth) if edge < deepest} | {max(depth, deepest)})
    if depth not in edges:
        edges = sorted({*edges, depth})
    starts = [1, *(edge + 1 for edge in edges[:-1])]
    names = [
        str(end) if start == end else f"{start}-{end}"
        for start, end in zip(starts, edges, strict=True)
    ]

    def bucket(rank: int | None) -> int:
        if rank is None:
            return len(edges)
        return next(at for at, edge in enumerate(edges) if rank <= edge)

    return [*names, "not found"], bucket


def _way(
    frame: Frame, start: float, end: float, count: int, width: float, before: str, after: str
) -> Markup:
    x1, x2 = frame.left, frame.east
    middle = (x1 + x2) / 2
    shade = "var(--line)" if start == end else "var(--up)" if end < start else "var(--down)"
    questions = "question" if count == 1 else "questions"
    return tag(
        "path",
        tag("title", f"{count} {questions}: {before} to {after}"),
        d=f"M{x1},{start:.1f}C{middle},{start:.1f} {middle},{end:.1f} {x2},{end:.1f}",
        class_="l",
        style=f"stroke:{shade};stroke-width:{width:.1f};opacity:.6",
    )


def _area(
    moves: Sequence[Movement],
    left: float,
    width: float,
    middle: float,
    y: Callable[[float], float],
) -> Markup:
    points = [(left + at * width, y(m.after - m.before)) for at, m in enumerate(moves)]
    path = "L".join(f"{x:.1f},{height:.1f}" for x, height in points)
    return tag(
        "path",
        d=f"M{left},{middle}L{path}L{left + len(moves) * width:.1f},{middle}z",
        fill="var(--flat)",
    )
