"""The command line from outside: documents on standard output, faults on standard error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'
TESTS = Path(__file__).parents[1]
COMMAND = [sys.executable, "-c", "from answerable.cli.main import main; main()"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(TESTS), "COLUMNS": "80"}


def spawn(*argv, **more):
    return subprocess.run(
        [*COMMAND, *map(str, argv)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=120,
        check=False,
        **more,
    )


@pytest.fixture
def made(bench):
    new = bench(
        {
            "a.md": "# Gate\n\nThe gate opens at 05:30.\n\n| k | v |\n|---|---|\n| key | 7 |\n",
            "b.txt": "good \xff bytes".encode("latin-1"),
            "broken.md": "---\ntitle: [x\n---\n\nwords of a page\n",
            "bad.bin": b"\x00\x01\x02",
            "empty.md": b"",
        },
        FAKE,
    )
    new.add()
    return new


def keys(value, *names):
    assert set(names) <= set(value), set(names) - set(value)


def test_search_hits_hold_what_the_contract_names(made):
    hits = made.cli("search", "gate opens", "--json").json["hits"]
    keys(
        hits[0],
        *("rank", "chunk_id", "document", "uri", "title", "score", "start", "end", "path"),
        *("text", "stages"),
    )
    assert {"lexical", "dense", "fused"} <= set(hits[0]["stages"])
    keys(hits[0]["stages"]["lexical"], "rank", "score")
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert len(made.cli("search", "gate words good", "-k", "1", "--json").json["hits"]) == 1


def test_a_trace_holds_what_the_contract_names(made):
    trace = made.cli(
        *("ask", "when opens the gate", "--json"),
        *("--set", "route.max_unknown=1", "--set", "route.min_similarity=0"),
        *("--set", "route.min_coverage=0", "--set", "route.need_value=false"),
    ).json
    keys(trace, "id", "answer", "route", "passages", "usage", "seconds")
    keys(trace["answer"], "text", "value", "refused", "reason", "sentences")
    keys(trace["route"], "name", "reason")
    assert trace["answer"]["refused"] is False
    sentence = trace["answer"]["sentences"][0]
    keys(sentence, "text", "verdict", "citations")
    citation = sentence["citations"][0]
    keys(citation, "document", "uri", "start", "end", "quote")
    assert "05:30" in citation["quote"]
    listed = made.cli("audit", "list", "--json").json["entries"]
    assert listed[0]["id"] == trace["id"]
    assert made.cli("audit", "show", trace["id"][:12], "--json").json["id"] == trace["id"]
    assert made.cli("audit", "verify", "--json").json["intact"] is True


def test_the_other_commands_hold_what_the_contract_names(made, run, tmp_path):
    report = made.cli("add", made.folder / "docs", "--json").json
    names = ("added", "changed", "unchanged", "removed", "skipped", "generation", "seconds")
    keys(report, *names)
    assert all(set(skipped) == {"uri", "reason"} for skipped in report["skipped"])
    keys(made.cli("sync", "--json").json, *names)
    keys(
        made.cli("status", "--json").json,
        *("documents", "chunks", "generation", "recipe", "sources", "stale"),
    )
    keys(made.cli("doctor", "--json").json["checks"][0], "name", "ok", "detail", "fix")
    found = run("cut", made.folder / "docs/a.md", "--json").json
    keys(found, "title", "text", "blocks", "chunks")
    keys(found["blocks"][0], "kind", "start", "end", "level", "path")
    keys(
        found["chunks"][0],
        *("id", "start", "end", "lead", "path", "kind", "words", "tokens"),
    )
    profile = run("profile", made.folder / "docs", "--json").json
    keys(
        profile,
        *("documents", "words", "tokens", "over_limit", "heading_coverage", "advice"),
    )
    keys(profile["words"], "p10", "p50", "p90", "max")
    init = run("init", tmp_path / "new", "--from", made.folder / "docs", "--json").json
    keys(init, "config", "reasons")
    assert init["reasons"]


def test_beir_holds_what_the_contract_names(run, tmp_path):
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "T", "text": "red pump"}\nnope\n'
    )
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "pump"}\n')
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    done = run("beir", tmp_path, "--json")
    assert done.code == 0, done.err
    keys(
        done.json,
        *("documents", "questions", "pieces", "ndcg@10", "recall@100", "held@10"),
        *("words_in_ten", "per_question"),
    )
    assert done.json["ndcg@10"] == 1.0
    keys(done.json["per_question"][0], "id", "ndcg@10", "recall@100", "held")


@pytest.mark.parametrize(
    "argv",
    [
        ("add", "{docs}", "--json"),
        ("search", "gate", "--json"),
        ("ask", "gate", "--json"),
        ("status", "--json"),
        ("doctor", "--json"),
    ],
)
def test_one_json_document_and_nothing_else_from_a_process(made, argv):
    done = spawn(*(word.format(docs=made.folder / "docs") for word in argv), "--kb", made.folder)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("argv", [("search", "gate"), ("ask", "gate", "--explain"), ("status",)])
def test_no_colour_codes_where_no_terminal_is(made, argv):
    done = spawn(*argv, "--kb", made.folder)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr


FAULTS = {
    "bad toml": ("[ingest\n", ("status",), 2, "answerable.toml"),
    "unknown table": ("[injest]\n", ("status",), 2, "injest"),
    "unknown key": ("[ask.search]\nk2 = 1\n", ("search", "x"), 2, "k2"),
    "wrong type": ('[ask.search]\nk1 = "high"\n', ("search", "x"), 2, "k1"),
    "out of range": ("[ask.search]\nb = 3\n", ("search", "x"), 2, "b = 3"),
    "unknown mode": ('[ask.search]\nmode = "magic"\n', ("search", "x"), 2, "magic"),
    "unknown cutter": ('[[ingest.cut]]\nby = "magic"\n', ("add", "{docs}"), 2, "magic"),
    "unknown option": (
        '[[ingest.cut]]\nby = "headings"\noptions = { magic = 1 }\n',
        ("add", "{docs}"),
        2,
        "magic",
    ),
    "unknown embedder": ('[ingest.embedder]\nname = "magic"\n', ("add", "{docs}"), 2, "magic"),
    "unknown module": (
        '[ingest.embedder]\nname = "no.such:Thing"\n',
        ("add", "{docs}"),
        2,
        "no.such",
    ),
    "cut is a table": ("[ingest.cut]\nsize = 3\n", ("add", "{docs}"), 2, "cut"),
    "cut of numbers": ("[ingest]\ncut = [1]\n", ("add", "{docs}"), 2, "cut"),
    "ingest is a number": ("ingest = 3\n", ("add", "{docs}"), 2, "ingest"),
    "settings is a number": ("settings = 3\n", ("status",), 2, "settings"),
    "settings of another kind": ("[settings]\ncache = 3\n", ("status",), 2, "cache"),
    "override of a half": (FAKE, ("search", "x", "--set", "search=3"), 2, "search"),
    "keep is a word": ('[settings]\nkeep = "x"\n', ("status",), 2, "keep"),
    "principals is a word": ('[settings]\nprincipals = "hr"\n', ("status",), 2, "principals"),
    "bad database": ('[settings]\ndatabase_url = "nonsense"\n', ("status",), 2, "nonsense"),
    "missing path": (FAKE, ("add", "/no/such/place"), 3, "/no/such/place"),
    "nothing indexed": (FAKE, ("search", "x"), 3, "nothing is indexed"),
    "no source": (FAKE, ("sync",), 3, "no source"),
    "bad override": (FAKE, ("search", "x", "--set", "k9=1"), 2, "k9"),
    "override without value": (FAKE, ("search", "x", "--set", "k1"), 2, "k1"),
    "no number of hits": (FAKE, ("search", "x", "-k", "0"), 2, "-k"),
    "no such trace": (FAKE, ("audit", "show", "feedbeef"), 3, "feedbeef"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_say_what_and_where_and_the_way_out(bench, name):
    toml, argv, code, named = FAULTS[name]
    new = bench({"a.md": "# A\n\nwords"}, toml)
    done = new.cli(*(word.format(docs=new.folder / "docs") for word in argv))
    assert done.code == code, done.err
    assert done.out == ""
    assert named in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("argv", "code", "named"),
    [
        (("status",), 3, "answerable init"),
        (("nonsense",), 2, "nonsense"),
        (("cut", "missing.md"), 3, "missing.md"),
        (("cut", "{file}", "--by", "magic"), 2, "magic"),
        (("cut", "{file}", "--size", "ten"), 2, "ten"),
        (("cut", "{binary}"), 3, "binary"),
        (("profile", "missing"), 3, "missing"),
        (("profile", "{empty}"), 0, ""),
        (("beir", "{empty}"), 3, "corpus"),
        (("init", "{file}"), 2, "file"),
        (("demo", "--nonsense"), 2, "nonsense"),
    ],
)
def test_faults_without_a_knowledge_base(run, tmp_path, monkeypatch, argv, code, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.md").write_text("# A\n\nwords")
    (tmp_path / "binary.md").write_bytes(b"\x00\x01\x02\x00\x00")
    (tmp_path / "empty").mkdir()
    places = {name: tmp_path / f"{name}.md" for name in ("file", "binary")}
    places["empty"] = tmp_path / "empty"
    done = run(*(word.format(**places) for word in argv))
    assert done.code == code, done.out + done.err
    assert named in done.err
    assert "Traceback" not in done.err


def test_an_empty_question_is_refused(made):
    for argv in (("ask", "  "), ("search", ""), ("ask", "\t\n", "--json")):
        done = made.cli(*argv)
        assert done.code == 2
        assert "--json" in argv or done.out == ""
        assert "empty" in done.err
        assert "  try: " in done.err


def test_damaged_files_are_named(made):
    index = made.folder / ".answerable" / "index"
    files = [p for p in sorted(index.rglob("*")) if p.is_file() and p.stat().st_size > 64]
    assert files
    for path in files:
        body = path.read_bytes()
        path.write_bytes(body[: len(body) // 2])
        doctor = made.cli("doctor", "--json")
        assert doctor.code == 3, path
        for verb in ("search", "ask", "status"):
            done = made.cli(verb, *(() if verb == "status" else ("gate",)))
            assert "Traceback" not in done.err
            assert done.code in (0, 3), (path, done.err)
        path.write_bytes(body)
    assert made.cli("doctor").code == 0


def test_a_damaged_database_is_named(made):
    home = made.folder / ".answerable"
    for aside in home.glob("answerable.db*"):
        aside.unlink()
    (home / "answerable.db").write_bytes(b"this is no database" * 100)
    for argv in (("status",), ("search", "gate"), ("ask", "gate"), ("add", made.folder / "docs")):
        done = made.cli(*argv, "--json")
        assert done.code == 3
        assert "damaged" in done.json["error"]["message"]
        assert "damaged" in done.err
        assert "  try: " in done.err
    assert made.cli("doctor").code == 3


def test_a_lost_database_is_named_and_mended_by_adding_again(made):
    for aside in (made.folder / ".answerable").glob("answerable.db*"):
        aside.unlink()
    done = made.cli("search", "gate")
    assert done.code == 3
    assert "Traceback" not in done.err
    assert made.cli("doctor").code == 3
    again = made.cli("add", made.folder / "docs", "--rebuild", "--json")
    assert again.code == 0, again.err
    assert made.cli("search", "gate").code == 0
    assert made.cli("doctor").code == 0


def test_a_closed_pipe_is_quiet(made):
    for index in range(60):
        made.write(f"many/{index}.md", f"gate {index} " + "x" * 1500)
    made.add()
    reader = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    done = subprocess.run(
        [*COMMAND, "search", "gate", "-k", "1000", "--json", "--kb", str(made.folder)],
        stdout=reader.stdin,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        text=True,
        check=False,
    )
    reader.stdin.close()
    reader.wait()
    assert done.stderr == ""


def test_square_brackets_in_names_and_texts_are_shown_as_they_are(bench):
    new = bench({"[bold]a[/x].md": "# [red]T[/nope]\n\nwords [link=x] here [/]"}, FAKE)
    new.add()
    for argv in (("search", "words"), ("ask", "words here", "--explain"), ("status",)):
        done = new.cli(*argv)
        assert done.code == 0, done.err
    assert "[bold]a[/x].md" in new.cli("search", "words").out


def test_a_configuration_in_another_encoding_is_named(bench):
    new = bench({"a.md": "words"})
    path = new.folder / "answerable.toml"
    path.write_bytes("# Größe\n".encode("latin-1"))
    done = new.cli("status")
    assert done.code == 2
    assert "UTF-8" in done.err
    path.write_bytes("\ufeff[ingest.embedder]\nname = ''\n[ask.search]\nmode = 'lexical'".encode())
    assert new.cli("status").code == 0
