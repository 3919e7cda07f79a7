"""Measuring on public collections: beir."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from answerable.cli.common import err, json_option, out, print_json
from answerable.flow.beir_lists import MODES, BeirRule
from answerable.measure.stats import Mean
from answerable.records.recipe import CutRule
from answerable.wire.beir import measure_folder


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--by", default="whole", show_default=True, help="The cutter.")
@click.option("--size", default=0, show_default=True, help="Limit of a piece; 0: none.")
@click.option(
    "--unit",
    default="words",
    type=click.Choice(["words", "tokens", "characters"]),
    show_default=True,
    help="What size and overlap count.",
)
@click.option("--overlap", default=0, show_default=True, help="Units that two pieces share.")
@click.option(
    "--lead",
    default="title",
    type=click.Choice(["none", "title"]),
    show_default=True,
    help="What is repeated in front of each piece.",
)
@click.option(
    "--mode",
    default="lexical",
    type=click.Choice(MODES),
    show_default=True,
    help="Search by words, by meaning or by both.",
)
@click.option("--k1", default=0.9, show_default=True, help="BM25: how much repeated words count.")
@click.option(
    "--b", default=0.4, show_default=True, help="BM25: how much the length counts, 0 to 1."
)
@click.option("--split", default="test", show_default=True, help="Which qrels: SPLIT.tsv.")
@click.option("--language", default="en", show_default=True, help="ISO 639-1.")
@json_option
def beir(
    folder: Path,
    by: str,
    size: int,
    unit: Any,
    overlap: int,
    lead: Any,
    mode: str,
    k1: float,
    b: float,
    split: str,
    language: str,
    as_json: bool,
) -> None:
    """One published-style measurement on a BEIR FOLDER.

    The first 1,000 pieces are each replaced by their document, repeats dropped, and the first 100
    documents scored; held@10 is the share of questions whose first ten pieces hold one of a
    marked document.
    """
    rule = CutRule(by=by, size=size, unit=unit, overlap=overlap, lead=lead)
    collection, result = measure_folder(
        folder, rule, BeirRule(k1=k1, b=b, mode=mode), split, language
    )
    for problem in collection.problems:
        err.print(f"left out: {problem}", style="yellow", markup=False)
    if as_json:
        print_json(
            {
                "documents": result.documents,
                "questions": result.questions,
                "pieces": result.pieces,
                "ndcg@10": result.ndcg.value,
                "ndcg@10_exponential": result.ndcg_exponential.value,
                "recall@100": result.recall.value,
                "held@10": result.held.value,
                "words_in_ten": result.words.value,
                "intervals": {
                    "ndcg@10": [result.ndcg.low, result.ndcg.high],
                    "held@10": [result.held.low, result.held.high],
                },
                "unscored": result.ndcg.unscored,
                "per_question": [
                    {"id": a.id, "ndcg@10": a.ndcg, "recall@100": a.recall, "held": a.held}
                    for a in result.per_question
                ],
                "problems": list(collection.problems),
            }
        )
        return
    out.print(f"{result.documents} documents, {result.questions} questions, {result.pieces} pieces")
    out.print(f"nDCG@10 (trec_eval's gain)  {_mean(result.ndcg)}")
    out.print(f"nDCG@10 (2^grade - 1)       {_mean(result.ndcg_exponential)}")
    out.print(f"recall@100                  {_mean(result.recall)}")
    out.print(f"held in the first 10 pieces {_mean(result.held)}")
    out.print(f"words in those 10           {_mean(result.words, 0)}")


def _mean(mean: Mean, digits: int = 4) -> str:
    if mean.value is None:
        return f"not measurable ({mean.unscored} questions)"
    unscored = f", {mean.unscored} not measurable" if mean.unscored else ""
    return (
        f"{mean.value:.{digits}f}  [{mean.low:.{digits}f}, {mean.high:.{digits}f}], "
        f"n = {mean.n}{unscored}"
    )
