"""Words in common, counted by hand: pieces of two pages under the mode `overlap`."""

from dataclasses import replace
from pathlib import Path

import pytest

from answerable.flow.search import Found, search
from answerable.records.index import Filter
from answerable.records.recipe import (
    AnalyzerRule,
    Ask,
    CutRule,
    EmbedderRule,
    Ingest,
    Recipe,
    SearchRule,
)
from answerable.wire.corpus import open_corpus

ALL = Filter()
PAGES = {
    "boat.md": "# Boat\n\nIt is red.\n\nA sail, a white sail.\n\nOars float.",
    "car.md": "# Car\n\nThis boat trailer is white.",
}
# Plain words, so that the counts below are those of the pages as they read.
RECIPE = Recipe(
    Ingest(
        cut=(CutRule(by="paragraphs", size=64, unit="words", lead="title"),),
        analyzer=AnalyzerRule(options=(("stem", False), ("stop", False))),
        embedder=EmbedderRule(name=""),
    ),
    Ask(search=SearchRule(mode="overlap")),
)


@pytest.fixture
def ranked(tmp_path: Path):
    """ranked(question, ...) gives (text of the piece, score), best first."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in PAGES.items():
        (docs / name).write_text(text)
    corpus = open_corpus([docs])
    finder = corpus.finder(RECIPE)
    assert finder.embedder is None

    def of(question: str, depth: int = 100, filter: Filter = ALL) -> list[tuple[str, float]]:
        ask = replace(RECIPE.ask, search=SearchRule(mode="overlap", depth=depth))
        found: Found = search(question, ask, finder, filter)
        assert list(found.rankings) == ["overlap"]
        assert all(hit.by == "overlap" for hit in found.final)
        ties = [(-hit.score, hit.chunk_id) for hit in found.final]
        assert ties == sorted(ties)
        rows = finder.snapshot.documents()
        pieces = []
        for hit in found.final:
            chunk = finder.snapshot.chunk(hit.chunk_id)
            row = rows[chunk.document_id]
            text = corpus.document(row.id, row.sha256).text
            pieces.append((text[chunk.span.start : chunk.span.end], hit.score))
        return pieces

    return of


HULL = "# Boat\n\nIt is red."
SAIL = "A sail, a white sail."
TRAILER = "# Car\n\nThis boat trailer is white."


def test_different_words_count_once_and_twice_more_in_the_title(ranked) -> None:
    # HULL: boat, red (2), and the title (2). SAIL: a, sail, white (3), however often, and the
    # title (2). TRAILER: boat, white (2). "Oars float." shares no word: a title alone is no hit.
    found = ranked("Red boat with white sail: a boat?")
    assert dict(found) == {HULL: 4.0, SAIL: 5.0, TRAILER: 2.0}
    assert found[0] == (SAIL, 5.0)


def test_ties_stand_in_the_order_of_their_ids_and_depth_cuts_the_list(ranked) -> None:
    both = ranked("white it")
    assert dict(both) == {HULL: 1.0, SAIL: 1.0, TRAILER: 1.0}
    assert ranked("white it", depth=2) == both[:2]


def test_leads_do_not_count_as_text(ranked) -> None:
    # The title stands as lead before every piece; in the text it is only in the first.
    assert dict(ranked("boat")) == {HULL: 3.0, TRAILER: 1.0}


def test_a_filter_acts_inside(ranked) -> None:
    assert ranked("white boat", filter=Filter(where=(("uri", "docs/car"),))) == [(TRAILER, 2.0)]
