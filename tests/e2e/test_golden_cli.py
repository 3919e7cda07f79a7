"""`golden` from outside: check, anchor, import and export, pool, label, agreement, grade."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from answerable.adapters.formats import golden
from answerable.records.docs import Span
from answerable.records.evals import Evidence

GATE = """# Gate

The gate opens at 05:30 on every working day.

In winter the gate shuts at 22:00 sharp.

The gate was painted green by the yard team.
"""
PUMP = "# Pump\n\nThe pump is checked every three months by the shift leader.\n"
ROWS = [
    {
        "id": "open",
        "question": "When does the gate open?",
        "evidence": [{"document": "gate.md", "quote": "The gate opens at 05:30"}],
        "answers": ["05:30"],
    },
    {
        "id": "pump",
        "question": "Who checks the pump?",
        "evidence": [{"document": "pump.md", "quote": "checked every three months by the shift"}],
        "alternatives": [[{"document": "pump.md"}]],
    },
    {"id": "price", "question": "What does the gate cost?", "answerable": False, "group": "test"},
]


def lines(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "gate.md").write_text(GATE, encoding="utf-8")
    (folder / "pump.md").write_text(PUMP, encoding="utf-8")
    return folder


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    return lines(tmp_path / "golden.jsonl", ROWS)


def test_check_of_a_good_set(run, docs: Path, marked: Path) -> None:
    done = run("golden", "check", marked, "--documents", docs, "--json")
    assert done.code == 0, done.err
    assert (done.json["items"], done.json["answerable"], done.json["problems"]) == (3, 2, [])
    assert done.json["groups"] == {"test": 1}
    assert done.json["documents_checked"] is True
    assert done.json["detects"] == [
        {"moved": 0.1, "difference": None},
        {"moved": 0.2, "difference": None},
    ]


def test_check_in_a_knowledge_base(bench) -> None:
    made = bench({"gate.md": GATE, "pump.md": PUMP})
    made.add()
    path = lines(made.folder / "golden.jsonl", ROWS)
    assert made.cli("golden", "check", path, "--json").json["documents_checked"] is True
    made.configure(made.toml + '[[ingest.cut]]\nby = "words"\nsize = 7\n')
    assert made.cli("search", "gate").code == 4  # the index is stale, its documents are not
    assert made.cli("golden", "check", path).code == 0


def test_check_of_a_bad_set_ends_with_3_and_says_why(run, docs: Path, tmp_path: Path) -> None:
    rows = [
        *ROWS,
        {"id": "x", "question": "X?", "evidence": [{"document": "gate.md", "quote": "at 06:00"}]},
        {"id": "y", "question": "When does the gate open", "group": "train", "answerable": True}
        | {"evidence": [{"document": "none.md", "quote": "at"}]},
        {"id": "z", "question": "Z?", "answerable": False}
        | {"evidence": [{"document": "gate.md", "quote": "at 22:00"}]},
        {"id": "w", "question": "what does the gate cost", "answerable": False, "group": "train"},
    ]
    bad = lines(tmp_path / "bad.jsonl", rows)
    done = run("golden", "check", bad, "--documents", docs, "--json")
    assert done.code == 3
    found = {(p["level"], p["kind"], p["item"]) for p in done.json["problems"]}
    assert found == {
        ("error", "unreadable", ""),
        ("error", "quote", "x"),
        ("error", "document", "y"),
        ("warning", "duplicate", "y"),
        ("warning", "duplicate", "w"),
        ("error", "leak", "w"),
    }
    said = run("golden", "check", bad, "--documents", docs)
    assert said.code == 3
    assert "x: the quote is not in docs/gate.md: at 06:00" in said.out
    assert "bad.jsonl:6: item 'z' is not answerable and yet has evidence" in said.out


def test_check_without_documents_says_so(run, marked: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("golden", "check", marked)
    assert done.code == 0 and "the documents were not looked into" in done.err
    assert run("golden", "check", marked, "--kb", tmp_path / "none").code == 3


def test_check_apart_from_another_set(run, marked: Path, tmp_path: Path) -> None:
    other = lines(tmp_path / "train.jsonl", [{**ROWS[0], "id": "o"}])
    done = run("golden", "check", marked, "--apart-from", other, "--json", "--kb", ".")
    assert done.code == 3
    assert [(p["kind"], p["item"]) for p in done.json["problems"]] == [("leak", "open")] * 2


def test_anchor_after_an_edit(run, docs: Path, marked: Path) -> None:
    before = marked.read_text()
    (docs / "gate.md").write_text(GATE.replace("05:30", "06:15"), encoding="utf-8")
    pump = PUMP.replace("three months by the shift", "three months by the on-duty shift")
    (docs / "pump.md").write_text(pump, encoding="utf-8")
    dry = run("golden", "anchor", marked, "--documents", docs, "--json")
    assert dry.code == 0 and marked.read_text() == before
    kept = {key: dry.json[key] for key in ("items", "kept", "moved", "quarantined", "written")}
    assert kept == {"items": 3, "kept": 1, "moved": 1, "quarantined": 1, "written": False}
    assert [(p["state"], p["item"]) for p in dry.json["problems"]] == [
        ("quarantined", "open"),
        ("moved", "pump"),
    ]

    said = run("golden", "anchor", marked, "--documents", docs, "--write")
    assert said.code == 0
    assert "quarantined: open: docs/gate.md was reworded and no longer says '05:30'" in said.out
    left = golden.read(marked)[0].items
    assert [item.id for item in left] == ["pump", "price"]
    assert left[0].evidence == (
        Evidence("pump.md", "checked every three months by the on-duty shift"),
    )
    away = marked.with_name("golden.jsonl.quarantine.jsonl")
    (row,) = map(json.loads, away.read_text().splitlines())
    assert row["item"]["evidence"] == ROWS[0]["evidence"] and "06:15" in row["reason"]
    assert run("golden", "check", marked, "--documents", docs).code == 0

    (docs / "pump.md").unlink()
    assert run("golden", "anchor", marked, "--documents", docs, "--write").code == 0
    assert [json.loads(r)["item"]["id"] for r in away.read_text().splitlines()] == ["open", "pump"]


def test_anchor_leaves_lines_that_do_not_change_to_the_byte(run, docs: Path, tmp_path) -> None:
    odd = b'\xef\xbb\xbf{"question":"When does it open\\u003f" ,  "id": 7, "answerable": true,'
    odd += b' "evidence":[{"quote":"The gate opens","document":"gate.md"}]}\r\n'
    foreign = b'{"id": "n", "question": "caf\xe9?", "answerable": false, "tags": [ ]}\r\n'
    moved = b'{"answers": ["shift"], "question": "Who?", "id": 5,'
    moved += b' "evidence": [{"document": "pump.md", "quote": "every three months by the shift"}]}'
    marked = tmp_path / "golden.jsonl"
    marked.write_bytes(odd + b"\r\n" + foreign + moved + b"\r\n")
    argv = ("golden", "anchor", marked, "--documents", docs, "--write")
    assert run(*argv).code == 0
    assert marked.read_bytes() == odd + b"\r\n" + foreign + moved + b"\r\n"
    pump = PUMP.replace("three months by the shift", "three months by the on-duty shift")
    (docs / "pump.md").write_text(pump, encoding="utf-8")
    assert run(*argv).code == 0
    now = moved.replace(b"by the shift", b"by the on-duty shift")
    assert marked.read_bytes() == odd + b"\r\n" + foreign + now + b"\r\n"


def test_anchor_never_empties_a_set(run, marked: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.md").write_text("nothing of it", encoding="utf-8")
    lines(marked, ROWS[:1])
    done = run("golden", "anchor", marked, "--documents", other, "--write")
    assert done.code == 3 and "are these the right documents?" in done.err
    assert golden.read(marked)[0].items[0].id == "open"


def test_anchor_will_not_drop_lines_it_cannot_read(run, docs: Path, marked: Path) -> None:
    with marked.open("a") as file:
        file.write("{\n")
    assert run("golden", "anchor", marked, "--documents", docs, "--write").code == 3
    assert marked.read_text().endswith("{\n")


def located(docs: Path, item: str) -> tuple[Evidence, ...]:
    span = {"open": (8, 31), "pump": (20, 59)}[item]
    text = (docs / f"{'gate' if item == 'open' else 'pump'}.md").read_text()
    quote = text[slice(*span)]
    name = "docs/gate.md" if item == "open" else "docs/pump.md"
    return (Evidence(name, quote, Span(*span)),)


@pytest.mark.parametrize("kind", ["beir", "spans"])
def test_export_and_import_of_folders(run, docs: Path, tmp_path: Path, kind: str) -> None:
    rows = [ROWS[0], {**ROWS[1], "alternatives": []}, ROWS[2]]
    marked = lines(tmp_path / "golden.jsonl", rows)
    folder, back = tmp_path / "there", tmp_path / "back.jsonl"
    out = run("golden", "export", marked, "--to", kind, "--out", folder, "--documents", docs)
    assert out.code == 0, out.err
    assert (folder / "corpus.jsonl").is_file() == (kind == "beir")
    done = run("golden", "import", folder, "--from", kind, "--out", back, "--json")
    assert (done.code, done.json["items"], done.json["problems"]) == (0, 3, [])
    items = {item.id: item for item in golden.read(back)[0].items}
    assert items["open"].evidence == located(docs, "open")
    assert items["open"].answers == ("05:30",)
    assert items["pump"].evidence == located(docs, "pump")
    assert (items["price"].answerable, items["price"].group) == (False, "test")
    if kind == "beir":
        assert run("golden", "check", folder).code == 0
        assert run("beir", folder, "--json").json["held@10"] == 1.0


def test_export_of_quotes_needs_documents(run, marked: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("golden", "export", marked, "--to", "spans", "--out", tmp_path / "there")
    assert done.code == 2 and "2 items have quotes without spans, the first 'open'" in done.err


def test_export_and_import_of_trec(run, marked: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": "a 1", "question": "Why\tso?", "evidence": [{"document": "x y.md", "grade": 3}]},
        {
            "id": "b",
            "question": "And?",
            "evidence": [{"document": "z.md"}],
            "judged": [{"document": "n.md", "grade": 0}],
        },
        {"id": "c", "question": "None?", "answerable": False},
    ]
    lines(marked, rows)
    out = run("golden", "export", marked, "--to", "trec", "--out", "t", "--json")
    assert out.json["problems"] == ["c: not answerable, which TREC cannot say"]
    assert Path("t/qrels.trec").read_text() == "a%201 0 x%20y.md 3\nb 0 z.md 1\nb 0 n.md 0\n"
    back = ("golden", "import", "t/qrels.trec", "--from", "trec", "--out", "back.jsonl")
    assert run(*back).code == 2
    assert run(*back, "--questions", "t/topics.tsv").code == 0
    one, two = golden.read(Path("back.jsonl"))[0].items
    assert (one.id, one.question) == ("a 1", "Why so?")
    assert one.evidence == (Evidence("x y.md", grade=3),)
    assert (two.evidence, two.judged) == ((Evidence("z.md"),), (Evidence("n.md", grade=0),))
    assert run(*back, "--questions", "t/topics.tsv").code == 2  # it is there already
    assert run(*back, "--questions", "t/topics.tsv", "--force").code == 0


def test_export_and_import_of_ragas(run, docs: Path, marked: Path, tmp_path: Path) -> None:
    there, back = tmp_path / "t.jsonl", tmp_path / "back.jsonl"
    out = run("golden", "export", marked, "--to", "ragas", "--out", there, "--json")
    assert out.json["problems"] == ["pump: only the first way of answering is written"]
    bare = [json.loads(row) for row in there.read_text().splitlines()]
    for row in bare:
        del row["reference_context_ids"]
    lines(there, bare)
    words = ("golden", "import", there, "--from", "ragas", "--out", back, "--documents", docs)
    assert run(*words).code == 0
    items = golden.read(back)[0].items
    assert items[0].evidence == located(docs, "open") and items[0].answers == ("05:30",)
    assert items[2].answerable is False


def test_import_of_squad_with_its_articles(run, tmp_path: Path) -> None:
    qas = [
        {"id": "a", "question": "When?", "answers": [{"text": "in 1973", "answer_start": 9}]},
        {"id": "b", "question": "Who?", "answers": [], "is_impossible": True},
    ]
    body = {
        "data": [{"title": "A b", "paragraphs": [{"context": "It began in 1973.", "qas": qas}]}]
    }
    (tmp_path / "s.json").write_text(json.dumps(body), encoding="utf-8")
    out, corpus = tmp_path / "g.jsonl", tmp_path / "corpus.jsonl"
    words = ("golden", "import", tmp_path / "s.json", "--from", "squad", "--out", out)
    assert run(*words, "--corpus", corpus).code == 0
    assert json.loads(corpus.read_text()) == {
        "_id": "A_b",
        "title": "A b",
        "text": "It began in 1973.",
    }
    assert golden.read(out)[0].items[0].evidence == (Evidence("A_b", "in 1973", Span(9, 16)),)


EXPERIMENT = """
[experiment]
name = "two"
golden = "golden.jsonl"
documents = "docs"

[ask.search]
mode = "lexical"

[[arm]]
name = "large"
like = "whole"

[[arm]]
name = "small"
cut = [{ by = "sentences", size = 12, unit = "words", lead = "none" }]
"""


@pytest.fixture
def pooled(run, docs: Path, marked: Path, tmp_path: Path) -> Path:
    (tmp_path / "two.toml").write_text(EXPERIMENT, encoding="utf-8")
    pool = tmp_path / "pool.jsonl"
    words = ("golden", "pool", marked, "--experiment", tmp_path / "two.toml", "--out", pool)
    done = run(*words, "--documents", docs, "--seed", "3", "--json")
    assert done.code == 0, done.err
    assert (done.json["arms"], done.json["problems"]) == (2, [])
    assert done.json["passages"] == len(pool.read_text().splitlines())
    assert run(*words, "--documents", docs).code == 2  # labels may stand on it
    return pool


def rows_of(path: Path) -> list[dict]:
    return [json.loads(row) for row in path.read_text().splitlines()]


def test_a_pool_says_nothing_of_arms(pooled: Path) -> None:
    rows = rows_of(pooled)
    for row in rows:
        assert set(row) == {
            *("id", "item", "question", "document", "title", "start", "end", "text")
        }
    assert "large" not in pooled.read_text() and "small" not in pooled.read_text()
    # The sentence with the evidence is judged already; the other one of the gate is not.
    assert ("open", "In winter the gate shuts at 22:00 sharp.") in {
        (r["item"], r["text"]) for r in rows
    }
    assert not any("05:30" in r["text"] for r in rows if r["item"] == "open")


def test_one_arm_of_an_experiment(run, docs: Path, marked: Path, pooled: Path) -> None:
    words = ("golden", "pool", marked, "--experiment", pooled.with_name("two.toml"))
    more = ("--documents", docs, "--out", pooled.with_name("p2.jsonl"), "--json")
    assert run(*words, "--arm", "large", *more).json["arms"] == 1
    done = run(*words, "--arm", "none", *more)
    assert done.code == 2 and "one of: large, small" in done.err
    none = run("golden", "pool", marked, "--documents", docs, "--out", "x")
    assert none.code == 2 and "no arm is named" in none.err


def test_runs_pool_as_the_arms_they_were(run, docs: Path, marked: Path, pooled: Path) -> None:
    toml = pooled.with_name("two.toml")
    assert run("freeze", toml).code == 0
    done = run("run", toml, "--json")
    assert done.code == 0, done.err
    folders = [word for one in done.json["runs"] for word in ("--run", toml.parent / one["dir"])]
    assert len(folders) == 4
    again = pooled.with_name("again.jsonl")
    words = ("golden", "pool", marked, *folders, "--documents", docs, "--seed", "3")
    told = run(*words, "--out", again, "--json")
    assert told.code == 0, told.err
    assert told.json["problems"] == []
    assert again.read_text() == pooled.read_text()

    lines(marked, [{**ROWS[0], "question": "When is it open?"}, *ROWS[1:]])
    told = run(*words, "--out", pooled.with_name("third.jsonl"), "--json")
    assert [p.partition(": ")[2] for p in told.json["problems"]] == [
        "item 'open' was asked in other words"
    ] * 2


def test_labels_are_kept_one_by_one_and_taken_up_again(
    run, pooled: Path, tmp_path: Path, monkeypatch
) -> None:
    rows = rows_of(pooled)
    words = ("golden", "label", pooled, "--labeller", "ann")
    first = spawn(*words, input="9\n2\nq\n")
    assert first.returncode == 0, first.stderr
    assert rows[0]["question"] in first.stdout and rows[0]["text"].split()[0] in first.stdout
    assert "'9' is none of 0 1 2 3 s b q" in first.stdout and "1 grades kept" in first.stdout
    labels = tmp_path / "pool.labels.jsonl"
    with labels.open("a") as file:
        file.write('{"id": "cut off by a cra')
    rest = "1\nb\n" + "0\n" * (len(rows) - 1)
    monkeypatch.setattr(sys, "stdin", io.StringIO(rest))
    second = run(*words)
    assert f"2 of {len(rows)}" in second.out
    assert f"{len(rows)} grades kept" in second.out  # one of them twice
    assert "not JSON" in second.err
    kept = {}
    for row in labels.read_text().splitlines():
        if row.endswith("}"):
            label = json.loads(row)
            assert label["labeller"] == "ann" and label["at"].startswith("20")
            kept[label["id"]] = label["grade"]
    assert kept == {row["id"]: 2 if at == 0 else 0 for at, row in enumerate(rows)}
    assert f"ann has graded all {len(rows)} passages" in run(*words).out


def label(pool: Path, labeller: str, grades: list[int]) -> None:
    with (pool.with_name("pool.labels.jsonl")).open("a") as file:
        for row, grade in zip(rows_of(pool), grades, strict=True):
            file.write(json.dumps({"id": row["id"], "labeller": labeller, "grade": grade}) + "\n")


def test_agreement_of_labellers(run, pooled: Path) -> None:
    count = len(rows_of(pooled))
    assert "no two labellers" in run("golden", "agreement", pooled).out
    label(pooled, "ann", [0, 3, *[0] * (count - 2)])
    label(pooled, "bob", [0, 3, *[0] * (count - 2)])
    done = run("golden", "agreement", pooled, "--json").json
    assert done["labellers"] == {"ann": count, "bob": count}
    assert done["pairs"] == [
        {
            "first": "ann",
            "second": "bob",
            "n": count,
            "same": 1.0,
            "kappa": 1.0,
            "weighted": 1.0,
            "why": "",
        }
    ]
    assert f"{count} passages, 100% equal, kappa 1.000" in run("golden", "agreement", pooled).out


def test_labels_become_evidence(run, docs: Path, marked: Path, pooled: Path) -> None:
    rows = rows_of(pooled)
    label(pooled, "ann", [3 if row["item"] == "open" else 1 for row in rows])
    new = pooled.with_name("new.jsonl")
    done = run("golden", "grade", marked, pooled, "--out", new, "--json")
    assert done.code == 0 and done.json["passages"] == len(rows)
    items = {item.id: item for item in golden.read(new)[0].items}
    mine = [row for row in rows if row["item"] == "open"]
    assert items["open"].evidence == (Evidence("gate.md", "The gate opens at 05:30"),)
    assert items["open"].alternatives == tuple(
        (Evidence("docs/gate.md", row["text"], Span(row["start"], row["end"]), 3),) for row in mine
    )
    assert {one.grade for one in items["price"].judged} == {1}
    assert run("golden", "check", new, "--documents", docs).code == 0

    label(pooled, "bob", [3] * len(rows))
    done = run("golden", "grade", marked, pooled, "--out", new, "--json")
    apart = [p for p in done.json["problems"] if "labellers differ by 2 or more" in p]
    assert len(apart) == len(rows) - len(mine)
    assert "(ann 1, bob 3)" in apart[0]
    one = run("golden", "grade", marked, pooled, "--out", new, "--labeller", "bob", "--json")
    assert one.json["problems"] == ["price: it is marked not answerable, and a passage is graded 3"]
    assert run("golden", "grade", marked, pooled, "--out", new, "--labeller", "x").code == 2


def spawn(*argv: object, input: str = "") -> subprocess.CompletedProcess[str]:
    code = "from answerable.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, argv)],
        capture_output=True,
        text=True,
        input=input,
        env={**os.environ, "COLUMNS": "80"},
        timeout=120,
        check=False,
    )
