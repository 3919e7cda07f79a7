"""Faults on the command line: what is named, what standard output holds, how a pipe ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'
COMMAND = [sys.executable, "-c", "from answerable.cli.main import main; main()"]


@pytest.fixture
def made(bench):
    new = bench(
        {
            "a.md": "---\nteam: night\n---\n# Gate\n\nThe gate opens at 05:30.\n",
            "b.md": "---\nsite: lab\n---\n# Dock\n\nThe dock gate is shut.\n",
        }
    )
    new.add()
    return new


@pytest.mark.parametrize("verb", ["search", "ask"])
def test_an_unknown_key_of_where_is_named_with_those_there_are(made, verb):
    done = made.cli(verb, "gate", "--where", "taem=night")
    assert done.code == 2
    assert "'taem'" in done.err
    assert "keys here: language, site, source, team, type, uri" in done.err
    assert made.cli(verb, "gate", "--where", "team=night").code == 0
    assert made.cli(verb, "gate", "--where", "uri=docs/a", "--where", "type=markdown").code == 0


def test_a_known_key_without_such_a_value_finds_nothing(made):
    assert made.cli("search", "gate", "--where", "team=day", "--json").json["hits"] == []


def test_keys_of_hidden_documents_are_not_told(bench):
    new = bench()
    lines = [
        {"id": "open", "text": "gate at five", "metadata": {"team": "night"}},
        {"id": "shut", "text": "gate at six", "metadata": {"salary": 7}, "access": ["hr"]},
    ]
    path = new.write("d.jsonl", "\n".join(map(json.dumps, lines)))
    assert new.cli("add", path).code == 0
    outside = new.cli("search", "gate", "--where", "salary=7", "--as", "guest")
    assert outside.code == 2
    assert "keys here: language, source, team, type, uri" in outside.err
    inside = new.cli("search", "gate", "--where", "salary=7", "--as", "hr", "--json")
    assert [hit["uri"] for hit in inside.json["hits"]] == ["d/shut"]


@pytest.mark.parametrize(
    ("argv", "kind", "code", "named", "hint"),
    [
        (("search", "  "), "UsageError", 2, "the question is empty", "at least one word"),
        (("search", "gate", "--where", "x=1"), "UsageError", 2, "'x'", "keys here"),
        (("search", "gate", "--where", "x"), "UsageError", 2, "no '='", ""),
        (("search", "gate", "-k", "0"), "UsageError", 2, "-k", "answerable search --help"),
        (("search", "gate", "--set", "k1=high"), "ConfigError", 2, "--set k1=high", "recipe.md"),
        (("nonsense",), "UsageError", 2, "nonsense", "answerable --help"),
        (("audit", "show", "feedbeef"), "NotFound", 3, "feedbeef", ""),
        (("add", "/no/such/place"), "NotFound", 3, "/no/such/place", "a file or a URI"),
        (("search", "gate", "--set", "cut.size=9"), "StaleIndex", 4, "ingest recipe", "rebuild"),
    ],
)
def test_with_json_a_fault_is_one_json_document(made, argv, kind, code, named, hint):
    done = made.cli(*argv, "--json")
    error = done.json["error"]
    assert done.json == {"error": error}
    assert set(error) == {"type", "message", "hint", "exit"}
    assert (error["type"], error["exit"], done.code) == (kind, code, code)
    assert named in error["message"]
    assert hint in error["hint"]
    assert named in done.err
    plain = made.cli(*argv)
    assert (plain.code, plain.out) == (code, "")


def test_a_question_of_the_name_asks_for_no_json(made):
    done = made.cli("search", "--where", "x=1", "--", "--json")
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize(
    ("overrides", "blamed"),
    [
        (["k1=high"], "--set k1=high: ask.search.k1 = 'high' is no number"),
        (["b=0.5", "search.k1=-1"], "--set search.k1=-1: ask.search.k1 = -1.0 is out of range"),
        (["search.mode=magic"], "--set search.mode=magic: ask.search.mode = 'magic'"),
        (["cut.size=x"], "--set cut.size=x: ingest.cut[0].size = 'x' is no whole number"),
        (["answer.by=magic"], "--set answer.by=magic: ask.answer.by = 'magic'"),
        (
            ["search.mode=hybrid"],
            "--set search.mode=hybrid: ask.search.mode = 'hybrid' needs vectors",
        ),
    ],
)
def test_a_wrong_override_is_laid_to_the_override(made, overrides, blamed):
    done = made.cli("search", "gate", *(w for o in overrides for w in ("--set", o)))
    assert done.code == 2
    assert f"error: {blamed}" in done.err
    assert "answerable.toml" not in done.err


def test_a_wrong_value_of_the_file_is_laid_to_the_file(made):
    made.configure("[ask.search]\nb = 3\n")
    done = made.cli("search", "gate", "--set", "k1=1")
    assert done.code == 2
    assert f"{made.folder / 'answerable.toml'}: ask.search.b = 3.0 is out of range" in done.err
    assert "--set" not in done.err


def test_an_answerer_that_is_none_is_named_with_those_there_are(made):
    made.configure('[ask.answer]\nby = "oracle"\n')
    done = made.cli("ask", "gate")
    assert done.code == 2
    assert "answerable.toml: ask.answer.by = 'oracle'" in done.err
    assert "'extract'" in done.err


def test_threads_among_the_embedders_options_lead_to_the_settings(bench):
    toml = '[ingest.embedder]\nname = "minilm"\noptions = { threads = 2 }\n'
    new = bench({"a.md": "# A\n\nwords"}, toml)
    done = new.cli("add", new.folder / "docs")
    assert done.code == 2
    assert "embedder 'minilm': threads = 2 does not belong into its options" in done.err
    assert "set settings.threads instead" in done.err


ENDINGS = [
    (("search", "gate", "-k", "1000"), 0),
    (("search", "gate", "-k", "1000", "--json"), 0),
    (("--help",), 0),
    (("search", "--help"), 0),
    (("search", "gate", "--where", "x=1", "--json"), 2),
]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("argv", "code"), ENDINGS)
def test_a_reader_that_goes_away_ends_the_command_quietly(made, argv, code, unbuffered):
    more = ("--kb", str(made.folder)) if "--help" not in argv else ()
    away, ours = os.pipe()
    os.close(away)
    done = subprocess.run(
        [*COMMAND, *argv, *more],
        stdout=ours,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONPATH": _TESTS},
    )
    os.close(ours)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
    assert (done.stderr == "") == (code == 0)


_TESTS = str(Path(__file__).parents[1])
