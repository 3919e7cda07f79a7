"""Pictures over all arms: recall by depth, and the words that recall costs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from answerable.adapters.formats.markup import Markup, join, tag
from answerable.adapters.formats.report_axes import (
    Frame,
    apart,
    colour,
    dash,
    diamond,
    label,
    round_shares,
    shortened,
)
from answerable.measure.tally import Tally
from answerable.records.runs import Run

_FRAME = Frame()
_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_WORDS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_BUDGET = re.compile(r"complete in ([1-9][0-9]*) words\Z")


def by_depth(runs: Sequence[Run]) -> Markup | None:
    """The share of questions whose evidence stands whole within each depth; None without any."""
    ranks = [[s.rank for s in run.standings if s.state != "unmeasured"] for run in runs]
    deepest = max((r for found in ranks for r in found if r is not None), default=0)
    if not deepest:
        return None
    deepest = min(deepest, max(100, *(2 * run.info.depth for run in runs)))
    end = next((d for d in _DEPTHS if d >= max(deepest, 10)), deepest)
    curves = [_curve(found, end) if found else [] for found in ranks]
    low, high = round_shares([share for curve in curves for share in curve])
    y, grid = _FRAME.shares(low, high)
    x, axis = _FRAME.logarithmic(
        1, end, [d for d in _DEPTHS if d <= end], "pieces from the top (depth)"
    )
    marks = [
        join(
            [
                tag("line", class_="mark", x1=x(d), x2=x(d), y1=_FRAME.top, y2=_FRAME.south),
                label(x(d) + 4, _FRAME.south - 6, "goes to the model"),
            ]
        )
        for d in sorted({run.info.depth for run in runs})
        if d <= end
    ]
    lines = [
        tag(
            "path",
            tag("title", f"{run.info.arm}: {_said(curve, run.info.depth)}"),
            class_="l",
            d=_bends([(x(d), y(share)) for d, share in enumerate(curve, 1)]),
            stroke=colour(arm),
            stroke_dasharray=dash(arm),
        )
        for arm, (run, curve) in enumerate(zip(runs, curves, strict=True))
        if curve
    ]
    shown = [
        (arm, run, y(curve[-1]))
        for arm, (run, curve) in enumerate(zip(runs, curves, strict=True))
        if curve
    ]
    return _FRAME.picture("Complete evidence by depth", grid, axis, *marks, *lines, *_names(shown))


def by_words(runs: Sequence[Run], found: Sequence[Mapping[str, Tally]]) -> Markup | None:
    """Complete evidence against the words it costs: at the model's depth, and in word budgets."""
    points = [_points(run, tallies) for run, tallies in zip(runs, found, strict=True)]
    every = [point for sent, budgets in points for point in (*sent, *budgets)]
    if not every:
        return None
    low, high = round_shares([share for _, share in every])
    y, grid = _FRAME.shares(low, high)
    least, most = min(w for w, _ in every), max(w for w, _ in every)
    first = max((w for w in _WORDS if w <= least), default=_WORDS[0])
    last = min((w for w in _WORDS if w >= most and w > first), default=max(most, 2.0 * first))
    x, axis = _FRAME.logarithmic(
        first, last, [w for w in _WORDS if first <= w <= last], "words of the pieces"
    )
    drawn = []
    names = []
    for arm, (run, (sent, budgets)) in enumerate(zip(runs, points, strict=True)):
        line = " ".join(f"{x(w):.1f},{y(share):.1f}" for w, share in budgets)
        drawn.append(
            tag(
                "polyline",
                class_="l",
                points=line,
                stroke=colour(arm),
                stroke_dasharray=dash(arm),
                opacity=0.6,
            )
        )
        drawn += [
            tag(
                "circle",
                tag("title", f"{run.info.arm}: {100 * share:.1f} % within {w:,.0f} words"),
                cx=x(w),
                cy=y(share),
                r=3,
                fill=colour(arm),
            )
            for w, share in budgets
        ]
        for w, share in sent:
            words = f"{run.info.arm}: {100 * share:.1f} % in {run.info.depth} pieces of {w:,.0f}"
            drawn.append(diamond(x(w), y(share), colour(arm), f"{words} words together"))
            names.append((arm, run, x(w), y(share)))
    heights = apart([at for *_, at in names], 14, _FRAME.top + 4, _FRAME.south - 4)
    labels = [
        tag(
            "text",
            shortened(run.info.arm),
            x=across + 9,
            y=height + 4,
            fill=colour(arm),
            class_="halo",
        )
        for (arm, run, across, _), height in zip(names, heights, strict=True)
    ]
    return _FRAME.picture("Words against complete evidence", grid, axis, *drawn, *labels)


def _curve(ranks: Sequence[int | None], end: int) -> list[float]:
    """The share within each depth from 1 to `end`."""
    within = [0] * (end + 1)
    for rank in ranks:
        if rank is not None and rank <= end:
            within[rank] += 1
    found, total = [], 0
    for count in within[1:]:
        total += count
        found.append(total / len(ranks))
    return found


def _said(curve: Sequence[float], depth: int) -> str:
    depths = [d for d in sorted({1, depth, 10, len(curve)}) if d <= len(curve)]
    return ", ".join(f"{100 * curve[d - 1]:.1f} % within {d}" for d in depths)


def _bends(points: Sequence[tuple[float, float]]) -> str:
    """A line through the points, without those inside a level stretch."""
    kept = [
        point
        for at, point in enumerate(points)
        if at in (0, len(points) - 1) or not points[at - 1][1] == point[1] == points[at + 1][1]
    ]
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in kept)


def _points(
    run: Run, tallies: Mapping[str, Tally]
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """(words, share) at the model's depth, and for each budget of words."""
    depth = run.info.depth

    def mean(metric: str) -> float | None:
        return tallies[metric].mean.value if metric in tallies else None

    words, share = mean(f"words@{depth}"), mean(f"complete@{depth}")
    sent = [(words, share)] if words and share is not None else []
    budgets = [
        (float(match[1]), value)
        for metric in tallies
        if (match := _BUDGET.match(metric)) and (value := mean(metric)) is not None
    ]
    return sent, sorted(budgets)


def _names(shown: Sequence[tuple[int, Run, float]]) -> list[Markup]:
    heights = apart([y for *_, y in shown], 14, _FRAME.top + 4, _FRAME.south - 2)
    return [
        tag("text", shortened(run.info.arm), x=_FRAME.east + 8, y=height + 4, fill=colour(arm))
        for (arm, run, _), height in zip(shown, heights, strict=True)
    ]
