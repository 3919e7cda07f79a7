"""What the commands say in words: options, refusals, the trail, sources, the dense index."""

from __future__ import annotations

import json
from hashlib import sha256

import click
import pytest

from answerable.cli.main import COMMANDS, app

FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'


def commands(group, path):
    yield path, group
    if isinstance(group, click.Group):
        names = COMMANDS if group is app else group.commands
        for name in names:
            yield from commands(group.get_command(click.Context(group), name), f"{path} {name}")


def test_every_command_and_option_says_what_it_is():
    found = list(commands(app, "answerable"))
    assert len(found) > len(COMMANDS)
    options = [
        (path, option)
        for path, command in found
        for option in command.params
        if isinstance(option, click.Option)
    ]
    assert len(options) > 30
    assert [path for path, command in found if not command.help] == []
    assert [(path, option.opts) for path, option in options if not option.help] == []


def test_cut_of_a_folder_names_its_files_and_cuts_the_one_named(bench, run):
    new = bench({f"{name}.md": f"# {name}\n\nwords of {name}" for name in "abcdefg"})
    done = run("cut", new.folder / "docs")
    assert done.code == 2
    assert "holds 7 documents: a.md, b.md, c.md, d.md, e.md, ..." in done.err
    assert "--document a.md" in done.err
    one = run("cut", new.folder / "docs", "--document", "c.md", "--json")
    assert one.json["title"] == "c"
    none = run("cut", new.folder / "docs", "--document", "x.md")
    assert none.code == 3
    assert "'x.md'" in none.err
    assert "it holds: a.md" in none.err


def test_cut_takes_one_document_of_a_jsonl(bench, run):
    new = bench()
    rows = [{"id": f"d{n}", "text": f"words of number {n}"} for n in (1, 2)]
    path = new.write("two.jsonl", "\n".join(map(json.dumps, rows)))
    assert "holds 2 documents: d1, d2" in run("cut", path).err
    assert "number 2" in run("cut", path, "--document", "d2", "--json").json["text"]


def test_cut_of_a_folder_with_one_file_shows_it(bench, run):
    new = bench({"only.md": "# Only\n\nwords"})
    assert run("cut", new.folder / "docs", "--json").json["title"] == "Only"


def test_a_refusal_names_each_near_document_once(bench):
    text = "# Gate\n\n" + "\n\n".join(f"## Part {n}\n\nThe gate is here." for n in range(4))
    new = bench({"a.md": text, "b.md": "# Dock\n\nThe dock and a gate."})
    new.configure(new.toml + '[[ingest.cut]]\nsize = 12\nunit = "words"\n')
    new.add()
    asked = ("ask", "gate xylophone quux", "--set", "max_unknown=0.01")
    trace = new.cli(*asked, "--json").json
    assert trace["answer"]["refused"]
    shown = [passage["uri"] for passage in trace["passages"]]
    assert len(shown) > len(set(shown)) == 2
    line = next(line for line in new.cli(*asked).out.splitlines() if line.startswith("nearest"))
    assert sorted(line.removeprefix("nearest: ").split("; ")) == ["docs/a.md", "docs/b.md"]


def test_the_trail_shows_one_question_whole(bench):
    new = bench({"a.md": "# Gate\n\nThe gate opens at 05:30.\n"}, FAKE)
    new.add()
    trace = new.cli(
        *("ask", "when opens the gate", "--as", "night", "--json"),
        *("--set", "route.max_unknown=1", "--set", "route.min_similarity=0"),
        *("--set", "route.min_coverage=0", "--set", "route.need_value=false"),
    ).json
    shown = new.cli("audit", "show", trace["id"][:10]).out
    for line in (
        "question: when opens the gate",
        f"asked: {trace['at']} by night",
        f"route: answer: {trace['route']['reason']}",
        f"recipe: {trace['recipe_hash']}, generation 000001",
        f"seconds: search {trace['seconds']['search']:.3f}, show ",
        "The gate opens at 05:30. [1]",
        "[1] docs/a.md  Gate",
    ):
        assert line in shown, shown
    citation = trace["answer"]["sentences"][0]["citations"][0]
    place = f"docs/a.md {citation['start']}-{citation['end']}"
    assert f'{place}: "{citation["quote"]}"' in shown


def test_a_source_of_one_file_is_called_so(bench):
    new = bench({"a.md": "# A\n\nwords", "sub/b.md": "# B\n\nwords"})
    new.cli("add", new.folder / "docs" / "a.md", new.folder / "docs" / "sub")
    shown = new.cli("status").out
    assert "a (file)" in shown
    assert "sub (folder)" in shown
    kinds = {s["name"]: s["kind"] for s in new.cli("status", "--json").json["sources"]}
    assert kinds == {"a": "file", "sub": "folder"}
    assert new.cli("sync", "--json").json["unchanged"] == 2


def recall(bench):
    checks = bench.cli("doctor", "--json").json["checks"]
    return next(check for check in checks if check["name"] == "dense recall")


def test_doctor_measures_the_approximate_index_only(bench):
    # many pieces and one that is gone: the search picks rows, and of so many only near ones
    many = "\n\n".join(f"gate g{n // 50} lane l{n % 50}" for n in range(2100))
    new = bench({"many.txt": many, "gone.txt": "a dock"}, FAKE)
    new.configure(
        FAKE + '[[ingest.cut]]\nby = "paragraphs"\nsize = 4\nunit = "words"\nlead = "none"\n'
    )
    new.add()
    assert recall(new)["detail"] == "exact, nothing to measure"
    (new.folder / "docs" / "gone.txt").unlink()
    new.add()
    check = recall(new)
    assert check["ok"]
    assert check["detail"].startswith(("recall@10 0.9", "recall@10 1.0"))
    assert check["detail"].endswith("n = 50 stored vectors asked")


@pytest.mark.parametrize("change", [-1, 1])
def test_an_index_of_another_layout_is_stale_and_rebuilt(bench, change):
    new = bench({"a.md": "# A\n\nwords here"})
    new.add()
    index = new.folder / ".answerable" / "index"
    manifest = index / "generations" / "000001" / "manifest.json"
    plain = json.loads(manifest.read_bytes())
    there = plain["format"]
    data = json.dumps({**plain, "format": there + change}).encode()
    manifest.write_bytes(data)
    (index / "CURRENT").write_text(f"000001 {sha256(data).hexdigest()}\n")
    for argv in (("search", "words"), ("ask", "words"), ("status",), ("sync",)):
        done = new.cli(*argv)
        assert done.code == 4, argv
        assert f"has format {there + change}; this version reads format {there}" in done.err
        assert "sync --rebuild" in done.err
    assert new.cli("doctor").code == 3
    assert new.cli("sync", "--rebuild").code == 0
    assert new.uris("words") == ["a.md"]


def test_init_from_german_documents_writes_the_weight_with_its_reason(bench, run, tmp_path):
    new = bench(
        {
            f"{n}.md": f"# Urlaub {n}\n\nDer Antrag auf Urlaub muss spätestens zwei Wochen vor dem "
            "Beginn bei der Personalabteilung eingehen und von ihr bestätigt werden.\n"
            for n in range(3)
        }
    )
    made = run("init", tmp_path / "new", "--from", new.folder / "docs", "--json").json
    written = (tmp_path / "new" / "answerable.toml").read_text(encoding="utf-8")
    assert "weight = 0.2\n" in written
    reason = next(reason for reason in made["reasons"] if "'de'" in reason)
    assert f"#  - {reason}" in written
    assert run("search", "Urlaub", "--kb", tmp_path / "new").code == 3  # read, nothing indexed yet
