"""The shipped handbook as an experiment: what is measured is what is served."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from answerable.adapters.formats import golden as golden_file
from answerable.adapters.formats.run_folder import RunFolder
from answerable.config import FILE, example_folder
from answerable.wire.base import open_base
from answerable.wire.experiment import freeze_experiment, open_experiment
from answerable.wire.run import Ran, run_arms

SUMS = ("hb-004", "hb-009", "hb-011", "hb-013", "hb-017", "hb-045")
LEXICAL = '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'
ARMS = """
[[arm]]
name = "served"
like = "kb"

[[arm]]
name = "windows"
cut.by = "words"
cut.size = 200
cut.unit = "words"
cut.lead = "none"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("study")
    (made / "kb").mkdir()
    (made / "kb" / FILE).write_text(LEXICAL)
    home = example_folder().as_posix()
    head = f'[experiment]\nname = "handbook"\ngolden = "{home}/golden.jsonl"\n'
    (made / "handbook.toml").write_text(head + f'documents = "{home}/docs"\n' + LEXICAL + ARMS)
    return made


@pytest.fixture(scope="module")
def made(folder: Path) -> dict[str, Ran]:
    freeze_experiment(open_experiment(folder / "handbook.toml"))
    # Opened anew, as the next command does.
    opened = open_experiment(folder / "handbook.toml")
    assert (opened.problems, opened.located.problems) == ((), ())
    return {ran.arm: ran for ran in run_arms(opened, folder / "out")}


def test_every_question_is_asked_and_scored(made: dict[str, Ran]) -> None:
    golden, _ = golden_file.read(example_folder() / "golden.jsonl")
    answerable = sum(item.answerable for item in golden.items)
    for ran in made.values():
        assert ran.run.failures == ()
        assert [item for item, _ in ran.run.questions] == [item.id for item in golden.items]
        counts = Counter(s.metric for s in ran.run.scores if s.value is not None)
        assert counts["nDCG@10"] == counts["complete@5"] == counts["answered"] == answerable
        assert counts["refused"] == len(golden.items) - answerable
        assert counts["words@5"] == len(golden.items)


def test_what_is_measured_is_what_is_served(folder: Path, made: dict[str, Ran]) -> None:
    base = open_base(folder / "kb")
    assert base.add(str(example_folder() / "docs")).skipped == ()
    traces = RunFolder(made["served"].folder).traces()
    assert made["served"].run.info.recipe_hash == base.recipe.hash()
    for item, question in made["served"].run.questions:
        served, measured = base.ask(question), traces[item]
        assert served.rankings == measured.rankings, item
        assert served.passages == measured.passages
        assert (served.answer, served.route) == (measured.answer, measured.route)


def test_headings_hold_more_of_the_evidence_in_as_many_words(made: dict[str, Ran]) -> None:
    def share(arm: str, metric: str) -> float:
        values = [
            s.value for s in made[arm].run.scores if s.metric == metric and s.value is not None
        ]
        return sum(values) / len(values)

    for words in (300, 600):
        metric = f"complete in {words} words"
        assert share("served", metric) >= share("windows", metric) + 0.05


def test_traces_do_not_hang_on_the_order_of_sets(folder: Path) -> None:
    """Python orders sets of words anew in each process; a trace is the same in all of them."""
    golden = (example_folder() / "golden.jsonl").read_text().splitlines()
    few = [line for line in golden if json.loads(line)["id"] in SUMS]
    (folder / "few.jsonl").write_text("\n".join(few))
    text = (folder / "handbook.toml").read_text().replace('"handbook"', '"few"')
    home = example_folder().as_posix()
    (folder / "few.toml").write_text(text.replace(f"{home}/golden.jsonl", "few.jsonl"))
    freeze_experiment(open_experiment(folder / "few.toml"))
    code = "from answerable.cli.main import main; main()"
    found = []
    for seed in ("1", "2"):
        out = folder / f"seed{seed}"
        words = ["run", str(folder / "few.toml"), "--arm", "served", "--out", str(out)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, *words], env=environment, check=True)
        traces = RunFolder(out / "v1" / "served").traces()
        found.append({k: replace(trace, at="", seconds=()) for k, trace in traces.items()})
    assert len(found[0]) == len(SUMS)
    assert found[0] == found[1]
