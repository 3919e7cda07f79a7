"""An experiment from its file to scores: frozen, run, stopped, resumed, scored again."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from answerable.adapters.formats.run_folder import RunFolder
from answerable.errors import ServiceError
from http_models import Log, model_server

DOCS = {
    "returns.md": "# Returns\n\nGoods may be sent back within thirty days of delivery.\n",
    "zq canary.md": "# Shipping\n\nParcels leave the warehouse every morning at nine.\n",
    "pay.md": "# Pay\n\nSalaries are paid on the last working day of each month.\n",
    "leave.md": "# Leave\n\nEvery employee has twenty six days of holiday in a year.\n",
}
GOLDEN = [
    ("q1", "Within how many days may goods be sent back?", "returns.md", "within thirty days"),
    ("q2", "When do parcels leave the warehouse?", "zq canary.md", "every morning at nine"),
    ("q3", "On which day are salaries paid?", "pay.md", "the last working day of each month"),
    ("q4", "How many days of holiday has an employee?", "leave.md", "twenty six days"),
    ("q5", "How long after delivery may goods go back?", "returns.md", "within thirty days"),
    ("q6", "Who won the regatta in Norvania?", "", ""),
]
TOML = """
[experiment]
name = "pair"
golden = "golden.jsonl"
documents = "docs"
depth = 3

[ingest.embedder]
name = "http_models:HttpEmbedder"
options = {{ url = "{url}" }}

[[arm]]
name = "whole"
like = "whole"
mode = "hybrid"

[[arm]]
name = "eight"
cut.by = "words"
cut.size = 8
cut.unit = "words"
mode = "lexical"
"""
CHECKER = """
[[checker]]
name = "brief"
use = "checks.py:brief"
"""
CHECKS = """
def brief(item, trace):
    if trace.answer.refused:
        return None, "nothing was said"
    return len(trace.answer.text.split()) <= 12
"""


def golden_rows(**more: Any) -> list[dict[str, Any]]:
    rows = []
    for name, question, document, quote in GOLDEN:
        row: dict[str, Any] = {"id": name, "question": question, "answerable": bool(document)}
        if document:
            row |= {"evidence": [{"document": document, "quote": quote}], "answers": [quote]}
        rows.append(row | (more if document else {}))
    return rows


class Study:
    """A folder with an experiment, and the commands on it."""

    def __init__(self, folder: Path, run: Callable[..., Any], url: str) -> None:
        self.folder, self._run = folder, run
        (folder / "docs").mkdir(parents=True)
        for name, text in DOCS.items():
            (folder / "docs" / name).write_text(text)
        (folder / "checks.py").write_text(CHECKS)
        self.toml = folder / "pair.toml"
        self.toml.write_text(TOML.format(url=url) + CHECKER)
        self.golden(golden_rows())

    def golden(self, rows: list[dict[str, Any]]) -> None:
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (self.folder / "golden.jsonl").write_text(lines)

    def freeze(self) -> Any:
        return self._run("freeze", self.toml, "--json")

    def run(self, *argv: object) -> Any:
        return self._run("run", self.toml, "--json", *argv)

    def arm(self, name: str, version: int = 1, out: str = "runs/pair") -> RunFolder:
        return RunFolder(self.folder / out / f"v{version}" / name)


@pytest.fixture
def models():
    with model_server() as log:
        yield log


@pytest.fixture
def study(tmp_path: Path, run, models: Log) -> Study:
    return Study(tmp_path / "study", run, models.url)


def files(folder: Path) -> dict[str, bytes]:
    """Every file under a folder but the report; times of the clock struck out."""
    return {
        str(path.relative_to(folder)): _timeless(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (".lock", "report.html")
    }


def _timeless(body: bytes) -> bytes:
    def strike(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: strike(v) for k, v in value.items() if k not in ("at", "seconds")}
        return [strike(one) for one in value] if isinstance(value, list) else value

    try:
        return json.dumps([strike(json.loads(line)) for line in body.splitlines()]).encode()
    except ValueError:
        pass
    try:
        return json.dumps(strike(json.loads(body))).encode()
    except ValueError:
        return body


def test_two_arms_frozen_asked_and_scored(study: Study) -> None:
    frozen = study.freeze()
    assert frozen.code == 0, frozen.err
    assert (frozen.json["experiment"], frozen.json["version"]) == ("pair", 1)
    assert len(frozen.json["sha256"]) == 64
    done = study.run()
    assert done.code == 0, done.err
    assert done.json["experiment"] == "pair"
    whole, eight = done.json["runs"]
    assert (whole["arm"], eight["arm"]) == ("whole", "eight")
    # One piece a document; 2 + 10, 2 + 8, 2 + 11 and 2 + 11 words in windows of eight.
    assert (whole["pieces"], eight["pieces"]) == (4, 8)
    for made in (whole, eight):
        assert {"value", "low", "high", "n", "unscored"} <= set(made["metrics"]["nDCG@10"])
        assert {path.name for path in Path(made["dir"]).iterdir()} >= {
            "run.json",
            "traces.jsonl",
            "pieces.jsonl",
            "scores.jsonl",
            "standings.jsonl",
            "decisions.jsonl",
            "failures.jsonl",
            "run.trec",
            "qrels.trec",
            "report.html",
        }
        assert made["failures"] == []
    metrics = whole["metrics"]
    # Each question shares rare words with its own document alone.
    assert metrics["complete@3"] == {
        "value": 1.0,
        "low": 1.0,
        "high": 1.0,
        "n": 5,
        "unscored": 0,
        "failed": 0,
        "layer": "retrieval",
    }
    assert metrics["refused"]["n"] == 1
    counts = whole["refusal"]["confusion"]
    assert sum(counts["answerable"].values()) == 5
    assert counts["unanswerable"] == {"answered": 0, "refused": 1}
    run = study.arm("whole").read()
    assert [decision.item_id for decision in run.decisions] == [row[0] for row in GOLDEN]
    assert [decision.item_id for decision in run.decisions if not decision.answerable] == ["q6"]
    strict = [s for s in run.scores if s.metric == "strict" and s.value == 0]
    assert sum(whole["strict"].values()) == sum(len(s.why.split("; ")) for s in strict)
    assert set(whole["strict"]) == {cause for s in strict for cause in s.why.split("; ")}
    assert [standing.rank for standing in run.standings] == [1, 1, 1, 1, 1, None]
    assert run.standings[1].uri == "docs/zq canary.md"
    answered = [s.item_id for s in run.scores if s.metric == "answered" and s.value]
    brief = {s.item_id: (s.value, s.why) for s in run.scores if s.metric == "brief"}
    assert [item for item, (value, _) in brief.items() if value is not None] == answered
    assert brief["q6"] == (None, "nothing was said")
    assert metrics["brief"]["layer"] == "own"


def test_trec_eval_reads_the_run_as_it_was_scored(study: Study, run) -> None:
    study.freeze()
    study.run()
    for name in ("whole", "eight"):
        folder = study.arm(name)
        rows = [line.split() for line in (folder.path / "run.trec").read_text().splitlines()]
        assert {row[2] for row in rows} <= {f"docs/{uri.replace(' ', '%20')}" for uri in DOCS}
        for item in {row[0] for row in rows}:
            scores = [float(row[4]) for row in rows if row[0] == item]
            assert all(a > b for a, b in pairwise(scores))
        scored = {
            (s.item_id, s.metric): s.value for s in folder.read().scores if s.value is not None
        }
        done = run(
            "metrics",
            "--run",
            folder.path / "run.trec",
            "--qrels",
            folder.path / "qrels.trec",
            "--measures",
            "nDCG@10,recall@10,MRR,MAP,P@10,judged@10",
            "--json",
        )
        for metric, found in done.json.items():
            per_question = found["per_question"]
            assert set(per_question) == {"q1", "q2", "q3", "q4", "q5"}
            for item, value in per_question.items():
                assert value == pytest.approx(scored[item, metric], abs=1e-12)


def _edit(path: str, old: str, new: str) -> Callable[[Study], None]:
    def change(study: Study) -> None:
        file = study.folder / path
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))

    return change


def _new_document(study: Study) -> None:
    (study.folder / "docs" / "new.md").write_text("# New\n\nA page.\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_edit("docs/pay.md", "last", "first"), "document docs/pay.md changed"),
        (_new_document, "document docs/new.md is new"),
        (_edit("checks.py", "12", "13"), "checker brief changed"),
        (_edit("golden.jsonl", '["twenty six days"]', '["26 days"]'), "the key of question q4"),
        (_edit("golden.jsonl", "Who won", "Who lost"), "question q6 changed"),
        (_edit("pair.toml", "size = 8", "size = 9"), "arm eight: ingest.cut[0].size was 8, is 9"),
        (_edit("pair.toml", "depth = 3", "depth = 3\nseed = 4"), "seed was 0, is 4"),
    ],
)
def test_a_run_against_what_moved_stops_and_says_what(
    study: Study, models: Log, change: Callable[[Study], None], said: str
) -> None:
    study.freeze()
    before = len(models.requests)
    change(study)
    done = study.run()
    assert done.code == 2
    assert done.json["error"]["type"] == "NotComparable"
    assert said in done.json["error"]["message"]
    assert len(models.requests) == before
    assert not (study.folder / "runs" / "pair" / "v1").exists()


def test_a_run_that_was_never_frozen_stops(study: Study) -> None:
    done = study.run()
    assert done.code == 2
    assert "not frozen" in done.err


def test_a_changed_checker_is_a_new_version_and_old_verdicts_stay(
    study: Study, models: Log
) -> None:
    study.freeze()
    study.run()
    assert study.freeze().json["version"] == 1
    old = files(study.folder / "runs" / "pair" / "v1")
    _edit("checks.py", "<= 12", "<= 1")(study)
    assert study.run("--rescore").code == 2
    frozen = study.freeze().json
    assert (frozen["version"], frozen["changes"]) == (2, ["checker brief changed"])
    assert frozen["rescore"]
    asked = len(models.requests)
    done = study.run("--rescore")
    assert done.code == 0, done.err
    assert len(models.requests) == asked
    assert files(study.folder / "runs" / "pair" / "v1") == old
    for name in ("whole", "eight"):
        before, after = study.arm(name).read(), study.arm(name, 2).read()
        assert before.info.checker != after.info.checker
        assert study.arm(name).traces() == study.arm(name, 2).traces()
        values = [{(s.item_id, s.metric): s.value for s in run.scores} for run in (before, after)]
        moved = {
            metric
            for item, metric in values[0]
            if values[0][item, metric] != values[1][item, metric]
        }
        assert moved == {"brief"}
        line = (study.arm(name, 2).path / "scores.jsonl").read_text().splitlines()[0]
        assert json.loads(line)["checker"] == after.info.checker


def test_traces_of_other_documents_are_not_scored_again(study: Study) -> None:
    study.freeze()
    study.run()
    _edit("docs/pay.md", "last", "first")(study)
    study.freeze()
    assert study.run("--rescore", "--out", study.folder / "elsewhere").code == 3
    done = study.run("--rescore")
    assert done.code == 2
    assert "document docs/pay.md changed" in done.err


def test_threads_give_what_one_by_one_gives(study: Study) -> None:
    study.freeze()
    for jobs in ("1", "6"):
        assert study.run("--jobs", jobs, "--out", study.folder / f"by{jobs}").code == 0
    assert files(study.folder / "by1" / "v1") == files(study.folder / "by6" / "v1")


def test_a_run_killed_midway_asks_only_what_is_missing(
    study: Study, models: Log, tmp_path: Path
) -> None:
    study.freeze()
    reached = threading.Event()
    gone = threading.Event()

    def hold(path: str, body: str) -> None:
        if path == "/questions" and len(models.texts("questions")) == 4:
            reached.set()
            gone.wait(30)

    models.before = hold
    script = "from answerable.cli.main import main; main()"
    child = subprocess.Popen(
        [sys.executable, "-c", script, "run", str(study.toml), "--jobs", "1"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert reached.wait(60)
    child.send_signal(signal.SIGKILL)
    child.wait()
    gone.set()
    models.before = lambda path, body: None
    traces = study.arm("whole").path / "traces.jsonl"
    assert set(study.arm("whole").traces()) == {"q1", "q2", "q3"}
    with traces.open("ab") as file:
        file.write(traces.read_bytes()[:200])
    asked = len(models.texts("questions"))
    done = study.run("--jobs", "1")
    assert done.code == 0, done.err
    questions = [question for _, question, _, _ in GOLDEN]
    assert models.texts("questions")[asked:] == questions[3:]
    assert study.run("--jobs", "1", "--out", study.folder / "atonce").code == 0
    again = files(study.folder / "runs" / "pair" / "v1")
    assert again == files(study.folder / "atonce" / "v1")
    asked = len(models.requests)
    assert study.run().code == 0
    assert len(models.requests) == asked


def test_a_question_that_fails_is_kept_counted_and_asked_again(study: Study, models: Log) -> None:
    def away(path: str, body: str) -> None:
        if path == "/questions" and "salaries" in body:
            raise ServiceError("gone fishing")

    models.before = away
    study.freeze()
    done = study.run()
    # One of six is more than 5 %: the run is printed and kept, and says that it does not compare.
    assert done.code == 2
    said = " ".join(done.err.split())
    assert "not comparable: whole: 1 of 6 failed, over 5% (1 " in said
    assert "gone fishing" in said
    assert "eight:" not in said
    whole, eight = done.json["runs"]
    assert [(one["id"], one["stage"]) for one in whole["failures"]] == [("q3", "ask")]
    assert "gone fishing" in whole["failures"][0]["cause"]
    assert (eight["failures"], eight["metrics"]["MRR"]["n"]) == ([], 5)
    mrr = whole["metrics"]["MRR"]
    assert (mrr["n"], mrr["failed"]) == (4, 1)
    models.before = lambda path, body: None
    asked = len(models.texts("questions"))
    done = study.run()
    assert done.code == 0, done.err
    assert models.texts("questions")[asked:] == ["On which day are salaries paid?"]
    assert (done.json["runs"][0]["failures"], done.json["runs"][0]["metrics"]["MRR"]["n"]) == (
        [],
        5,
    )


def test_an_arm_alone_and_an_unknown_one(study: Study) -> None:
    study.freeze()
    done = study.run("--arm", "eight")
    assert [one["arm"] for one in done.json["runs"]] == ["eight"]
    assert not study.arm("whole").path.exists()
    done = study.run("--arm", "nine")
    assert done.code == 2
    assert "whole, eight" in done.err
    assert study.run("--live").code == 2


def test_a_folder_of_another_lock_is_left_alone(study: Study) -> None:
    study.freeze()
    study.run("--arm", "eight")
    shutil.move(study.folder / "pair.lock.json", study.folder / "old.json")
    _edit("docs/pay.md", "last", "first")(study)
    assert study.freeze().json["version"] == 1
    before = files(study.arm("eight").path)
    done = study.run("--arm", "eight")
    assert done.code == 2
    assert "another lock" in done.err
    assert files(study.arm("eight").path) == before


def test_no_key_reaches_a_model(tmp_path: Path, run, models: Log) -> None:
    """What reaches the models is the same whatever the keys are, and no mark of a key is in it."""
    situate = (
        '[ingest.situate]\nby = "http_models:HttpChat"\nline = 3\noptions = {{ url = "{url}" }}\n'
    )
    marks = {"answers": ["zqanswer"], "category": "zqkind", "group": "zqgroup", "tags": ["zqtag"]}
    other = golden_rows(
        **marks,
        evidence=[{"document": "zq canary.md", "quote": "every morning"}],
        alternatives=[[{"document": "leave.md", "quote": "in a year"}]],
    )
    seen = []
    for number, rows in enumerate((golden_rows(), other)):
        study = Study(tmp_path / f"study{number}", run, models.url)
        study.toml.write_text((TOML + situate).format(url=models.url))
        study.golden(rows)
        start = len(models.requests)
        assert study.freeze().code == 0
        done = study.run("--jobs", "1")
        assert done.code == 0, done.err
        seen.append(models.requests[start:])
    assert seen[0] == seen[1]
    bodies = [body for _, body in seen[1]]
    assert {path for path, _ in seen[1]} == {"/questions", "/passages", "/chat"}
    for mark in ("zqanswer", "zqkind", "zqgroup", "zqtag", "zq canary", '"q1"'):
        assert not any(mark in body for body in bodies), mark
    asked = [
        text for path, body in seen[1] if path == "/questions" for text in json.loads(body)["texts"]
    ]
    assert asked == [question for _, question, _, _ in GOLDEN]


def test_categories_are_kept_and_a_folder_without_decisions_is_scored_again(study: Study) -> None:
    study.golden(golden_rows(category="fact", tags=["short"]))
    study.freeze()
    before = study.run()
    folder = study.arm("whole")
    filed = folder.read().filed
    assert [(one.item_id, one.category, one.tags) for one in filed] == [
        (name, "fact", ("short",)) for name, *_ in GOLDEN[:5]
    ]
    decisions = folder.path / "decisions.jsonl"
    kept = decisions.read_bytes()
    decisions.unlink()
    assert folder.read().decisions == ()
    after = study.run()
    assert decisions.read_bytes() == kept
    assert after.json["runs"] == before.json["runs"]
    report = (folder.path / "report.html").read_text()
    for anchor in ("categories", "refusing"):
        assert f'id="{anchor}"' in report


def test_the_printed_table_is_not_wrapped_in_a_pipe(study: Study, run) -> None:
    study.toml.write_text(
        study.toml.read_text().replace('name = "eight"', 'name = "windows-of-eight-words-each"')
        + '\n[[arm]]\nname = "a-third-arm-with-a-long-name"\nlike = "whole"\nmode = "lexical"\n'
    )
    study.freeze()
    lines = run("run", study.toml).out.splitlines()
    head = next(line for line in lines if "windows-of-eight-words-each" in line)
    assert head.split() == [
        "n", "whole", "windows-of-eight-words-each", "a-third-arm-with-a-long-name",
    ]  # fmt: skip
    row = next(line for line in lines if line.startswith("complete@3"))
    assert row.split()[:2] == ["complete@3", "5"]
    # Every column ends where its head does.
    head_ends, row_ends = ([m.end() for m in re.finditer(r"\S+", line)] for line in (head, row))
    assert row_ends[1:] == head_ends
    assert len(head) > 80


def test_an_experiment_does_not_take_its_own_files_for_documents(study: Study) -> None:
    study.toml.write_text(study.toml.read_text().replace('"docs"', '"."'))
    frozen = study.freeze()
    assert frozen.code == 0, frozen.err
    lock = json.loads((study.folder / "pair.lock.json").read_text())
    assert sorted(lock["details"]["corpus"]) == sorted(f"study/docs/{name}" for name in DOCS)
    left_out = {
        "pair.toml: the experiment, no document",
        "golden.jsonl: the golden set, no document",
        "checks.py: a checker, no document",
    }
    assert left_out <= set(frozen.json["problems"])
    assert study.run().code == 0
    # Neither the lock nor the runs, which are there now, move what was frozen.
    again = study.run()
    assert again.code == 0, again.err
    assert [made["pieces"] for made in again.json["runs"]] == [4, 8]
    assert "pair.lock.json: the experiment's lock, no document" in again.json["problems"]
    assert "runs: runs of experiments, no document" in again.json["problems"]
