"""What a second `add` reads, embeds, keeps and removes, and who may see what."""

from __future__ import annotations

import json
import os
import zipfile

import pytest

from answerable.errors import StaleIndex
from answerable.records.index import Filter

FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'
LONG = (
    "# Guide\n\n## One\n\nalpha words here\n\n## Two\n\nbravo words there\n\n## Three\n\ncharlie\n"
)
SMALL = FAKE + "[[ingest.cut]]\nsize = 12\nunit = 'words'\n"


def counts(report):
    return (report.added, report.changed, report.unchanged, report.removed)


def words_in(made, word):
    """Where the word stands among all that any stage returns."""
    found, chunks, documents = made.base.search(word)
    return sorted(
        {
            documents[chunks[hit.chunk_id].document_id].uri.partition("/")[2]
            for ranking in found.rankings.values()
            for hit in ranking
            if word
            in documents[chunks[hit.chunk_id].document_id].text[
                chunks[hit.chunk_id].span.start : chunks[hit.chunk_id].span.end
            ]
        }
    )


def test_a_second_add_does_nothing(bench):
    made = bench({"a.md": LONG, "b.md": "delta"}, SMALL)
    first = made.add()
    assert counts(first) == (2, 0, 0, 0)
    assert first.parsed == 2
    assert first.embedded >= 4
    again = made.add()
    assert counts(again) == (0, 0, 2, 0)
    assert (again.parsed, again.embedded) == (0, 0)
    assert again.generation == first.generation


def test_an_edit_costs_the_edited_piece(bench):
    made = bench({"a.md": LONG, "b.md": "delta"}, SMALL)
    made.add()
    made.write("a.md", LONG.replace("bravo", "zulu"))
    report = made.add()
    assert counts(report) == (0, 1, 1, 0)
    assert (report.parsed, report.embedded) == (1, 1)
    assert words_in(made, "bravo") == []
    assert words_in(made, "zulu") == words_in(made, "alpha") == ["a.md"]


def test_a_shorter_document_loses_its_pieces(bench):
    made = bench({"a.md": LONG, "b.md": "delta"}, SMALL)
    made.add()
    made.write("a.md", LONG.partition("## Two")[0])
    report = made.add()
    assert (report.changed, report.embedded) == (1, 0)
    assert words_in(made, "bravo") == words_in(made, "charlie") == []
    assert words_in(made, "alpha") == ["a.md"]
    assert made.cli("doctor").code == 0


def test_deleted_and_renamed_files(bench):
    made = bench({"a.md": "alpha words", "b.md": "bravo words"}, FAKE)
    made.add()
    (made.folder / "docs/a.md").unlink()
    (made.folder / "docs/b.md").rename(made.folder / "docs/c.md")
    report = made.add()
    assert counts(report) == (1, 0, 0, 2)
    assert words_in(made, "alpha") == []
    assert words_in(made, "bravo") == ["c.md"]
    (made.folder / "docs/c.md").unlink()
    assert made.add().removed == 1
    assert made.uris("bravo") == []


def test_a_touched_file_is_unchanged(bench):
    made = bench({"a.md": "alpha words"}, FAKE)
    made.add()
    os.utime(made.folder / "docs/a.md", (1, 1))
    report = made.add()
    assert counts(report) == (0, 0, 1, 0)
    assert report.embedded == 0
    assert made.add().parsed == 0


def test_a_file_that_becomes_unreadable_keeps_its_old_version(bench):
    made = bench({"a.md": "alpha words", "b.md": "bravo"}, FAKE)
    made.add()
    made.write("a.md", b"\x00\x01\x02\x00\x00")
    report = made.add()
    (skipped,) = report.skipped
    assert skipped.uri == "docs/a.md"
    assert "stays" in skipped.reason
    assert words_in(made, "alpha") == ["a.md"]
    again = made.add()
    assert (again.parsed, len(again.skipped)) == (0, 1)
    assert words_in(made, "alpha") == ["a.md"]
    made.write("a.md", "mended words")
    assert made.add().changed == 1
    assert words_in(made, "alpha") == []


def test_a_file_that_no_parser_reads_is_remembered(bench):
    made = bench({"a.md": b"\x00\x01\x02\x00\x00", "b.md": "bravo"}, FAKE)
    first, second = made.add(), made.add()
    assert [s.uri for s in first.skipped] == [s.uri for s in second.skipped] == ["docs/a.md"]
    assert second.skipped[0].reason == first.skipped[0].reason
    assert (first.parsed, second.parsed) == (1, 0)


def test_another_recipe_is_refused_until_rebuilt(bench):
    made = bench({"a.md": LONG}, FAKE)
    made.add()
    made.configure(SMALL)
    with pytest.raises(StaleIndex):
        made.uris("alpha")
    assert made.cli("status", "--json").json["stale"] is True
    done = made.cli("doctor", "--json")
    assert done.code == 3
    assert next(c["name"] for c in done.json["checks"] if not c["ok"]) == "index and recipe"
    report = made.cli("sync", "--rebuild", "--json")
    assert report.code == 0, report.err
    assert made.cli("doctor", "--json").code == 0
    assert words_in(made, "alpha") == ["a.md"]


def test_two_sources_with_the_same_file_names(bench):
    made = bench({"a.md": "alpha words"}, FAKE)
    made.write("a.md", "bravo words", "more")
    made.write("a.md", "charlie words", "deeper/docs")
    made.add()
    made.add("more")
    made.add("deeper/docs")
    assert made.cli("status", "--json").json["documents"] == 3
    assert len(made.cli("status", "--json").json["sources"]) == 3
    for word in ("alpha", "bravo", "charlie"):
        hits = made.cli("search", word, "--mode", "lexical", "--json").json["hits"]
        assert len(hits) == 1
    (made.folder / "more/a.md").unlink()
    report = made.cli("sync", "--json").json
    assert (report["removed"], report["unchanged"]) == (1, 2)
    assert words_in(made, "bravo") == []
    where = made.cli("search", "words", "--where", "source=docs", "--json").json["hits"]
    assert {hit["uri"] for hit in where} == {"docs/a.md"}


def restricted(made):
    lines = [
        {"_id": "open", "title": "Lunch", "text": "Lunch is at noon.", "access": "everyone"},
        {
            "_id": "pay",
            "title": "Zebrasalary",
            "text": "The zebrabonus of Rowan is 9000 euro.",
            "access": ["hr"],
            "metadata": {"team": "people"},
        },
        {"_id": "none", "title": "Shut", "text": "Nobody reads zebravault.", "access": []},
    ]
    path = made.folder / "data.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = made.base.add(str(path))
    assert report.added == 3
    return path


def test_an_outsider_never_sees_a_restricted_document(bench):
    made = bench(toml=FAKE)
    restricted(made)
    outsider = Filter(principals=("sales",))
    for question in ("zebrabonus of Rowan", "Zebrasalary", "zebravault"):
        assert set(made.uris(question, outsider)) <= {"open"}
        for verb in ("search", "ask"):
            done = made.cli(verb, question, "--as", "sales", "--json")
            assert done.code == 0, done.err
            body = (done.out + done.err).replace(question, "")
            for secret in ("9000", "zebrabonus", "Zebrasalary", "zebravault", "data/pay"):
                assert secret not in body, (verb, question)
        text = made.cli("ask", question, "--as", "sales", "--explain")
        assert "9000" not in text.out + text.err
        assert "data/pay" not in text.out + text.err
    assert made.uris("zebrabonus", Filter(principals=("hr",)))[0] == "pay"
    assert "none" not in made.uris("zebravault", Filter(principals=("hr", "sales")))


def test_who_does_not_say_who_asks_reads_what_is_open_and_nothing_else(bench):
    made = bench(toml=FAKE)
    restricted(made)
    found = made.cli("search", "zebrabonus of Rowan", "--json")
    assert "data/pay" not in {hit["uri"] for hit in found.json["hits"]}
    assert "--as" in found.err
    answer = made.cli("ask", "How much is the zebrabonus of Rowan?", "--json")
    assert answer.json["answer"]["refused"] and "9000" not in answer.out
    (made.folder / "answerable.toml").write_text(FAKE + '\n[settings]\nprincipals = ["hr"]\n')
    found = made.cli("search", "zebrabonus of Rowan", "--json")
    assert found.json["hits"][0]["uri"] == "data/pay" and "--as" not in found.err


@pytest.mark.parametrize("question", ["what is zebrabonus lunch", "zebrabonus", "what is lunch"])
def test_an_outsider_cannot_tell_whether_a_restricted_document_is_there(bench, question):
    made = bench(toml=FAKE)
    path = restricted(made)

    def seen():
        trace = made.cli("ask", question, "--as", "sales", "--json").json
        return trace["answer"], trace["route"]

    with_hidden = seen()
    path.write_text(path.read_text().splitlines()[0] + "\n")
    assert made.base.add(str(path)).removed == 2
    assert seen() == with_hidden


def test_changed_access_counts_at_once(bench):
    made = bench(toml=FAKE)
    path = restricted(made)
    path.write_text(path.read_text().replace('["hr"]', '["board"]'))
    report = made.base.add(str(path))
    assert report.embedded == 0
    assert "pay" not in made.uris("zebrabonus", Filter(principals=("hr",)))
    assert "pay" in made.uris("zebrabonus", Filter(principals=("board",)))


def test_where_filters(bench):
    made = bench(toml=FAKE)
    restricted(made)
    asked = ("search", "lunch zebrabonus", "--as", "hr", "--json", "--where")
    hits = made.cli(*asked, "team=people").json["hits"]
    assert [hit["uri"] for hit in hits] == ["data/pay"]
    assert made.cli(*asked, "team=none").json["hits"] == []
    bad = made.cli("search", "lunch", "--where", "team")
    assert bad.code == 2
    assert "team" in bad.err


def test_what_lay_in_an_archive_stays_while_the_archive_cannot_be_opened(bench):
    made = bench()
    file = made.folder / "docs" / "old.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("inner/one.md", "# One\n\nThe zebra sleeps.\n")
        archive.writestr("two.md", "# Two\n\nThe lion wakes.\n")
    assert made.add().added == 2
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    report = made.add()
    assert report.removed == 0 and [skip.uri for skip in report.skipped] == ["docs/old.zip"]
    assert made.uris("zebra") == ["old.zip/inner/one.md"]
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("two.md", "# Two\n\nThe lion wakes.\n")
    assert made.add().removed == 1 and made.uris("zebra") == []
    file.unlink()
    assert made.add().removed == 1


def test_readers_of_a_folder_count_from_the_next_sync(bench):
    made = bench({"pay.md": "# Pay\n\nThe zebrabonus is 9000 euros.\n"})
    nobody = Filter(principals=())
    made.add()
    assert made.uris("zebrabonus", nobody) == ["pay.md"]
    done = made.cli("add", made.folder / "docs", "--with", "readers=hr", "--json")
    assert done.json["unchanged"] == 1 and done.json["embedded"] == 0
    assert made.uris("zebrabonus", nobody) == []
    assert made.uris("zebrabonus", Filter(principals=("hr",))) == ["pay.md"]
    refused = made.cli("rollback")
    assert refused.code == 2 and "docs/pay.md" in refused.err
    assert made.uris("zebrabonus", nobody) == []
    assert made.cli("rollback", "--force").code == 0
    assert made.uris("zebrabonus", nobody) == ["pay.md"]
    assert made.cli("sync").code == 0 and made.uris("zebrabonus", nobody) == []


def test_a_line_that_is_broken_off_removes_nothing(bench):
    made = bench(toml=FAKE)
    path = restricted(made)
    whole = path.read_text()
    path.write_text(whole[:-20])
    report = made.base.add(str(path))
    assert (report.removed, report.complete, report.incomplete) == (0, False, ("data",))
    assert report.unchanged == 2
    path.write_text(whole.replace('"access": []', '"access": null'))
    report = made.base.add(str(path))
    assert "access" in report.skipped[0].reason
    path.write_text(whole.replace('"access": ["hr"]', '"access": [""]'))
    assert "access" in made.base.add(str(path)).skipped[0].reason


def test_a_source_that_fails_at_its_first_add_is_not_registered(bench):
    made = bench({"a.md": "# A\n\nAlpha.\n"})
    made.add()
    failed = made.cli("add", "git+file:///nonexistent/place", "--name", "typo")
    assert failed.code == 5
    assert [s["name"] for s in made.cli("status", "--json").json["sources"]] == ["docs"]
    assert made.cli("sync").code == 0


@pytest.mark.parametrize(
    "argv",
    [
        ("docs", "--with", "token=QA-TOKEN-9f27c1"),
        ("http://127.0.0.1:9/p?token=QA-TOKEN-9f27c1", "--with", "allow_private=true"),
        ("http://127.0.0.1:9/p", "--with", "password=QA-TOKEN-9f27c1"),
        ("git+https://127.0.0.1:9/x?token=QA-TOKEN-9f27c1",),
        ("confluence+https://acme.example/wiki?space=A&token=QA-TOKEN-9f27c1",),
    ],
)
def test_m05_a_secret_in_the_wrong_place_is_neither_shown_nor_kept(bench, argv):
    made = bench({"a.md": "# A\n\nAlpha.\n"})
    target = made.folder / argv[0] if argv[0] == "docs" else argv[0]
    done = made.cli("add", target, *argv[1:])
    assert done.code == 2, done.err
    assert "QA-TOKEN-9f27c1" not in done.out + done.err
    kept = b"".join(p.read_bytes() for p in made.folder.rglob("*") if p.is_file())
    assert b"QA-TOKEN-9f27c1" not in kept
