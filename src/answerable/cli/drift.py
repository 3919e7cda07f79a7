"""Metrics over time under control limits: of runs, or of the live questions in the trail."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from answerable.adapters.formats.run_folder import RunFolder
from answerable.cli.columns import aligned
from answerable.cli.common import base, err, json_option, kb_option, out, print_json
from answerable.errors import UsageError
from answerable.measure.drift import LEAST, Drift
from answerable.measure.drift import drift as chart
from answerable.measure.layers import layer
from answerable.measure.watched import LIVE, of_runs, of_traces

_some = click.IntRange(1, 1_000_000)
_BLOCKS = "▁▂▃▄▅▆▇█"


@click.command()
@click.argument("runs", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only this (repeatable).")
@click.option("--per", default=50, show_default=True, type=_some, help="Live questions in a point.")
@click.option(
    "--window", default=5, show_default=True, type=_some, help="Points in the rolling mean."
)
@click.option(
    "--baseline", default=20, show_default=True, type=_some, help="Points that set the limits."
)
@kb_option
@json_option
def drift(
    runs: tuple[Path, ...],
    metrics: tuple[str, ...],
    per: int,
    window: int,
    baseline: int,
    kb: str,
    as_json: bool,
) -> None:
    """Means per layer over time, with control limits; exit 1 when the newest point leaves them.

    RUNS are run folders of one golden set. Without any, the live questions of the trail are
    watched: what can be told of them without marks.
    """
    if runs:
        series = of_runs([RunFolder(path).read() for path in runs], metrics)
        layers = {name: layer(name) for name in series}
    else:
        if unknown := [name for name in metrics if name not in LIVE]:
            raise UsageError(
                f"live questions have no metric {unknown[0]!r}", f"one of: {', '.join(LIVE)}"
            )
        trail = base(kb).database.traces(limit=100_000)
        series = of_traces(tuple(reversed(trail)), per)
        series = {name: s for name, s in series.items() if not metrics or name in metrics}
        layers = dict(LIVE)
    charts = [
        chart(name, points, window=window, baseline=baseline) for name, points in series.items()
    ]
    alarm = any(at == len(one.points) - 1 for one in charts for at, _ in one.signals)
    if as_json:
        print_json(
            {
                "drifting": alarm,
                "metrics": [
                    {
                        "metric": one.metric,
                        "layer": layers[one.metric],
                        "points": one.points,
                        "rolling": one.rolling,
                        "centre": one.centre,
                        "low": one.low,
                        "high": one.high,
                        "signals": [
                            {"at": one.points[at].at, "why": why} for at, why in one.signals
                        ],
                    }
                    for one in charts
                ],
            }
        )
    else:
        _print(charts, layers)
    if alarm:
        sys.exit(1)


def _print(charts: list[Drift], layers: dict[str, str]) -> None:
    if not charts:
        err.print("nothing to watch yet: give run folders, or ask more questions", markup=False)
        return
    rows = [("layer", "metric", "course", "last", "rolling", "limits")]
    for one in charts:
        limits = f"{LEAST + 1 - len(one.points)} more points needed"
        if one.low is not None and one.high is not None:
            limits = f"{one.low:.3f} .. {one.high:.3f}"
        rows.append(
            (
                layers[one.metric],
                one.metric,
                _course([point.value for point in one.points][-30:]),
                f"{one.points[-1].value:.3f}",
                f"{one.rolling[-1]:.3f}",
                limits,
            )
        )
    for line in aligned(rows, left=(0, 1, 2, -1)):
        out.print(line, markup=False, no_wrap=True, crop=False)
    for one in charts:
        for at, why in one.signals:
            out.print(f"{one.metric}, {one.points[at].at}: {why}", markup=False, style="red")


def _course(values: list[float]) -> str:
    low, high = min(values), max(values)
    step = (high - low) / (len(_BLOCKS) - 1) or 1.0
    return "".join(_BLOCKS[round((value - low) / step)] for value in values)
