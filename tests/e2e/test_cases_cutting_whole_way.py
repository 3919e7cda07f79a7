"""Area D (cutting) and H05 through `cut --json`, `add` and `search`, and variants of each kind."""

from __future__ import annotations

import base64
import json
import os
import time

import pytest

CUTTERS = ("words", "tokens", "recursive", "paragraphs", "sentences", "headings", "pages")
LIMITLESS = ("paragraphs", "headings", "pages")


def texts(found):
    return [found["text"][c["start"] : c["end"]] for c in found["chunks"]]


def options(by, size, overlap=0, unit="characters", lead="none"):
    return ("--by", by, "--size", size, "--overlap", overlap, "--unit", unit, "--lead", lead)


@pytest.mark.data
@pytest.mark.parametrize("by", CUTTERS)
def test_d01_progress(run, read, cases, tmp_path, by):
    given = cases["D01"]["input"]["inline"]
    path = tmp_path / "a.txt"
    path.write_text(given["text"])
    for size, overlap in given["pairs"]:
        began = time.monotonic()
        done = run("cut", path, "--json", *options(by, size, overlap))
        assert time.monotonic() - began < 2
        if not 0 <= overlap < size and not (by in LIMITLESS and size == overlap == 0):
            assert done.code == 2
            assert str(size) in done.err
            assert str(overlap) in done.err
            continue
        assert done.code == 0, done.err
        chunks = done.json["chunks"]
        starts = [chunk["start"] for chunk in chunks]
        assert starts == sorted(set(starts))
        assert len(chunks) <= 200
        end = len(done.json["text"])
        assert [chunk["end"] for chunk in chunks].count(end) == 1
        if size:
            assert all(chunk["end"] - chunk["start"] <= size for chunk in chunks)


@pytest.mark.parametrize("by", CUTTERS)
@pytest.mark.parametrize("unit", ["words", "tokens", "characters"])
@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (2, 1), (10, 9)])
def test_d01_variants_small_windows_in_every_unit(read, by, unit, size, overlap):
    table = "| a | b |\n|---|---|\n| c | d |\n\n"
    text = f"# Head\n\none two three\n\n{table}```\nx = 1\n```\n- i\n  - j\n"
    found = read("a.md", text * 3, *options(by, size, overlap, unit))
    starts = [chunk["start"] for chunk in found["chunks"]]
    assert starts == sorted(set(starts))
    assert found["chunks"][-1]["end"] == len(found["text"])
    covered = set()
    for chunk in found["chunks"]:
        covered.update(range(chunk["start"], chunk["end"]))
    left = {at for at, char in enumerate(found["text"]) if at not in covered and char.isalnum()}
    assert left == set()


def test_d01_refused_in_the_configuration_too(bench):
    made = bench({"a.md": "# A\n\nwords"})
    made.configure(made.toml + "[[ingest.cut]]\nsize = 50\noverlap = 60\n")
    done = made.cli("add", made.folder / "docs")
    assert done.code == 2
    assert "50" in done.err
    assert "60" in done.err


@pytest.mark.data
@pytest.mark.parametrize("by", ["headings", "paragraphs", "recursive", "sentences", "pages"])
def test_d02_long_table(read, case_file, by):
    found = read(
        case_file("D02_long_table.md"), None, *options(by, 120, 0, "words", "title+headings")
    )
    rows = []
    for chunk, text in zip(found["chunks"], texts(found), strict=True):
        assert chunk["words"] <= 120
        whole = f"{chunk['lead']}\n{text}"
        if "| PX-" in whole:
            assert "Stock list" in whole
            table = [line for line in whole.split("\n") if line.startswith("|")]
            assert table[0] == "| Part | Stock | Bin | Note |"
            rows += [line[2:8] for line in table if line.startswith("| PX-")]
    assert len(found["chunks"]) > 1
    assert rows == [f"PX-{number:03}" for number in range(1, 25)]


def test_d02_variant_two_header_rows(read):
    body = "".join(f"<tr><td>R{n:02}</td><td>{n * 7}</td><td>{n},500</td></tr>" for n in range(60))
    page = (
        "<h1>Depots</h1><table><thead><tr><th rowspan=2>Row</th><th colspan=2>Load</th></tr><tr>"
        f"<th>kg</th><th>l</th></tr></thead><tbody>{body}</tbody></table>"
    )
    found = read("t.html", page, *options("headings", 60, 0, "words", "title+headings"))
    rows = []
    for chunk, text in zip(found["chunks"], texts(found), strict=True):
        whole = f"{chunk['lead']}\n{text}"
        assert chunk["words"] <= 60
        assert "Depots" in whole
        table = [line for line in whole.split("\n") if line.startswith("|")]
        assert "Load" in table[0]
        assert any("kg" in line for line in table[:3])
        rows += [line[2:5] for line in table if line.startswith("| R") and "Row" not in line]
    assert rows == [f"R{n:02}" for n in range(60)]


def test_d02_variant_csv_and_a_row_longer_than_the_limit(read):
    rows = "".join(f"K{n},{'word ' * (150 if n == 2 else 5)}\n" for n in range(6))
    found = read("t.csv", "Key,Text\n" + rows, *options("headings", 60, 0, "words", "none"))
    joined = "\n".join(
        f"{c['lead']}\n{t}" for c, t in zip(found["chunks"], texts(found), strict=True)
    )
    assert all(chunk["words"] <= 60 for chunk in found["chunks"])
    assert [joined.count(f"| K{n} |") >= 1 for n in range(6)] == [True] * 6
    assert sum(text.split().count("word") for text in texts(found)) == 5 * 5 + 150
    for chunk, text in zip(found["chunks"], texts(found), strict=True):
        assert "Key" in f"{chunk['lead']}\n{text}"


@pytest.mark.data
def test_d04_blobs(bench, cases, case_file):
    made = bench({"D04_blobs.md": case_file("D04_blobs.md").read_bytes()})
    began = time.monotonic()
    report = made.add()
    assert time.monotonic() - began < 10
    assert report.added == 1
    assert "D04_blobs.md" in made.uris("k259")
    assert "D04_blobs.md" in made.uris("Red valve photo")
    shown = made.cli("search", "blob photo valve", "--json").out
    for payload in next(c["value"] for c in cases["D04"]["checks"] if c["op"] == "contains_none"):
        assert payload not in shown


@pytest.mark.parametrize("by", CUTTERS)
def test_d04_variants(read, by):
    blob = base64.b64encode(os.urandom(9000)).decode()
    text = (
        f"# B\n\nstart <img src='data:image/png;base64,{blob}' alt='Blue pump'> end\n\n"
        f"![Green lid](data:image/webp;base64,{blob})\n\n[file](data:application/pdf;base64,{blob})"
        f"\n\n{'Donaudampf' * 400}\n\nhttps://example.org/{'p' * 3000}\n\nlast words\n"
    )
    found = read("a.md", text, *options(by, 200, 0, "tokens", "title+headings"))
    if by != "words":
        assert all(chunk["tokens"] <= 200 for chunk in found["chunks"])
    joined = "\n".join(texts(found))
    assert blob[:60] not in joined
    for words in ("Blue pump", "Green lid", "last words", "start"):
        assert words in joined
    assert joined.count("Donaudampf") >= 380


def test_d04_variant_a_megabyte_of_json_in_one_line(bench):
    big = json.dumps({f"k{n}": f"value {n}" for n in range(45_000)})
    assert len(big) > 1_000_000
    made = bench({"a.md": f"# J\n\n```json\n{big}\n```\n", "b.txt": big})
    began = time.monotonic()
    assert made.add().added == 2
    assert time.monotonic() - began < 20
    assert set(made.uris("k44999")) == {"a.md", "b.txt"}


@pytest.mark.data
@pytest.mark.parametrize("by", CUTTERS)
def test_d06_nothing_lost(read, cases, by):
    given = cases["D06"]["input"]["inline"]
    for number, text in enumerate(given["texts"]):
        found = read(f"{number}.txt", text, *options(by, 150))
        at = 0
        for chunk in found["chunks"]:
            assert not found["text"][at : chunk["start"]].strip()
            at = chunk["end"]
        assert not found["text"][at:].strip()
        joined = "".join(texts(found))
        assert "".join(joined.split()) == "".join(text.split())
        if number == 0:
            assert "B" * 100 in joined


@pytest.mark.parametrize("by", CUTTERS)
@pytest.mark.parametrize(
    "text",
    [
        "ก็" * 300 + "\n\n" + "水泵每三个月检查一次。" * 40,
        "a\u00a0b\u2003c\u3000d " * 90,
        "One.Two.Three." * 60 + "\n" + "x" * 149 + " " + "y" * 151 + " " + "z" * 150,
        "“Quoted?” he said… ‘Yes!’ " * 40,
    ],
)
def test_d06_variants(read, by, text):
    found = read("a.txt", text, *options(by, 150))
    joined = "".join(texts(found))
    assert "".join(joined.split()) == "".join(text.split())
    assert all(chunk["end"] - chunk["start"] <= 150 for chunk in found["chunks"])


@pytest.mark.data
def test_d08_special_tokens(bench, read, case_file):
    path = case_file("D08_special_tokens.md")
    found = read(path)
    joined = "\n".join(texts(found))
    for words in ("<|endoftext|>", "the printer says GREEN", "<|im_start|>system"):
        assert words in joined
    made = bench({path.name: path.read_bytes()}, "")
    report = made.add()
    assert report.embedded == report.added == 1
    assert made.uris("what is printed after the end mark?") == [path.name]


@pytest.mark.parametrize(
    "mark", ["[CLS]", "[SEP] [PAD] [UNK] [MASK]", "<s></s><unk>", "<|eot_id|>", "##ing ▁the Ġa"]
)
def test_d08_variants(bench, read, mark):
    text = f"# Notes\n\nThe log shows {mark} and then the lamp turns VIOLET.\n"
    bare = read("bare.md", text.replace(mark, ""))["chunks"][0]["tokens"]
    found = read("a.md", text)
    assert found["chunks"][0]["tokens"] - bare > len(mark.split())
    made = bench({"a.md": text}, "")
    assert made.add().embedded == 1
    assert made.uris("which lamp colour?") == ["a.md"]


@pytest.mark.data
def test_h05_long_pieces_are_read_to_the_end(bench, case_file):
    path = case_file("H05_long_chunk.md")
    made = bench(
        {
            path.name: path.read_bytes(),
            "b.md": "The canteen serves soup on Tuesdays.",
            "c.md": "Invoices are archived for ten years.",
            "d.md": "The bus to the harbour leaves every hour.",
            "e.md": "The warehouse opens at seven.",
        },
        '[[ingest.cut]]\nby = "whole"\nsize = 0\n',
    )
    report = made.add()
    question = "what colour must the emergency lever have?"
    assert path.name in made.uris(question, stage="dense")[:3]
    assert made.cli("status", "--json").json["over_limit"] == 1
    over = [note for note in report.notes if "limit" in note.reason]
    assert [note.uri for note in over] == [f"docs/{path.name}"]


def test_h05_variant_head_only_is_named_by_doctor(bench):
    made = bench(
        {"a.md": "alpha " * 40, "b.md": "short"},
        '[[ingest.cut]]\nby = "whole"\nsize = 0\n[ingest.embedder]\nname = "fakes:HashEmbedder"\n'
        'long = "head"\n',
    )
    report = made.add()
    assert any("limit" in note.reason and "25 tokens" in note.reason for note in report.notes)
    done = made.cli("doctor", "--json")
    assert done.code == 3
    (check,) = [c for c in done.json["checks"] if not c["ok"]]
    assert check["name"] == "pieces over the limit"
