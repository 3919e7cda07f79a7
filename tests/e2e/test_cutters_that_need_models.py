"""Hierarchical, semantic, late and written leads, from the recipe to the answer."""

import pytest

from answerable.errors import StaleIndex
from answerable.wire.base import open_base

PAGE = """# Travel

## Trains

Book the train by the Friday before. A first class seat is paid above four hours. Seats are
reserved by the office.

## Flights

A flight is allowed above six hundred kilometres. The office in Oslo books it. Tickets are sent
by mail on the same day.

## Hotels

A room may cost 140 euros a night. Breakfast is paid on top.
"""


@pytest.fixture
def folder(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "travel.md").write_text(PAGE)
    return tmp_path


def opened(folder, recipe):
    (folder / "answerable.toml").write_text(recipe)
    kb = open_base(folder)
    kb.add(str(folder / "docs"))
    return kb


def test_small_pieces_are_found_and_their_parents_shown_once(folder):
    kb = opened(
        folder,
        "[[ingest.cut]]\nby = 'hierarchical'\nsize = 16\nunit = 'words'\nlead = 'none'\n"
        "[ingest.cut.options]\nparent = 300\n[ask.context]\nexpand = 'parent'\n",
    )
    trace = kb.ask("How much may a room cost?")
    assert not trace.answer.refused
    assert len(trace.passages) == 1
    assert "Book the train" in trace.passages[0].text
    assert trace.passages[0].chunk.words <= 16
    assert {why for _, why in trace.dropped} == {"it stands in the passage of rank 1 already"}


def test_a_semantic_cut_is_built_with_the_model(folder):
    kb = opened(folder, "[[ingest.cut]]\nby = 'semantic'\nsize = 60\nunit = 'words'\n")
    assert kb.info().chunks >= 2
    assert not kb.ask("How much may a room cost?").answer.refused


def test_late_pooling_gives_other_vectors_and_a_stale_index_when_switched(folder):
    early = opened(folder, "[[ingest.cut]]\nby = 'headings'\nsize = 60\nlead = 'none'\n")
    with early.snapshot() as snapshot:
        chunk = next(iter(snapshot.chunks_of(next(iter(snapshot.documents())))))
        first = snapshot.vectors(chunk.id).copy()
    recipe = (folder / "answerable.toml").read_text()
    (folder / "answerable.toml").write_text(f"{recipe}[ingest.embedder]\npooling = 'late'\n")
    late = open_base(folder)
    with pytest.raises(StaleIndex):
        late.ask("How much may a room cost?")
    late.sync(rebuild=True)
    with late.snapshot() as snapshot:
        second = snapshot.vectors(chunk.id)
        assert second.shape == (1, 384)
        assert 0.3 < float((first[0] * second[0]).sum()) < 0.999
    assert not late.ask("How much may a room cost?").answer.refused


LATE = "[[ingest.cut]]\nby = 'headings'\nsize = 60\nlead = 'none'\n[ingest.embedder]\n"
LATE += "pooling = 'late'\n"


def test_late_pooling_counts_and_remembers_what_it_embeds(folder):
    kb = opened(folder, LATE)
    pieces = kb.info().chunks
    first = kb.sync(rebuild=True)
    assert (first.unchanged, first.embedded) == (0, 0)
    page = next(folder.rglob("*.md"))
    page.write_text(page.read_text() + "\n\n# More\n\nAnother matter stands here now.\n")
    changed = kb.sync()
    assert 0 < changed.embedded <= kb.info().chunks
    assert kb.sync().embedded == 0
    assert kb.info().chunks > pieces


def test_vectors_of_another_pooling_are_not_taken_over(folder):
    late = opened(folder, LATE)
    toml = folder / "answerable.toml"
    toml.write_text(toml.read_text().replace("'late'", "'piece'"))
    early = open_base(folder)
    assert early.sync(rebuild=True).embedded == early.info().chunks
    del late
    with early.snapshot() as snapshot:
        chunk = next(iter(snapshot.chunks_of(next(iter(snapshot.documents())))))
        row = next(row for row in snapshot.documents().values() if row.id == chunk.document_id)
        text = early.document(row.id, row.sha256).text[chunk.span.start : chunk.span.end]
        assert (snapshot.vectors(chunk.id) == early.embedder.passages([text])).all()


def test_a_written_line_is_searched(folder):
    kb = opened(
        folder,
        "[ingest.situate]\nby = 'fakes:one_line'\n"
        "[ingest.embedder]\nname = ''\n[ask.search]\nmode = 'lexical'\n",
    )
    found, chunks, _ = kb.search("Zanzibar")
    assert found.final
    assert all(chunk.lead.startswith("Zanzibar rules") for chunk in chunks.values())
