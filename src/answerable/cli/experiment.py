"""Experiments: freeze what must not move, run the arms, score them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from answerable.cli.columns import aligned
from answerable.cli.common import err, json_option, out, print_json, progress_bar
from answerable.errors import UsageError
from answerable.measure.layers import LAYERS, STAGES, layer
from answerable.measure.recipes import other_depth
from answerable.measure.refusal import confusion, judged, risk_coverage, table
from answerable.measure.strict import by_cause
from answerable.measure.taken import taken, tallies
from answerable.measure.tally import FAILURE_LIMIT, Tally, spoilt
from answerable.wire.experiment import Opened, freeze_experiment, open_experiment
from answerable.wire.run import Ran, run_arms

experiment_argument = click.argument(
    "experiment", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


@click.command()
@experiment_argument
@json_option
def freeze(experiment: Path, as_json: bool) -> None:
    """Write the lock of EXPERIMENT.toml: digests of all that must not move between runs.

    The lock lies beside the file as NAME.lock.json. Where something moved since the last freeze
    its version is one higher; runs under earlier versions stay as they are.
    """
    opened = _open(experiment, None)
    lock, changes, judging = freeze_experiment(opened)
    _say_left_out(opened)
    if opened.code.get("dirty") == "yes":
        err.print("the program's own source has changes that no commit holds", style="yellow")
    if as_json:
        print_json(
            {
                "experiment": lock.experiment,
                "sha256": lock.sha256,
                "version": lock.version,
                "lock": str(opened.lock_path),
                "changes": list(changes),
                "rescore": judging,
                "problems": _problems(opened),
            }
        )
        return
    for change in changes:
        out.print(f"moved: {change}", markup=False)
    if judging:
        out.print("what was asked still holds: `answerable run --rescore` scores it anew")
    out.print(f"{lock.experiment} version {lock.version} is frozen in {opened.lock_path}")


@click.command()
@experiment_argument
@click.option("--arm", "arms", multiple=True, metavar="NAME", help="Only this arm (repeatable).")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where run folders go, as DIR/vVERSION/ARM (default: runs/NAME beside the experiment).",
)
@click.option(
    "--jobs", default=0, type=click.IntRange(0, 256), help="Questions at once; 0: as many as cores."
)
@click.option("--rescore", is_flag=True, help="Ask nothing; score the traces anew.")
@click.option("--live", is_flag=True, help="Reserved for arms that call outside models.")
@json_option
def run(
    experiment: Path,
    arms: tuple[str, ...],
    folder: Path | None,
    jobs: int,
    rescore: bool,
    live: bool,
    as_json: bool,
) -> None:
    """Ask every question of a frozen EXPERIMENT.toml under each arm, and score the answers.

    A run that was stopped goes on where it was. Exits 2 when anything moved since `freeze`,
    and, after printing, where more than 5 % of an arm's questions failed.
    """
    if live:
        raise UsageError("--live is reserved", "leave it out: no arm calls an outside model yet")
    opened = _open(experiment, folder)
    _say_left_out(opened)
    with progress_bar() as progress:
        made = run_arms(
            opened,
            folder or opened.default_out,
            arms=arms,
            jobs=jobs,
            rescore=rescore,
            progress=progress,
        )
    if as_json:
        print_json(_plain(opened, made))
    else:
        _print(made)
    if spoilt_arms := list(_spoilt(made)):
        for said in spoilt_arms:
            err.print(f"not comparable: {said}", style="red", markup=False)
        sys.exit(2)


def _open(experiment: Path, folder: Path | None) -> Opened:
    with progress_bar() as progress:
        return open_experiment(experiment, folder, progress)


def _problems(opened: Opened) -> list[str]:
    """Lines, documents and places of evidence that could not be used."""
    return [
        *opened.problems,
        *(f"{one.uri}: {one.reason}, no document" for one in opened.own),
        *(f"{skipped.uri}: {skipped.reason}" for skipped in opened.corpus.skipped),
        *(f"evidence of {one.item_id}: {one.why}" for one in opened.located.problems),
    ]


def _say_left_out(opened: Opened) -> None:
    for problem in _problems(opened):
        err.print(f"left out: {problem}", style="yellow", markup=False)


def _plain(opened: Opened, made: Sequence[Ran]) -> dict[str, Any]:
    return {
        "experiment": opened.experiment.name,
        "version": made[0].run.info.lock_version if made else None,
        "runs": [
            {
                "arm": ran.arm,
                "dir": str(ran.folder),
                "questions": ran.run.info.questions,
                "note": other_depth(ran.run),
                "pieces": ran.run.info.pieces,
                "seconds": ran.run.info.seconds,
                "checker": ran.run.info.checker,
                "failures": [
                    {"id": one.item_id, "stage": one.stage, "cause": one.cause}
                    for one in ran.run.failures
                ],
                "metrics": {
                    one.metric: {
                        "value": one.mean.value,
                        "low": one.mean.low,
                        "high": one.mean.high,
                        "n": one.mean.n,
                        "unscored": one.mean.unscored,
                        "failed": one.failures,
                        "layer": layer(one.metric),
                    }
                    for one in tallies(ran.run, taken(ran.run)).values()
                },
                "refusal": _refusal(ran),
                "strict": _strict(ran),
            }
            for ran in made
        ],
        "problems": _problems(opened),
    }


def _refusal(ran: Ran) -> dict[str, Any]:
    decisions = ran.run.decisions
    answers = judged(decisions)
    counts, curve = confusion(decisions), risk_coverage(decisions, answers=answers)
    return {
        "confusion": table(counts),
        "precision": counts.precision,
        "recall": counts.recall,
        "coverage": counts.coverage,
        "risk": counts.risk,
        "aurc": curve.aurc,
        "aurc_best": curve.best,
        "aurc_of": "wrong answers" if answers else "unanswerable questions",
        "left_out": curve.left_out,
    }


def _strict(ran: Ran) -> dict[str, int]:
    found = by_cause(taken(ran.run).get("strict", {}).values())
    return {cause: len(items) for cause, items in found.items()}


def _spoilt(made: Sequence[Ran]) -> Iterator[str]:
    for ran in made:
        causes = spoilt(ran.run.failures, ran.run.info.questions)
        if causes:
            said = ", ".join(f"{count} {cause}" for cause, count in causes)
            failed = sum(count for _, count in causes)
            of = ran.run.info.questions
            yield f"{ran.arm}: {failed} of {of} failed, over {FAILURE_LIMIT:.0%} ({said})"


def _print(made: Sequence[Ran]) -> None:
    """A table of all arms for each layer; stages of a search apart are left to --json."""
    known = {ran.arm: tallies(ran.run, taken(ran.run)) for ran in made}
    metrics = list(dict.fromkeys(metric for row in known.values() for metric in row))
    for name in LAYERS:
        shown = [metric for metric in metrics if layer(metric) == name and not _staged(metric)]
        if not shown:
            continue
        rows = [("", "n", *known)]
        for metric in shown:
            row = [found.get(metric) for found in known.values()]
            # Intervals of more arms do not fit a line; the report and --json have them.
            cells = [_cell(one, len(row) <= 2) for one in row]
            rows.append((metric, _counts(row), *cells))
        out.print(name, style="italic", markup=False)
        for line in aligned(rows, left=(0,)):
            out.print(line, markup=False, no_wrap=True, crop=False)
        out.print()
    for ran in made:
        info = ran.run.info
        out.print(
            f"{ran.arm}: {info.questions} questions, {info.pieces} pieces, {info.seconds:.1f} s, "
            f"{ran.folder}",
            markup=False,
        )
        found = confusion(ran.run.decisions)
        out.print(
            f"  refused {found.declined} of {found.declined + found.babbled} unanswerable and "
            f"{found.refused} of {found.refused + found.answered} answerable questions",
            markup=False,
        )
        if note := other_depth(ran.run):
            err.print(f"note: {note}", style="yellow", markup=False)
        for failure in ran.run.failures:
            err.print(
                f"failed: {failure.item_id} ({failure.stage}): {failure.cause}",
                style="red",
                markup=False,
            )


def _staged(metric: str) -> bool:
    return metric.partition(" ")[0] in STAGES


def _cell(one: Tally | None, interval: bool) -> str:
    if one is None:
        return "-"
    mean = one.mean
    if mean.value is None or mean.low is None or mean.high is None:
        return "not measurable"
    digits = 0 if mean.value >= 10 else 3
    value = f"{mean.value:.{digits}f}"
    return f"{value} [{mean.low:.{digits}f}, {mean.high:.{digits}f}]" if interval else value


def _counts(found: Sequence[Tally | None]) -> str:
    """How many questions are behind the means; more than one number where arms differ."""
    counts = [f"{one.mean.n}" for one in found if one is not None]
    return "/".join(dict.fromkeys(counts))
