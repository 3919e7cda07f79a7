"""Measuring commands under hostile input: codes, one JSON document, and words that hold."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from answerable.adapters.formats.run_folder import RunFolder
from made_runs import made_run

COMMAND = [sys.executable, "-c", "from answerable.cli.main import main; main()"]
LEXICAL = ["--set", "ingest.embedder.name=", "--set", "ask.search.mode=lexical"]
ITEMS = [f"q{number:02}" for number in range(20)]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "gate.md").write_text("# Gate\n\nThe gate opens at 05:30 on every working day.\n")
    return folder


def lines(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def item(name: str, **more: object) -> dict:
    place = {"document": "gate.md", "quote": "The gate opens at 05:30"}
    return {"id": name, "question": f"When does gate {name} open?", "evidence": [place], **more}


def keep(path: Path, right: int, **info: object) -> Path:
    made = made_run("a", {"complete@5": {i: float(n < right) for n, i in enumerate(ITEMS)}})
    folder = RunFolder(path)
    folder.begin(replace(made.info, **info), made.questions, {})
    folder.judge(made.scores, made.standings, made.info.checker)
    return path


def trec(tmp_path: Path, run: str, qrels: str) -> list[object]:
    (tmp_path / "run").write_text(run, encoding="utf-8")
    (tmp_path / "qrels").write_text(qrels, encoding="utf-8")
    return ["metrics", "--run", tmp_path / "run", "--qrels", tmp_path / "qrels"]


def test_ids_are_printed_as_they_are_and_cannot_steer_the_terminal(run, tmp_path):
    names = ("q[/x]", ":smile:", "q\x1b[2J")
    words = trec(
        tmp_path,
        "".join(f"{name} Q0 d 1 1 t\n" for name in names),
        "".join(f"{name} 0 d 1\n" for name in names),
    )
    done = run(*words, "--measures", "MRR")
    assert done.code == 0
    assert "q[/x]" in done.out
    assert ":smile:" in done.out
    assert "\x1b" not in done.out


def test_a_run_without_a_usable_line_is_no_run_of_zeros(run, tmp_path):
    done = run(*trec(tmp_path, "[1, 2]\n", "q 0 d 1\n"), "--json")
    assert done.code == 3
    assert "columns, not 6" in done.json["error"]["hint"]
    empty = run(*trec(tmp_path, "", "q 0 d 1\n"), "--measures", "MRR", "--json")
    assert "names no document" in empty.json["MRR"]["warnings"][0]


def test_seeds_and_counts_below_their_range_are_bad_usage(run, tmp_path):
    runs = keep(tmp_path / "a", 9)
    words = trec(tmp_path, "q Q0 d 1 1 t\n", "q 0 d 1\n")
    for argv in (
        [*words, "--seed", "-1"],
        ["compare", runs, runs, "--seed", "-1"],
        ["gate", runs, "--against", runs, "--seed", "-1"],
        ["drift", runs, "--per", "0"],
        ["drift", runs, "--window", "0"],
    ):
        done = run(*argv, "--json")
        assert done.code == 2
        assert done.json["error"]["exit"] == 2


@pytest.mark.parametrize("stream", ["/dev/full", "closed"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_an_output_that_takes_nothing_ends_without_a_traceback(tmp_path, stream):
    words = [*map(str, trec(tmp_path, "q Q0 d 1 1 t\n", "q 0 d 1\n")), "--json"]
    line = f"exec {' '.join(f'{word!r}' for word in [*COMMAND, *words])}"
    line += " >&-" if stream == "closed" else " >/dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if stream == "closed" else 3)


def test_an_output_of_few_characters_still_gets_one_json_document(tmp_path):
    words = trec(tmp_path, "ü Q0 d 1 1 t\n", "ü 0 d 1\n")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    argv = [*COMMAND, *map(str, words), "--measures", "MRR", "--json"]
    done = subprocess.run(argv, capture_output=True, env=environment, timeout=60)
    assert done.returncode == 0
    assert json.loads(done.stdout)["MRR"]["per_question"] == {"ü": 1.0}


def test_names_without_a_file_are_not_found(run, docs, tmp_path):
    for argv in (
        ["tune", "cut", tmp_path / "no.jsonl", "--documents", docs],
        ["tune", "cut", tmp_path / "#", "--documents", docs],
        ["golden", "check", tmp_path / "#", "--documents", docs],
        ["golden", "anchor", tmp_path / "no.jsonl", "--documents", docs],
    ):
        done = run(*argv, "--json")
        assert done.code == 3
        assert done.json["error"]["type"] == "NotFound"


def test_a_third_labeller_who_has_not_seen_a_passage_is_no_fault(run, tmp_path):
    marked = lines(tmp_path / "g.jsonl", [item("q")])
    pooled = lines(
        tmp_path / "pool.jsonl",
        [
            {"id": name, "item": "q", "question": "?", "document": "gate.md", "text": "x"}
            | {"start": at, "end": at + 1}
            for at, name in enumerate(("p1", "p2"))
        ],
    )
    given = [("p1", "ann", 3), ("p1", "bob", 0), ("p2", "cyd", 1)]
    labels = [{"id": id, "labeller": who, "grade": grade} for id, who, grade in given]
    lines(tmp_path / "pool.labels.jsonl", labels)
    done = run("golden", "grade", marked, pooled, "--out", tmp_path / "new.jsonl", "--json")
    assert done.code == 0
    assert done.json["passages"] == 1
    assert "ann 3, bob 0" in done.json["problems"][0]
    assert "cyd" not in done.json["problems"][0]


def test_nothing_is_written_over_the_set_that_is_read(run, tmp_path):
    marked = lines(tmp_path / "g.jsonl", [item("q")])
    before = marked.read_bytes()
    done = run("golden", "export", marked, "--to", "ragas", "--out", marked, "--json")
    assert done.code == 2
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("mine")
    squad = tmp_path / "s.json"
    squad.write_text(
        '{"data": [{"title": "T", "paragraphs": [{"context": "Ann.", "qas": '
        '[{"id": "1", "question": "Who?", "is_impossible": true}]}]}]}'
    )
    argv = ["golden", "import", squad, "--from", "squad", "--out", tmp_path / "new.jsonl"]
    assert run(*argv, "--corpus", corpus).code == 2
    assert corpus.read_text() == "mine"
    marked.write_text(marked.read_text() + "{\n")
    pooled = lines(
        tmp_path / "pool.jsonl",
        [
            {"id": "p", "item": "q", "question": "?", "document": "gate.md", "text": "x"}
            | {"start": 0, "end": 1}
        ],
    )
    assert run("golden", "grade", marked, pooled, "--out", marked).code == 3
    assert marked.read_bytes().startswith(before)
    assert run(*argv, "--corpus", corpus, "--force").code == 0


def test_a_name_that_breaks_the_rows_of_qrels_is_told(run, docs, tmp_path):
    marked = lines(tmp_path / "g.jsonl", [item("a\tb"), item("c")])
    out = tmp_path / "beir"
    argv = ["golden", "export", marked, "--to", "beir", "--out", out, "--documents", docs]
    done = run(*argv, "--json")
    assert any("'a\\tb' has a tab" in problem for problem in done.json["problems"])
    rows = (out / "qrels" / "test.tsv").read_text().splitlines()
    assert rows[1:] == ["c\tdocs/gate.md\t1"]


def test_trec_questions_without_a_text_are_told_and_left_out(run, tmp_path):
    (tmp_path / "q.qrels").write_text("1 0 d 1\n2 0 d 1\n")
    rows = [{"_id": 1, "text": "When?"}, {"_id": "2"}, {"text": "Whose?"}]
    asked = lines(tmp_path / "queries.jsonl", rows)
    out = tmp_path / "new.jsonl"
    done = run(
        *("golden", "import", tmp_path / "q.qrels", "--from", "trec", "--questions", asked),
        *("--out", out, "--json"),
    )
    assert done.json["items"] == 1
    assert len(done.json["problems"]) == 3
    assert run("golden", "check", out).code == 0


def test_what_a_set_can_show_counts_the_questions_with_evidence(run, docs, tmp_path):
    rows = [item(f"a{n}") for n in range(3)]
    rows += [{"id": f"n{n}", "question": f"Cost {n}?", "answerable": False} for n in range(300)]
    marked = lines(tmp_path / "g.jsonl", rows)
    done = run("golden", "check", marked, "--documents", docs)
    assert "the 3 answerable can show nothing reliably" in done.out


def test_a_pool_says_which_pieces_lie_in_documents_that_are_not_given(run, docs, tmp_path):
    marked = lines(tmp_path / "g.jsonl", [item("q")])
    toml = tmp_path / "e.toml"
    toml.write_text(
        '[experiment]\nname = "e"\ngolden = "g.jsonl"\ndocuments = ["docs"]\ndepth = 2\nseed = 0\n'
        '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n[[arm]]\nname = "a"\n'
    )
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.md").write_text("# X\n\nNothing of it.\n")
    done = run(
        *("golden", "pool", marked, "--experiment", toml, "--documents", other),
        *("--out", tmp_path / "pool", "--json"),
    )
    assert done.json["passages"] == 0
    assert any("documents that are not given" in problem for problem in done.json["problems"])


def test_a_run_of_which_a_part_was_not_asked_passes_no_gate(run, tmp_path):
    whole, part = keep(tmp_path / "a", 20), keep(tmp_path / "b", 20, complete=False)
    for argv in ((part, "--against", whole), (whole, "--against", part)):
        done = run("gate", *argv, "--json")
        assert done.code == 2
        assert "not complete" in done.json["error"]["message"]


def test_a_gate_names_the_file_that_it_cannot_write(run, tmp_path):
    base = keep(tmp_path / "a", 20)
    for option in ("--junit", "--summary"):
        target = base / "run.json" / "x"
        done = run("gate", base, "--against", base, option, target, "--json")
        assert done.code == 3
        assert str(target) in done.json["error"]["message"]


def test_drift_compares_like_with_like_and_knows_its_metrics(run, tmp_path):
    base = keep(tmp_path / "a", 9)
    for change in ({"golden_sha256": "c3" * 32}, {"checker": "other"}):
        other = keep(tmp_path / next(iter(change)), 9, **change)
        assert run("drift", base, other, "--json").code == 2
    done = run("drift", base, "--metric", "complte@5", "--json")
    assert done.code == 2
    assert "complete@5" in done.json["error"]["hint"]
    assert run("drift", "--metric", "refusd", "--json").code == 2


def test_thresholds_are_not_tuned_where_refusing_everything_looks_best(run, docs, tmp_path):
    rows = [
        {"id": f"n{n}", "question": f"When does the gate open on day {n}?", "answerable": False}
        for n in range(20)
    ]
    marked = lines(tmp_path / "g.jsonl", rows)
    argv = ["tune", "thresholds", marked, "--documents", docs, *LEXICAL, "--json"]
    done = run(*argv)
    assert done.code == 2
    assert "none of them is answerable" in done.json["error"]["message"]
    assert run(*argv, "--cost", "nan").code == 2
