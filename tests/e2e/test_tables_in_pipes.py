"""Tables into a pipe stand one row on one line, and counts read as words do."""

import json
from pathlib import Path

from answerable.adapters.formats.run_folder import RunFolder
from made_runs import made_run

DOCS = {f"p{n}.md": f"# Page {n}\n\nThe code of widget w{n} is k{n}.\n" for n in range(8)}
GOLDEN = [
    {
        "id": f"q{n}",
        "question": f"What is the code of widget w{n}?",
        "evidence": [{"document": f"p{n}.md", "quote": f"w{n} is k{n}"}],
        "answers": [f"k{n}"],
    }
    for n in range(8)
]


def test_steps_of_tune_are_not_wrapped(bench) -> None:
    made = bench(DOCS)
    made.add()
    golden = made.folder / "golden.jsonl"
    golden.write_text("".join(json.dumps(row) + "\n" for row in GOLDEN))
    done = made.cli("tune", "cut", golden)
    assert done.code == 0, done.err
    steps = made.cli("tune", "cut", golden, "--json").json["steps"]
    lines = done.out.split("\n")
    for step in steps:
        first = [line for line in lines if line.startswith(f"{step['name']} ")]
        assert any(step["decision"] in line for line in first), step
    heads = next(line for line in lines if line.startswith("step "))
    assert heads.split() == ["step", "figure", "difference", "decision", "s"]


def test_a_long_metric_of_drift_stays_on_its_line(run, tmp_path: Path) -> None:
    metric = "a measure of the user's own with a name of many words that fills a line of its own"
    for day in (1, 2):
        made = made_run("a", {metric: {"q": 0.5}}, at=f"2026-03-0{day}T00:00:00Z")
        folder = RunFolder(tmp_path / f"{day}")
        folder.begin(made.info, made.questions, {})
        folder.judge(made.scores, made.standings, made.info.checker)
    done = run("drift", tmp_path / "1", tmp_path / "2")
    assert done.code == 0
    (line,) = [line for line in done.out.split("\n") if line.startswith("own ")]
    assert metric in line
    assert line.endswith("more points needed")


def test_one_error_is_one_error(run, tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps({"id": "a", "question": "Why?", "answerable": False}) + "\n{\n")
    assert "1 question, 0 answerable; 1 error, " in run("golden", "check", path).out


def test_a_run_says_that_an_arm_sends_another_number_of_pieces(run, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name, text in DOCS.items():
        (tmp_path / "docs" / name).write_text(text)
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in GOLDEN))
    (tmp_path / "e.toml").write_text(
        '[experiment]\nname = "e"\ngolden = "golden.jsonl"\ndocuments = "docs"\ndepth = 3\n'
        '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'
        '[[arm]]\nname = "three"\n[[arm]]\nname = "five"\nask.context.passages = 5\n'
    )
    assert run("freeze", tmp_path / "e.toml").code == 0
    done = run("run", tmp_path / "e.toml")
    assert done.code == 0, done.err
    said = " ".join(done.err.split())
    assert "note: five sends 5 pieces where the experiment's depth is 3" in said
    assert "three sends" not in said
    notes = [one["note"] for one in run("run", tmp_path / "e.toml", "--json").json["runs"]]
    assert notes[0] == ""
    assert notes[1].startswith("five sends 5")
    read = RunFolder(tmp_path / "runs" / "e" / "v1" / "five").read()
    assert dict(read.recipe)["ask.context.passages"] == "5"
    assert dict(read.recipe)["ingest.embedder.name"] == '""'
