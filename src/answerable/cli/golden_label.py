"""Unjudged passages: pooled over arms, labelled blind, compared, and turned into evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from answerable.cli.common import err, json_option, kb_option, out, print_json, progress_bar
from answerable.cli.golden_documents import documents_of, documents_option, golden_argument
from answerable.cli.labelling import label_in_terminal
from answerable.errors import InputError, UsageError
from answerable.flow.locate import locate
from answerable.flow.pool import Found
from answerable.flow.pool import pool as pooled
from answerable.measure.agreement import Agreement
from answerable.wire.golden import read_golden, write_golden
from answerable.wire.labelling import (
    agreements,
    grade_items,
    open_labelling,
    write_pool,
)
from answerable.wire.pooling import arms_of, found_by, found_in_run

pool_argument = click.argument("pool_path", metavar="POOL", type=click.Path(path_type=Path))
labels_option = click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The labels (default: beside the pool, POOL.labels.jsonl).",
)


@click.command()
@golden_argument
@click.option(
    "--run",
    "runs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A run folder whose pieces are pooled.",
)
@click.option(
    "--experiment",
    type=click.Path(path_type=Path),
    metavar="TOML",
    help="An experiment whose arms are pooled.",
)
@click.option("--arm", "arms", multiple=True, metavar="NAME", help="An arm by name.")
@click.option(
    "--depth",
    default=10,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Best pieces taken of each arm.",
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Of the order in which passages are shown.",
)
@click.option("--known", is_flag=True, help="Also pool what is judged already.")
@click.option(
    "--out",
    "target",
    required=True,
    type=click.Path(path_type=Path),
    metavar="POOL",
    help="Where the pool is written.",
)
@documents_option
@kb_option
@json_option
def pool(
    path: Path,
    runs: tuple[Path, ...],
    experiment: Path | None,
    arms: tuple[str, ...],
    depth: int,
    seed: int,
    known: bool,
    target: Path,
    documents: tuple[Path, ...],
    kb: str,
    as_json: bool,
) -> None:
    """Collect unjudged passages for the questions of FILE from the best pieces of several arms.

    Arms are run folders (--run), the arms of an experiment (--experiment; --arm picks some), or
    arms by name (--arm azure) over --documents. The pool does not say which arm found a passage,
    nor how high.
    """
    given, problems = read_golden(path)
    found: list[Found] = []
    told = list(problems)
    with documents_of(path, documents, kb) as library, progress_bar() as progress:
        items = locate(given, library.rows, library.read).items
        for run in runs:
            pieces, missing = found_in_run(run, items, depth)
            found.append(pieces)
            told += missing
        if experiment or arms:
            corpus, recipes = arms_of(experiment, arms, documents, progress)
            found += [found_by(recipe, corpus, items, depth) for recipe in recipes]
        if not found:
            raise UsageError("no arm is named", "give --run DIR, --experiment TOML or --arm NAME")
        places = [place for one in found for row in one.values() for place in row]
        if strange := sum(document not in library.rows for document, _ in places):
            told.append(f"{strange} of {len(places)} pieces are of documents that are not given")
        texts = {id: library.read(id, row.sha256) for id, row in library.rows.items()}
        passages = pooled(items, found, texts, depth, seed, known=known)
    if passages:
        write_pool(passages, target)
    asked = len({one.item_id for one in passages})
    if as_json:
        print_json(
            {
                "items": asked,
                "passages": len(passages),
                "words": sum(len(one.text.split()) for one in passages),
                "arms": len(found),
                "depth": depth,
                "out": str(target) if passages else None,
                "problems": told,
            }
        )
        return
    _warn(told)
    if passages:
        out.print(f"{len(passages)} passages for {asked} questions in {target}", markup=False)
    else:
        out.print("nothing is left to judge")


@click.command()
@pool_argument
@click.option("--labeller", required=True, metavar="NAME", help="Who is judging.")
@labels_option
def label(pool_path: Path, labeller: str, labels: Path | None) -> None:
    """Grade the passages of POOL, one by one, in the terminal.

    3 the whole answer, 2 a part of it, 1 on the subject, 0 of no use; s skips, b goes back, q
    ends. Every grade is kept at once; the same command goes on where you stopped.
    """
    if not labeller.strip():
        raise UsageError("the labeller has no name", "give --labeller NAME")
    labelling = open_labelling(pool_path, labels)
    _warn(labelling.problems)
    label_in_terminal(labelling, labeller.strip())


@click.command()
@pool_argument
@labels_option
@json_option
def agreement(pool_path: Path, labels: Path | None, as_json: bool) -> None:
    """How far the labellers of POOL agree beyond chance: Cohen's kappa, plain and weighted."""
    labelling = open_labelling(pool_path, labels)
    pairs = agreements(labelling)
    if as_json:
        print_json(
            {
                "items": len(labelling.passages),
                "labellers": {name: len(grades) for name, grades in labelling.grades.items()},
                "pairs": [
                    {"first": first, "second": second, **asdict(pair)}
                    for first, second, pair in pairs
                ],
                "problems": list(labelling.problems),
            }
        )
        return
    _warn(labelling.problems)
    for name, grades in labelling.grades.items():
        out.print(f"{name}: {len(grades)} of {len(labelling.passages)} passages", markup=False)
    for first, second, pair in pairs:
        out.print(f"{first} and {second}: {_said(pair)}", markup=False)
    if not pairs:
        out.print("no two labellers graded the same passage")


@click.command()
@golden_argument
@pool_argument
@click.option(
    "--out",
    "target",
    required=True,
    type=click.Path(path_type=Path),
    metavar="NEW",
    help="Where the graded golden set is written.",
)
@click.option("--labeller", "labellers", multiple=True, metavar="NAME", help="Only these (all).")
@labels_option
@json_option
def grade(
    path: Path,
    pool_path: Path,
    target: Path,
    labellers: tuple[str, ...],
    labels: Path | None,
    as_json: bool,
) -> None:
    """Turn the labels of POOL into evidence of the golden set FILE, written to NEW.

    Several labellers settle on the middle grade (the lower of two); two that differ by 2 or more
    settle nothing. A passage of grade 3 is a way of answering; where an item has none, those of
    grade 2 are one together; all others are kept as judged.
    """
    given, unread = read_golden(path)
    if unread and target.resolve() == path.resolve():
        raise InputError(
            f"{path} has {len(unread)} lines that cannot be read: {unread[0]}",
            "mend them first, or name another file: writing would drop them",
        )
    labelling = open_labelling(pool_path, labels)
    new, used, problems = grade_items(given, labelling, labellers)
    write_golden(new, target)
    told = (*unread, *labelling.problems, *problems)
    if as_json:
        print_json(
            {
                "items": len(new.items),
                "passages": used,
                "out": str(target),
                "problems": list(told),
            }
        )
        return
    _warn(told)
    out.print(f"{used} graded passages, {len(new.items)} items in {target}", markup=False)


def _warn(problems: Sequence[str]) -> None:
    for problem in problems:
        err.print(problem, style="yellow", markup=False)


def _said(pair: Agreement) -> str:
    if pair.kappa is None or pair.weighted is None:
        return f"{pair.n} passages, {pair.same:.0%} equal; kappa not measurable: {pair.why}"
    return (
        f"{pair.n} passages, {pair.same:.0%} equal, kappa {pair.kappa:.3f}, "
        f"weighted (quadratic) {pair.weighted:.3f}"
    )
