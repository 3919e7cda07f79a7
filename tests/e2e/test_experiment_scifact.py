"""A public collection as an experiment: the figures of the published measurement."""

import os
import shutil
from pathlib import Path

import pytest

from answerable.flow.beir_lists import BeirRule
from answerable.records.recipe import CutRule
from answerable.wire.beir import measure_folder
from answerable.wire.experiment import freeze_experiment, open_experiment
from answerable.wire.run import run_arms

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[2] / "../shared/data"))
QUESTIONS = 40
TOML = """
[experiment]
name = "scifact"
golden = "scifact#test"
documents = "scifact"

[ingest.embedder]
name = ""

[ask.search]
mode = "lexical"
k1 = 0.9
b = 0.4
depth = 1000

[[arm]]
like = "whole"
"""


@pytest.mark.data
def test_a_run_gives_the_figures_of_the_published_measurement(tmp_path: Path) -> None:
    folder = tmp_path / "scifact"
    (folder / "qrels").mkdir(parents=True)
    for name in ("corpus.jsonl", "queries.jsonl"):
        shutil.copy(DATA / "scifact" / name, folder / name)
    rows = (DATA / "scifact" / "qrels" / "test.tsv").read_text().splitlines()
    first = list(dict.fromkeys(row.split("\t")[0] for row in rows[1:]))[:QUESTIONS]
    kept = [rows[0], *(row for row in rows[1:] if row.split("\t")[0] in first)]
    (folder / "qrels" / "test.tsv").write_text("\n".join(kept) + "\n")
    path = tmp_path / "scifact.toml"
    path.write_text(TOML)
    opened = open_experiment(path)
    freeze_experiment(opened)
    (ran,) = run_arms(opened, tmp_path / "out")
    scores = {(s.item_id, s.metric): s.value for s in ran.run.scores}
    cut = CutRule(by="whole", size=0, unit="words", lead="title")
    rule = BeirRule(k1=0.9, b=0.4, mode="lexical")
    _, published = measure_folder(folder, cut, rule, "test", "en")
    assert len(published.per_question) == QUESTIONS
    assert ran.run.info.pieces == published.pieces == 5183
    for asked in published.per_question:
        assert scores[asked.id, "nDCG@10"] == pytest.approx(asked.ndcg, abs=1e-12)
        assert scores[asked.id, "recall@100"] == pytest.approx(asked.recall, abs=1e-12)
