"""Procedures that find a better recipe on your questions: cut, fusion, thresholds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.table import Table

from answerable.cli.columns import aligned
from answerable.cli.common import (
    err,
    json_option,
    kb_option,
    out,
    print_json,
    progress_bar,
    set_option,
)
from answerable.flow.probe import Aim, aim_for
from answerable.flow.tune_cut import tune_cut
from answerable.flow.tune_fusion import tune_fusion
from answerable.flow.tune_thresholds import tune_thresholds
from answerable.measure.refusal import Confusion, Curve, table
from answerable.records.rules import Advice, Step
from answerable.records.runs import Failure
from answerable.wire.tune import Bench, ask_all, open_bench

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
HEADS = ("step", "figure", "difference", "decision", "s")
POINTS = 50
"""Points of a risk-coverage curve that are printed as JSON."""


def _shared(command: F) -> F:
    for option in reversed(
        (
            click.argument("golden", type=click.Path(path_type=Path)),
            click.option(
                "--documents",
                multiple=True,
                type=click.Path(exists=True, path_type=Path),
                metavar="PATH",
                help="Tune on these documents instead of the knowledge base's.",
            ),
            click.option(
                "--seed",
                default=0,
                type=click.IntRange(0),
                help="Of folds, intervals and tests.",
            ),
            set_option,
            kb_option,
            json_option,
        )
    ):
        command = option(command)
    return command


_metric = click.option(
    "--metric",
    default="",
    metavar="NAME",
    help="Raise this: 'complete in N words', complete@K, held@K or nDCG@10 (default: by the set).",
)


@click.group()
def tune() -> None:
    """Find a better recipe on GOLDEN's questions, step by step, and how sure the gain is.

    Nothing is changed: the advice is for you to apply. GOLDEN is a golden set (.jsonl) or a BEIR
    folder (FOLDER#SPLIT).
    """


@tune.command()
@_shared
@_metric
def cut(
    golden: Path,
    documents: tuple[Path, ...],
    seed: int,
    overrides: tuple[str, ...],
    kb: str,
    as_json: bool,
    metric: str,
) -> None:
    """How big pieces should be, where they are cut, and whether they overlap.

    Current, half and double size first; on in the better direction while the figure does not
    fall; then headings against plain windows, overlap, and rules for document types that lost.
    """
    bench, aim, found = _tuned(tune_cut, golden, documents, kb, overrides, metric, seed)
    more = {"chosen": found.held_out.chosen, "arms": found.arms}
    _show(bench, found.steps, found.advice, aim, as_json, more)


@tune.command()
@_shared
@_metric
def fusion(
    golden: Path,
    documents: tuple[Path, ...],
    seed: int,
    overrides: tuple[str, ...],
    kb: str,
    as_json: bool,
    metric: str,
) -> None:
    """A convex weight for the dense list, against reciprocal ranks and single lists."""
    bench, aim, found = _tuned(tune_fusion, golden, documents, kb, overrides, metric, seed)
    more = {
        "chosen": found.over_simple.chosen,
        "over_single": found.over_single.gain,
        "arms": found.arms,
    }
    _show(bench, found.steps, found.advice, aim, as_json, more)


@tune.command()
@_shared
@click.option(
    "--cost",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0),
    help="What a wrong answer costs, where a right one is worth 1 and a refusal 0.",
)
@click.option(
    "--jobs", default=0, type=click.IntRange(0, 256), help="Questions at once; 0: all cores."
)
def thresholds(
    golden: Path,
    documents: tuple[Path, ...],
    seed: int,
    overrides: tuple[str, ...],
    kb: str,
    as_json: bool,
    cost: float,
    jobs: int,
) -> None:
    """When to refuse: the thresholds of the route."""
    with progress_bar() as progress:
        bench = _open(golden, kb, documents, overrides, progress)
        found = tune_thresholds(
            bench.recipe,
            bench.located,
            ask_all(bench, jobs or os.cpu_count() or 1, progress, _say_failed),
            seconds=bench.seconds,
            cost=cost,
            seed=seed,
            progress=progress,
        )
    more = {
        "questions": found.judged,
        "left_out": found.left_out,
        "chosen": found.held_out.chosen,
        "current": _refusals(found.current),
        "tuned": _refusals(found.tuned),
        "curve": _curve(found.curve),
        "aurc": found.curve.aurc,
        "aurc_best": found.curve.best,
    }
    _show(bench, found.steps, found.advice, None, as_json, more)
    if not as_json:
        left = f"; left out: {len(found.left_out)}" if found.left_out else ""
        out.print(f"\njudged: {found.judged} questions{left}", markup=False)
        for item, why in found.left_out.items():
            out.print(f"  {item}: {why}", style="dim", markup=False)


def _say_failed(failure: Failure) -> None:
    err.print(f"failed: {failure.item_id}: {failure.cause}", style="yellow", markup=False)


def _tuned(
    procedure: Callable[..., T],
    golden: Path,
    documents: Sequence[Path],
    kb: str,
    overrides: Sequence[str],
    metric: str,
    seed: int,
) -> tuple[Bench, Aim, T]:
    """What a procedure that raises a figure of the search found, on what, and which figure."""
    with progress_bar() as progress:
        bench = _open(golden, kb, documents, overrides, progress)
        aim = aim_for(bench.corpus, bench.recipe, bench.located, metric)
        found = procedure(
            bench.corpus,
            bench.recipe,
            bench.located,
            aim,
            seconds=bench.seconds,
            seed=seed,
            progress=progress,
        )
    return bench, aim, found


def _open(
    golden: Path, kb: str, documents: Sequence[Path], overrides: Sequence[str], progress: Any
) -> Bench:
    bench = open_bench(golden, kb, documents, overrides, progress)
    for problem in bench.problems:
        err.print(f"left out: {problem}", style="yellow", markup=False)
    for skipped in bench.corpus.skipped:
        err.print(f"left out: {skipped.uri}: {skipped.reason}", style="yellow", markup=False)
    for item, why in bench.located.unmeasured.items():
        err.print(f"not measurable: {item}: {why}", style="yellow", markup=False)
    return bench


def _show(
    bench: Bench,
    steps: Sequence[Step],
    advice: Advice,
    aim: Aim | None,
    as_json: bool,
    more: dict[str, Any],
) -> None:
    if as_json:
        print_json(
            {
                "metric": aim.metric if aim else advice.metric,
                "metric_because": aim.because if aim else "",
                "questions": len(bench.located.items),
                "unmeasured": bench.located.unmeasured,
                "steps": steps,
                "advice": {
                    "change": dict(advice.change),
                    "because": advice.because,
                    "metric": advice.metric,
                    "delta": advice.delta,
                    "low": advice.low,
                    "high": advice.high,
                },
                **more,
            }
        )
        return
    if aim:
        out.print(f"{aim.metric} ({aim.because})", markup=False)
    _print_steps(steps)
    held = "" if advice.delta is None else f" {_interval(advice.delta, advice.low, advice.high)}"
    out.print(f"\nheld out{held}", markup=False)
    if not advice.change:
        out.print(f"advice: keep what is: {advice.because}", markup=False)
        return
    out.print(f"advice: {advice.because}", markup=False)
    for key, value in advice.change:
        out.print(f"  {key} = {value}", markup=False)


def _print_steps(steps: Sequence[Step]) -> None:
    """A table fitted to the terminal; into a pipe, lines as long as they are."""
    rows = list(_rows(steps))
    if not out.is_terminal:
        lines = [line for row in rows for line in _lines(row)]
        for text in aligned([HEADS, *lines], left=(0, 1, 2, 3)):
            out.print(text, markup=False, no_wrap=True, crop=False)
        return
    shown = Table(box=None, pad_edge=False)
    for head in HEADS:
        shown.add_column(head, no_wrap=head == "figure")
    for row in rows:
        shown.add_row(*row)
    out.print(shown)


def _lines(row: Sequence[str]) -> list[tuple[str, ...]]:
    """A row whose cells have lines of their own, as rows of single lines."""
    return list(zip_longest(*(cell.split("\n") for cell in row), fillvalue=""))


def _rows(steps: Sequence[Step]) -> Iterator[tuple[str, ...]]:
    for step in steps:
        figures = "\n".join(_figure(name, value, step) for name, value in step.values)
        difference = "" if step.delta is None else _interval(step.delta, step.low, step.high)
        if step.against:
            difference += f"\nagainst {step.against}"
        spent = f"{step.seconds:.1f}" if step.seconds else ""
        yield step.name, figures, difference, step.decision, spent


def _figure(name: str, value: float, step: Step) -> str:
    """The first figure is the one that is raised: its name stands above the table."""
    return f"{value:.4f}" if step.values[0][0] == name else f"{value:.4g} {name}"


def _interval(delta: float, low: float | None, high: float | None) -> str:
    return f"{delta:+.4f} [{low:+.4f}, {high:+.4f}]"


def _refusals(found: Confusion) -> dict[str, Any]:
    return {
        "matrix": table(found),
        "wrong": found.wrong,
        "coverage": found.coverage,
        "risk": found.risk,
        "precision": found.precision,
        "recall": found.recall,
    }


def _curve(curve: Curve) -> list[dict[str, float]]:
    step = max(1, len(curve.points) // POINTS)
    kept = [*curve.points[::step], *curve.points[-1:]]
    return [{"confidence": p.confidence, "coverage": p.coverage, "risk": p.risk} for p in kept]
