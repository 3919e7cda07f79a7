"""Two runs compared by question: compare."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from answerable.adapters.formats import report_html, report_markdown
from answerable.adapters.formats.figures import (
    chance,
    evidence,
    interval,
    placed,
    rank,
    sentence,
    signed,
    where,
)
from answerable.adapters.formats.run_folder import RunFolder
from answerable.adapters.staged_file import write_whole
from answerable.cli.columns import aligned
from answerable.cli.common import err, json_option, out, print_json
from answerable.measure.compare import compare_all, least, shown, verdict
from answerable.records.codec import to_plain
from answerable.records.comparison import Comparison, Movement
from answerable.records.runs import Run

_run = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("run_a", type=_run)
@click.argument("run_b", type=_run)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Compare by this metric alone (repeatable; the first is shown by question). "
    "Default: complete evidence at the model's depth, then all others.",
)
@click.option(
    "--depth",
    default=0,
    type=click.IntRange(0, 10_000),
    help="Pieces within which evidence must stand whole; 0: as many as go to the model.",
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Of resampling and exchange.",
)
@click.option("--all", "every", is_flag=True, help="Show every question that moved.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the report as one page that needs no network.",
)
@click.option(
    "--also",
    "further",
    multiple=True,
    type=_run,
    metavar="RUN",
    help="A further arm for --html and --markdown, compared with RUN_A as well (repeatable).",
)
@json_option
def compare(
    run_a: Path,
    run_b: Path,
    metrics: tuple[str, ...],
    depth: int,
    seed: int,
    every: bool,
    markdown: bool,
    html: Path | None,
    further: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Compare RUN_B with RUN_A, the base, question by question.

    Shows the difference with its interval, and at both ends the questions that moved the most:
    where their evidence stood, and what they have in common. Exits 2 where the runs do not
    measure the same thing.
    """
    base, candidate = RunFolder(run_a).read(), RunFolder(run_b).read()
    found = compare_all(base, candidate, metrics, seed=seed, depth=depth)
    runs = [base, candidate, *(RunFolder(path).read() for path in further)]
    pages = list(found)
    for run in runs[2:]:
        pages += compare_all(base, run, metrics, seed=seed, depth=depth)
    if html is not None:
        write_whole(html, report_html.report(runs, pages))
        err.print(f"written: {html}", markup=False)
    if as_json:
        print_json(plain(found))
    elif markdown:
        click.echo(
            report_markdown.report(runs, pages, len(base.questions) if every else 10), nl=False
        )
    else:
        _print(found, base, candidate, len(base.questions) if every else 5)


def plain(found: Sequence[Comparison]) -> dict[str, Any]:
    """The first comparison's fields, with what it shows; the others without their questions."""
    return {
        **to_plain(found[0]),
        "verdict": verdict(found[0]),
        "metrics": [
            {
                **{
                    key: value
                    for key, value in to_plain(one).items()
                    if key not in ("gained", "lost", "traits", "skipped", "notes", "depth")
                },
                "gained": [move.item_id for move in one.gained],
                "lost": [move.item_id for move in one.lost],
                "skipped": len(one.skipped),
                "verdict": verdict(one),
            }
            for one in found
        ],
    }


def _print(found: Sequence[Comparison], base: Run, candidate: Run, ends: int) -> None:
    first = found[0]
    out.print(_line(sentence(first)), style="bold", markup=False)
    for note in first.notes:
        out.print(f"note: {_line(note)}", style="yellow", markup=False)
    for run in (base, candidate):
        if run.failures:
            out.print(
                f"{len(run.failures)} questions failed in {run.info.arm}", style="red", markup=False
            )
    if len(found) > 1:
        out.print()
        _print_metrics(found)
    for name, moves in (("gained", first.gained), ("lost", first.lost)):
        out.print()
        out.print(f"most {name} ({len(moves)})", style="bold")
        for move in moves[:ends]:
            _print_move(move)
        if len(moves) > ends:
            out.print(f"  and {len(moves) - ends} more (--all)", style="dim")
    _print_traits(first)
    if first.skipped:
        out.print()
        out.print(f"skipped ({len(first.skipped)})", style="bold")
        for item, why in first.skipped[: max(ends, 5)]:
            out.print(f"  {_line(f'{item}: {why}')}", markup=False)
        if len(first.skipped) > max(ends, 5):
            out.print(f"  and {len(first.skipped) - max(ends, 5)} more (--all)", style="dim")


def _print_move(move: Movement) -> None:
    place = placed(move.base, move.candidate)
    asked = _line(f"{move.item_id}  {move.before:.4g} -> {move.after:.4g}  {move.question}")
    out.print(f"  {asked}", markup=False)
    parts = [
        f"rank {rank(move.base)} -> {rank(move.candidate)}",
        f"{evidence(move.base)} -> {evidence(move.candidate)}",
    ]
    parts += [where(place)] if place.uri else []
    parts += [f"missing: {', '.join(place.absent)}"] if place.absent else []
    out.print(f"      {_line('; '.join(parts))}", style="dim", markup=False)


def _print_traits(first: Comparison) -> None:
    if not first.traits:
        return
    out.print()
    out.print("in common (Holm over all traits)", style="bold")
    for one in first.traits[:8]:
        out.print(
            f"  {one.end}: {one.trait}: {one.here} of {one.of_here} against {one.all} of "
            f"{one.of_all}, p {chance(one.p)} (Holm {chance(one.p_holm)})",
            markup=False,
        )


def _print_metrics(found: Sequence[Comparison]) -> None:
    """The metrics under which a question moved, and the names of the others."""
    head = (
        "metric",
        "difference",
        "95 % interval",
        "p (Holm)",
        "+/-/=",
        "n",
        "can show",
        "finding",
    )
    rows = [
        (
            one.metric,
            signed(one.delta),
            interval(one.low, one.high),
            chance(one.p_holm),
            f"{one.wins}/{one.losses}/{one.ties}",
            str(one.n),
            "nothing" if one.detectable is None else least(one.detectable),
            ("no difference shown", "better", "worse")[shown(one)],
        )
        for one in found
        if one.wins or one.losses
    ]
    for line in aligned([head, *rows]) if rows else ():
        out.print(_line(line, keep=True), markup=False, no_wrap=True, crop=False)
    still = [one.metric for one in found if not one.wins and not one.losses]
    if still:
        out.print(f"no question moved under: {_line(', '.join(still))}", style="dim", markup=False)


def _line(words: str, *, keep: bool = False) -> str:
    """Foreign text on one line that cannot steer the terminal; `keep` keeps runs of spaces."""
    flat = words if keep else " ".join(words.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in flat)
