"""H01, H07, L01, M02 and M07 through the whole system, and variants of each kind."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'


def model(**options):
    pairs = ", ".join(f"{key} = {json.dumps(value)}" for key, value in options.items())
    return f"{FAKE}options = {{ {pairs} }}\n"


def test_h01_a_piece_without_a_vector_takes_no_place(bench):
    made = bench({"a.md": "red valve", "b.md": "…", "c.md": "blue pump"}, FAKE)
    made.configure(FAKE + '[[ingest.cut]]\nlead = "none"\n')
    made.add()
    done = made.cli("search", "red valve", "--mode", "dense", "--json")
    assert "NaN" not in done.out
    assert done.json["hits"][0]["uri"] == "docs/a.md"
    empty = made.cli("search", "red valve", "--set", "search.depth=1", "--json").json["hits"]
    assert empty[0]["uri"] == "docs/a.md"


@pytest.mark.parametrize(
    "switched",
    [
        {"name": "stub-b", "revision": "1", "dimensions": 8},
        {"name": "stub-b", "revision": "1", "dimensions": 6},
        {"name": "stub-a", "revision": "2", "dimensions": 8},
        {"name": "stub-a", "revision": "1", "dimensions": 8, "query_prefix": "query: "},
    ],
    ids=["width", "narrower", "revision", "prefix"],
)
def test_h07_another_model_on_an_old_index(bench, switched):
    first = {"name": "stub-a", "revision": "1", "dimensions": 8}
    made = bench({"1.md": "red valve", "2.md": "blue pump", "3.md": "green lid"}, model(**first))
    assert made.add().embedded == 3
    made.configure(model(**switched))
    unchanged = made.cli("add", made.folder / "docs", "--json")
    made.write("4.md", "grey seal")
    for done in (
        unchanged,
        made.cli("add", made.folder / "docs", "--json"),
        made.cli("search", "valve", "--json"),
        made.cli("ask", "valve", "--json"),
        made.cli("sync", "--json"),
    ):
        assert done.code == 4
        assert done.json["error"]["type"] == "StaleIndex"
        assert "mismatch" in done.err
        assert "sync --rebuild" in done.err
        old, new = (f'"{key}"' for key in ("stub-a", switched["name"]))
        assert old in done.err
        assert new in done.err
    status = made.cli("status", "--json").json
    assert status["stale"] is True
    assert status["documents"] == 3
    healed = made.cli("sync", "--rebuild", "--json")
    assert healed.code == 0, healed.err
    assert healed.json["embedded"] == 4
    assert made.uris("grey seal")[0] == "4.md"
    assert made.cli("status", "--json").json["stale"] is False
    assert made.cli("doctor", "--json").code == 0


def test_h07_variants_other_parts_of_the_recipe(bench):
    made = bench({"1.md": "# A\n\nred valve"}, FAKE)
    made.add()
    for toml in (
        FAKE + "[[ingest.cut]]\nsize = 50\n",
        FAKE + "[ingest.analyzer]\noptions = { stem = false }\n",
        FAKE + 'long = "head"\n',
    ):
        made.configure(toml)
        done = made.cli("search", "valve")
        assert done.code == 4
        assert "recipe" in done.err
        assert made.cli("add", made.folder / "docs").code == 4
    made.configure(FAKE + "[ask.search]\nk1 = 0.9\n")
    assert made.cli("search", "valve").code == 0


@pytest.mark.data
def test_l01_a_timeline(bench, case_file):
    steps = json.loads(case_file("L01_timeline.json").read_text(encoding="utf-8"))
    made = bench(toml=FAKE)
    path = made.folder / "wiki.jsonl"

    def ingest(step):
        lines = [
            {
                "_id": f"{page['id']}.xhtml",
                "title": page["title"],
                "text": page["body"],
                "media_type": "application/x-confluence-storage",
            }
            for page in steps[step - 1]["pages"]
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return made.base.add(str(path))

    def found(word):
        base = made.base
        hits, chunks, documents = base.search(word)
        return sorted(
            {
                documents[chunks[hit.chunk_id].document_id].uri
                for ranking in hits.rankings.values()
                for hit in ranking
                if word in text_of(chunks[hit.chunk_id], documents)
            }
        )

    def text_of(chunk, documents):
        text = documents[chunk.document_id].text
        return text[chunk.span.start : chunk.span.end]

    assert ingest(1).added == 3
    assert [found(w) for w in ("bravo", "charlie", "gate", "lamp")] == [
        ["wiki/81.xhtml"],
        ["wiki/81.xhtml"],
        ["wiki/82.xhtml"],
        ["wiki/83.xhtml"],
    ]
    second = ingest(2)
    assert (second.changed, second.removed) == (2, 1)
    assert [found(w) for w in ("bravo", "charlie", "gate", "lamp")] == [
        [],
        [],
        [],
        ["wiki/83.xhtml"],
    ]
    hit = made.cli("search", "lamp", "--json").json["hits"][0]
    assert hit["title"] == "Lamp list"
    fourth = ingest(4)
    assert (fourth.embedded, fourth.parsed, fourth.changed, fourth.added) == (0, 0, 0, 0)
    status = made.cli("status", "--json").json
    assert status["documents"] == 2
    assert status["chunks"] == 2


def test_l01_variant_a_folder_that_cannot_be_listed_removes_nothing(bench):
    made = bench({"a.md": "alpha", "sub/b.md": "bravo"}, FAKE)
    made.add()
    moved = made.folder / "elsewhere"
    (made.folder / "docs").rename(moved)
    done = made.cli("sync", "--json")
    assert done.code == 3
    assert done.json["error"]["type"] == "NotFound"
    assert made.uris("bravo")[0] == "sub/b.md"
    moved.rename(made.folder / "docs")
    assert made.cli("sync", "--json").json["unchanged"] == 2


LIMITED = """
import resource, socket, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
def refuse(*given, **named):
    print("NETWORK", given, file=sys.stderr)
    raise OSError("no network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from answerable.cli.main import main
try:
    main(sys.argv[1:])
finally:
    try:  # what getrusage says is at least what the process had that began this one
        with open("/proc/self/status") as status:
            peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("RSS", peak, file=sys.stderr)
"""

BOMBS = {
    "quadratic.xhtml": '<!DOCTYPE p [<!ENTITY a "'
    + "x" * 50_000
    + '">]><p>'
    + "&a;" * 50_000
    + "</p>",
    "parameter.xhtml": '<!DOCTYPE p [<!ENTITY % f SYSTEM "canary.txt"><!ENTITY % g "<!ENTITY h '
    "SYSTEM 'canary.txt'>\">%f;%g;]><p>left &h; right</p>",
    "dtd.xhtml": '<!DOCTYPE p SYSTEM "http://203.0.113.9/x.dtd"><p>outer words &qa;</p>',
    "public.html": '<!DOCTYPE html PUBLIC "-//X" "file:///etc/passwd" [<!ENTITY e SYSTEM '
    '"canary.txt">]><html><body><p>web &e; page</p></body></html>',
    "xinclude.xhtml": '<div xmlns:xi="http://www.w3.org/2001/XInclude"><p>host page</p>'
    '<xi:include href="canary.txt" parse="text"/></div>',
    "style.xhtml": '<?xml-stylesheet type="text/xsl" href="http://203.0.113.9/s.xsl"?><p>styled</p>',
    "recursive.xhtml": '<!DOCTYPE p [<!ENTITY a "&b;"><!ENTITY b "&a;">]><p>ring &a;</p>',
    "attribute.xhtml": '<!DOCTYPE p [<!ENTITY a "'
    + "y" * 10_000
    + '">]><p><a href="'
    + "&a;" * 10_000
    + '">link</a></p>',
}


def limited(made, *argv):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, argv), "--kb", str(made.folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done, int(done.stderr.rpartition("RSS ")[2].split()[0]) // 1024


@pytest.fixture
def plain(bench):
    """What the harmless page costs by itself: the models' memory and the time to load them."""
    made = bench({"z_good.md": "# Good\n\nThe good page comes after."})
    return limited(made, "add", made.folder / "docs", "--json")[1]


@pytest.mark.data
def test_m02_entities_in_pages(bench, cases, case_file, plain):
    names = [n for n in cases["M02"]["input"]["paths"] if not n.endswith(".txt")]
    made = bench({name: case_file(name).read_bytes() for name in names})
    made.write("z_good.md", "# Good\n\nThe good page comes after.")
    shutil.copy(case_file("M02_canary.txt"), made.folder / "M02_canary.txt")
    shutil.copy(case_file("M02_canary.txt"), made.folder / "docs" / "M02_canary.hidden")
    done, rss = limited(made, "add", made.folder / "docs", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["seconds"] < 8  # loading the models takes most, on a busy machine
    assert rss < plain + 40
    assert "CANARY" not in done.stdout + done.stderr
    assert "NETWORK" not in done.stderr
    assert made.uris("good page") == ["z_good.md"]
    assert not any("CANARY" in text for text in made.texts("start end lol good"))


def test_m02_with_the_default_model_stays_within_its_memory(bench, cases, case_file):
    names = [n for n in cases["M02"]["input"]["paths"] if not n.endswith(".txt")]
    made = bench({name: case_file(name).read_bytes() for name in names}, "")
    made.write("z_good.md", "# Good\n\nThe good page comes after those that are not so good.")
    done, rss = limited(made, "add", made.folder / "docs", "--json")
    assert done.returncode == 0, done.stderr
    assert rss <= 200


@pytest.mark.parametrize("name", BOMBS)
def test_m02_variants(bench, name, plain):
    made = bench({name: BOMBS[name], "z_good.md": "The good page comes after."})
    (made.folder / "docs" / "canary.txt").write_text("CANARY-XXE-58C1")
    (made.folder / "canary.txt").write_text("CANARY-XXE-58C1")
    # The canary itself is no document here.
    (made.folder / "docs" / "canary.txt").rename(made.folder / "docs" / ".canary.txt")
    done, rss = limited(made, "add", made.folder / "docs", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["seconds"] < 8
    assert rss < plain + 40
    assert "NETWORK" not in done.stderr
    assert "CANARY" not in done.stdout + done.stderr
    assert "z_good.md" in made.uris("good page")
    for text in made.texts("left right outer words web page host styled ring link"):
        assert "CANARY" not in text
        assert "root:" not in text
        assert len(text) < 100_000


class Canary:
    def __reduce__(self):
        return (print, ("QA-CANARY-EXECUTED",))


def pickles(case_file):
    objects = io.BytesIO()
    np.save(objects, np.array([Canary()], dtype=object), allow_pickle=True)
    return [
        case_file("M07_index.pkl").read_bytes(),
        case_file("M07_index.npy").read_bytes(),
        pickle.dumps(Canary(), protocol=0),
        objects.getvalue(),
    ]


@pytest.mark.data
def test_m07_pickles_in_place_of_every_file(bench, case_file, capfd):
    made = bench({"a.md": "red valve", "b.md": "blue pump"}, FAKE)
    made.add()
    home = made.folder / ".answerable"
    with contextlib.closing(sqlite3.connect(home / "answerable.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for aside in home.glob("answerable.db-*"):
        aside.unlink()
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and "lock" not in path.name]
    assert len(files) > 5
    for path in files:
        assert path.read_bytes()[:2] not in {bytes((0x80, n)) for n in (2, 3, 4, 5)}
    bodies = pickles(case_file)
    kept = made.folder / "kept"
    shutil.copytree(home, kept)
    for number, path in enumerate(files):
        for body in bodies[number % 2 :: 2]:
            path.write_bytes(body)
            for verb in (("search", "valve"), ("ask", "valve"), ("status",), ("doctor",)):
                done = made.cli(*verb, "--json")
                assert "QA-CANARY-EXECUTED" not in done.out + done.err
                assert "Traceback" not in done.err
            assert done.code != 0, path
            shutil.rmtree(home)
            shutil.copytree(kept, home)
    assert made.uris("valve")[0] == "a.md"
    assert "QA-CANARY-EXECUTED" not in "".join(capfd.readouterr())


@pytest.mark.data
def test_m07_variants_pickles_beside_and_as_documents(bench, case_file, capfd):
    made = bench({"a.md": "red valve"}, FAKE)
    for name in ("x.pkl", "x.npy", "x.md", "x.txt", "x.html", "x.jsonl"):
        made.write(name, case_file("M07_index.pkl").read_bytes())
    made.add()
    home = made.folder / ".answerable" / "index"
    for folder in [home, *(p for p in home.rglob("*") if p.is_dir())]:
        (folder / "extra.npy").write_bytes(case_file("M07_index.npy").read_bytes())
        (folder / "index.pkl").write_bytes(case_file("M07_index.pkl").read_bytes())
    made.uris("valve")
    made.cli("doctor")
    made.cli("add", case_file("M07_index.pkl"))
    made.write("evil.jsonl", case_file("M07_index.pkl").read_bytes(), ".")
    done = made.cli("add", made.folder / "evil.jsonl", "--json")
    assert "Traceback" not in done.err
    assert "QA-CANARY-EXECUTED" not in "".join(capfd.readouterr())
