"""Sources: one file in two of them, one dropped, and a generation gone back to."""

from __future__ import annotations

import pytest


def uris(bench, question="words"):
    hits = bench.cli("search", question, "--json").json["hits"]
    return sorted(hit["uri"] for hit in hits)


@pytest.fixture
def made(bench):
    return bench({"a.md": "# A\n\nwords here", "sub/b.md": "# B\n\nmore words"})


def test_a_file_of_two_sources_is_one_document_and_the_other_is_named(made):
    made.cli("add", made.folder / "docs")
    inner = made.cli("add", made.folder / "docs" / "sub", "--json").json
    assert (inner["added"], inner["removed"]) == (0, 0)
    assert inner["skipped"] == [
        {
            "uri": "sub/b.md",
            "reason": "already indexed through source 'docs', as docs/sub/b.md",
        }
    ]
    assert "already indexed" in made.cli("add", made.folder / "docs" / "sub").err
    single = made.cli("add", made.folder / "docs" / "a.md", "--json").json
    assert [skip["uri"] for skip in single["skipped"]] == ["a/a.md"]
    assert uris(made) == ["docs/a.md", "docs/sub/b.md"]
    assert made.cli("status", "--json").json["documents"] == 2


@pytest.mark.parametrize("rebuild", [(), ("--rebuild",)])
def test_the_source_that_has_a_document_keeps_it(made, rebuild):
    # by name `docs` comes before `sub`, but `sub` was there first
    made.cli("add", made.folder / "docs" / "sub")
    made.cli("add", made.folder / "docs")
    assert uris(made) == ["docs/a.md", "sub/b.md"]
    synced = made.cli("sync", *rebuild, "--json").json
    assert [skip["uri"] for skip in synced["skipped"]] == ["docs/sub/b.md"]
    assert uris(made) == ["docs/a.md", "sub/b.md"]


def test_a_link_from_another_source_is_the_same_file(made):
    made.cli("add", made.folder / "docs")
    (made.folder / "other").symlink_to(made.folder / "docs" / "sub")
    assert made.cli("add", made.folder / "other", "--json").json["added"] == 0


def test_equal_files_at_two_places_are_two_documents(made):
    made.write("b.md", "# B\n\nmore words", "copy")
    made.cli("add", made.folder / "docs")
    assert made.cli("add", made.folder / "copy", "--json").json["added"] == 1
    assert uris(made) == ["copy/b.md", "docs/a.md", "docs/sub/b.md"]


def test_a_dropped_source_is_gone_with_its_documents(made):
    made.write("c.md", "# C\n\nwords too", "other")
    made.cli("add", made.folder / "docs", made.folder / "other")
    before = made.cli("status", "--json").json
    report = made.cli("drop", "docs", "--json").json
    assert (report["removed"], report["unchanged"], report["added"]) == (2, 0, 0)
    assert report["generation"] > before["generation"]
    assert uris(made) == ["other/c.md"]
    assert [s["name"] for s in made.cli("status", "--json").json["sources"]] == ["other"]
    assert made.cli("sync", "--json").json["removed"] == 0
    assert (made.folder / "docs" / "a.md").exists()


def test_after_a_drop_another_source_may_have_the_file(made):
    made.cli("add", made.folder / "docs")
    made.cli("add", made.folder / "docs" / "sub")
    made.cli("drop", "docs")
    assert made.cli("status", "--json").json["documents"] == 0
    assert made.cli("sync", "--json").json["added"] == 1
    assert uris(made) == ["sub/b.md"]


def test_a_source_that_is_none_is_named(made):
    made.cli("add", made.folder / "docs")
    done = made.cli("drop", "dcos")
    assert done.code == 3
    assert "'dcos'" in done.err
    assert "status" in done.err
    assert made.cli("status", "--json").json["documents"] == 2


def test_a_drop_from_a_stale_index_is_finished_by_the_rebuild(made):
    made.write("c.md", "# C\n\nwords too", "other")
    made.cli("add", made.folder / "docs", made.folder / "other")
    made.configure(made.toml + "[[ingest.cut]]\nsize = 50\n")
    done = made.cli("drop", "docs")
    assert done.code == 4
    assert "source 'docs' is dropped" in done.err
    assert made.cli("sync", "--rebuild", "--json").json["removed"] == 2
    assert uris(made) == ["other/c.md"]


def test_a_drop_before_anything_is_indexed(made):
    made.cli("add", made.folder / "docs" / "none")
    assert made.cli("drop", "docs").code == 3


def test_rollback_brings_the_generation_before_back(made):
    made.cli("add", made.folder / "docs")
    made.write("a.md", "# A\n\nnothing of the kind")
    made.cli("sync")
    assert uris(made) == ["docs/sub/b.md"]
    back = made.cli("rollback", "--json").json
    assert (back["before"], back["generation"]) == ("000002", "000001")
    assert (back["documents"], back["stale"]) == (2, False)
    assert uris(made) == ["docs/a.md", "docs/sub/b.md"]
    answer = made.cli("ask", "words here", "--json").json
    assert answer["generation"] == "000001"
    none = made.cli("rollback")
    assert none.code == 3
    assert "no generation before 000001 is kept" in none.err
    assert "000002" in none.err
    assert made.cli("rollback", "000002", "--json").json["generation"] == "000002"
    assert uris(made) == ["docs/sub/b.md"]


def test_the_next_sync_brings_the_state_of_now(made):
    made.cli("add", made.folder / "docs")
    made.write("a.md", "# A\n\nnothing of the kind")
    made.cli("sync")
    made.cli("rollback")
    assert made.cli("sync", "--json").json["changed"] == 1
    assert uris(made) == ["docs/sub/b.md"]
    assert made.cli("doctor").code == 0


def test_every_kept_generation_can_be_shown(bench):
    new = bench({"a.md": "# A\n\nfirst words"})
    new.configure(new.toml + "[settings]\nkeep = 3\n")
    new.cli("add", new.folder / "docs")
    for text in ("second words", "third words"):
        new.write("a.md", f"# A\n\n{text}")
        new.cli("sync")
    for name, text in (("000001", "first words"), ("000002", "second words")):
        assert new.cli("rollback", name).code == 0
        hits = new.cli("search", "words", "--json").json["hits"]
        assert [hit["text"].split("\n")[-1] for hit in hits] == [text]


def test_a_rollback_to_another_recipe_says_so(made):
    made.cli("add", made.folder / "docs")
    made.configure(made.toml + "[[ingest.cut]]\nsize = 50\n")
    made.cli("sync", "--rebuild")
    assert made.cli("rollback", "--json").json["stale"] is True
    assert made.cli("search", "words").code == 4
    assert "another recipe" in made.cli("rollback", "000001").err


def test_nothing_to_roll_back_to(made):
    done = made.cli("rollback")
    assert done.code == 3
    assert "nothing is indexed" in done.err
    made.cli("add", made.folder / "docs")
    unknown = made.cli("rollback", "000009")
    assert unknown.code == 3
    assert "kept: 000001" in unknown.err
