"""Measures of a run against judgements as trec_eval has them; or scores put together."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Column, Table

from answerable.adapters.formats.rankings import read_ids, read_qrels, read_run
from answerable.adapters.formats.scored import read_scores
from answerable.cli.common import err, json_option, out, print_json
from answerable.errors import InputError, UsageError
from answerable.measure.documents import MEASURES
from answerable.measure.identity import twins, unreachable
from answerable.measure.retrieval import Evaluation, Ranked, evaluate, in_trec_order
from answerable.measure.stats import mean
from answerable.measure.tally import Tally, tally

_file = click.Path(exists=True, dir_okay=False, path_type=Path)
SHOWN = 30
"""Up to so many questions are printed one by one without being asked for."""


@click.command()
@click.option(
    "--run", "run_file", type=_file, help="TREC run (qid Q0 doc rank score tag), or JSON."
)
@click.option("--qrels", type=_file, help="TREC judgements (qid 0 doc grade), JSON or BEIR's .tsv.")
@click.option(
    "--measures",
    default=",".join(MEASURES),
    show_default=True,
    metavar="NAME,...",
    help="Such as nDCG@10,recall@100,P@5,MRR,MAP,rprec,judged@10.",
)
@click.option(
    "--trec", is_flag=True, help="A question without a relevant document counts 0, as in trec_eval."
)
@click.option(
    "--corpus", type=_file, help="Ids of all documents: relevant ones not there are named."
)
@click.option("--scores", type=_file, help="Instead of a run: scores.jsonl, put together.")
@click.option("--each", is_flag=True, help="Print every question, however many there are.")
@click.option("--seed", default=0, type=click.IntRange(0), help="Of the interval's bootstrap.")
@json_option
def metrics(
    run_file: Path | None,
    qrels: Path | None,
    measures: str,
    trec: bool,
    corpus: Path | None,
    scores: Path | None,
    each: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Measure a run against judgements, question by question.

    Equal to trec_eval -c on its inputs: every judged question counts, those missing from the run
    as 0; ties are broken by id. A judged question without a relevant document is not measurable
    and left out of the mean, which says so; with --trec it counts 0.

    With --scores the scores of any checker or judge are put together: lines of {"item", "metric",
    "value"} or {"item", "metric", "error"}. Where more than 5 % of the questions failed the result
    is not comparable and the exit code is 2.
    """
    if scores is not None:
        if run_file is not None or qrels is not None:
            raise UsageError("--scores stands alone", "leave out --run and --qrels")
        _scores(scores, seed, each, as_json)
        return
    if run_file is None or qrels is None:
        raise UsageError("a run and its judgements are needed", "give --run FILE --qrels FILE")
    found, run_problems = read_run(run_file)
    judgements, qrels_problems = read_qrels(qrels)
    problems = (*run_problems, *qrels_problems)
    if not judgements:
        raise InputError(f"{qrels} judges no question", problems[0] if problems else "it is empty")
    if run_problems and not any(found.values()):
        raise InputError(f"{run_file} has no usable line", run_problems[0])
    ranked = {item: in_trec_order(row) for item, row in found.items()}
    names = [name.strip() for name in measures.split(",") if name.strip()]
    results = [evaluate(name, ranked, judgements, as_trec=trec) for name in names]
    if not results:
        raise UsageError("no measure is named", "as in --measures nDCG@10,MAP")
    warnings = [f"left out or changed: {problem}" for problem in problems]
    warnings += _warnings(results[0], ranked, judgements, read_ids(corpus) if corpus else None)
    if as_json:
        print_json({r.metric: _plain(r, seed, trec, warnings) for r in results})
        return
    for warning in warnings:
        err.print(warning, style="yellow", markup=False)
    _print(results, seed, trec, each)


def _warnings(
    result: Evaluation,
    ranked: Mapping[str, Ranked],
    judgements: Mapping[str, Mapping[str, int]],
    known: frozenset[str] | None,
) -> list[str]:
    """What is wrong with the set-up rather than with the run."""
    found = [] if any(ranked.values()) else ["the run names no document: every question counts 0"]
    if ranked and not ranked.keys() & judgements.keys():
        found.append(
            "no question of the run is judged: these are ids of two kinds, not a score "
            f"(run {_some(list(ranked))}; judged {_some(list(judgements))})"
        )
    if result.strangers:
        got = [name for item in judgements for name in ranked.get(item, ())]
        marked = [name for grades in judgements.values() for name in grades]
        found.append(
            "none of the retrieved ids is judged anywhere: these are ids of two kinds, not a score "
            f"(retrieved {_some(got)}; judged {_some(marked)})"
        )
    found += [
        f"{pair.retrieved!r} was retrieved and {pair.judged!r} is judged: other ids, taken as such"
        for pair in twins(ranked, judgements)[:5]
    ]
    if known is not None:
        found += [
            f"unreachable: {name!r}, relevant for question {item!r}, is not in the corpus"
            for item, name in unreachable(judgements, known)
        ]
        if strange := {name for row in ranked.values() for name in row} - known:
            found.append(f"{len(strange)} retrieved ids are not in the corpus: {_some(strange)}")
    return found


def _plain(result: Evaluation, seed: int, trec: bool, warnings: Sequence[str]) -> dict[str, Any]:
    over = mean([one.value for one in result.scores], seed=seed)
    return {
        "mean": over.value,
        "low": over.low,
        "high": over.high,
        "n": over.n,
        "unscored": over.unscored,
        "without_relevant": _treatment(trec),
        "per_question": {one.item_id: one.value for one in result.scores},
        "not_measurable": {one.item_id: one.why for one in result.scores if one.value is None},
        "missing": list(result.missing),
        "unjudged": list(result.unjudged),
        "warnings": list(warnings),
    }


def _print(results: Sequence[Evaluation], seed: int, trec: bool, each: bool) -> None:
    table = Table("measure", "mean", "95 % interval", "n", "not measurable", box=None)
    for result in results:
        over = mean([one.value for one in result.scores], seed=seed)
        known = over.value is not None and over.low is not None and over.high is not None
        table.add_row(
            result.metric,
            f"{over.value:.4f}" if known else "-",
            f"{over.low:.4f} to {over.high:.4f}" if known else "",
            str(over.n),
            str(over.unscored),
        )
    out.print(table)
    first = results[0]
    out.print(f"a question without a relevant document: {_treatment(trec)}")
    if first.missing:
        out.print(f"missing from the run, counted 0: {_all(first.missing)}", markup=False)
    if first.unjudged:
        out.print(f"without judgements, left out: {_all(first.unjudged)}", markup=False)
    why = {one.item_id: one.why for one in first.scores if one.value is None}
    for item, reason in why.items():
        out.print(f"{item}: {first.metric} is not measurable: {reason}", markup=False)
    _questions({r.metric: {one.item_id: one.value for one in r.scores} for r in results}, each)


def _questions(values: Mapping[str, Mapping[str, float | None]], each: bool) -> None:
    """A line for every question, if they are few or all are asked for."""
    items = list(dict.fromkeys(item for row in values.values() for item in row))
    if len(items) > SHOWN and not each:
        out.print(f"{len(items)} questions; --each prints every one")
        return
    table = Table("question", *(Column(name, overflow="fold") for name in values), box=None)
    for item in items:
        found = [row.get(item) for row in values.values()]
        table.add_row(item, *("-" if value is None else f"{value:.4f}" for value in found))
    out.print(table)


def _scores(path: Path, seed: int, each: bool, as_json: bool) -> None:
    by_metric, problems = read_scores(path)
    tallies = {
        metric: tally(metric, found, failed, seed=seed)
        for metric, (found, failed) in by_metric.items()
    }
    values = {
        metric: {score.item_id: score.value for score in found}
        | {failure.item_id: None for failure in failed}
        for metric, (found, failed) in by_metric.items()
    }
    for problem in problems:
        err.print(f"left out: {problem}", style="yellow", markup=False)
    if as_json:
        print_json(
            {
                metric: _tallied(one) | {"per_question": values[metric], "problems": list(problems)}
                for metric, one in tallies.items()
            }
        )
    else:
        for one in tallies.values():
            out.print(f"{one.metric}: {one}", markup=False)
        _questions(values, each)
    spoilt = [one for one in tallies.values() if one.failed and not one.comparable]
    if spoilt:
        names = ", ".join(one.metric for one in spoilt)
        err.print(f"not comparable: over {spoilt[0].limit:.0%} failed under {names}", style="red")
        sys.exit(2)


def _tallied(one: Tally) -> dict[str, Any]:
    return {
        "mean": one.mean.value,
        "low": one.mean.low,
        "high": one.mean.high,
        "n": one.mean.n,
        "of": one.of,
        "unscored": one.mean.unscored,
        "not_measurable": dict(one.unscored),
        "failures": one.failures,
        "failed": dict(one.failed),
        "mean_strict": one.strict,
        "limit": one.limit,
        "comparable": one.comparable,
        "report": str(one),
    }


def _treatment(trec: bool) -> str:
    return "counted 0, as in trec_eval" if trec else "not measurable, left out of mean and n"


def _some(names: Sequence[str] | set[str]) -> str:
    few = sorted(names) if isinstance(names, set) else list(dict.fromkeys(names))
    return ", ".join(map(repr, few[:3])) + (", ..." if len(few) > 3 else "")


def _all(names: Sequence[str]) -> str:
    return f"{len(names)}: {', '.join(names[:20])}{', ...' if len(names) > 20 else ''}"
