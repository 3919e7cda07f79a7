"""A trial gives what the served store gives: rankings, scores, answers, to the last bit."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from answerable import config
from answerable.flow.ask import Asking, ask
from answerable.flow.search import search
from answerable.records.codec import to_plain
from answerable.records.index import Filter
from answerable.records.recipe import CutRule, EmbedderRule, Ingest, Recipe
from answerable.wire.base import KnowledgeBase
from answerable.wire.corpus import open_corpus

HANDBOOK = config.example_folder()
LEXICAL = replace(Recipe().ask, search=replace(Recipe().ask.search, mode="lexical"))
NOTHING = EmbedderRule(name="")
WINDOWS = (CutRule(by="words", size=60, unit="words", overlap=15, lead="title"),)
FEW = ("people", "support")
"""The folders of the handbook that are embedded: twice all of it would take a minute."""
RECIPES = {
    "default": Recipe(),
    "lexical": Recipe(Ingest(embedder=NOTHING), LEXICAL),
    "other cut": Recipe(Ingest(cut=WINDOWS, embedder=NOTHING), LEXICAL),
}
FILTERS = (
    Filter(),
    Filter(where=(("type", "markdown"),)),
    Filter(where=(("uri", "docs/people"),)),
    Filter(where=(("language", "xx"),)),
    Filter(principals=("nobody",)),
)


class Clock:
    def now(self) -> str:
        return "2026-01-01T00:00:00.000Z"

    def seconds(self) -> float:
        return 0.0


class Nowhere:
    def record(self, trace) -> None:
        pass


@pytest.fixture(scope="module")
def questions() -> list[str]:
    lines = (HANDBOOK / "golden.jsonl").read_text("utf-8").splitlines()
    return [*[json.loads(line)["question"] for line in lines][::25], "zyzzyva qwxyz"]


@pytest.fixture(scope="module", params=RECIPES)
def both(request, tmp_path_factory):
    """The knowledge base of a recipe, and the corpus of the same documents."""
    recipe, docs = RECIPES[request.param], HANDBOOK / "docs"
    if recipe.ingest.embedder.name:
        docs = tmp_path_factory.mktemp("few") / "docs"
        for folder in FEW:
            shutil.copytree(HANDBOOK / "docs" / folder, docs / folder)
    base = KnowledgeBase(config.plain_settings(tmp_path_factory.mktemp("kb")), recipe)
    base.add(str(docs))
    yield base, open_corpus([docs], tmp_path_factory.mktemp("cache")), recipe
    base.database.close()


def asking(finder, documents, recipe):
    return Asking(finder, documents, recipe, Nowhere(), Clock(), lambda: "id")


def test_rankings_have_the_same_ids_and_scores(both, questions):
    base, corpus, recipe = both
    finder = corpus.finder(recipe)
    with base.snapshot() as snapshot:
        served = base.finder(snapshot)
        assert finder.languages == served.languages
        for question in questions:
            for filter in FILTERS:
                mine = search(question, recipe.ask, finder, filter)
                theirs = search(question, recipe.ask, served, filter)
                assert list(mine.rankings.items()) == list(theirs.rankings.items()), question
                assert mine.terms == theirs.terms


def test_answers_are_the_same(both, questions):
    base, corpus, recipe = both
    mine = asking(corpus.finder(recipe), corpus.document, recipe)
    with base.snapshot() as snapshot:
        theirs = asking(base.finder(snapshot), base.document, recipe)
        answered = 0
        for question in questions:
            trial = to_plain(ask(question, mine, Filter(), ""))
            served = to_plain(ask(question, theirs, Filter(), ""))
            for one in (trial, served):
                one.pop("generation")
            assert trial == served
            answered += not served["answer"]["refused"]
        assert answered > 2


def test_rows_chunks_and_vectors_are_the_same(both):
    base, corpus, recipe = both
    trial = corpus.trial(recipe)
    with base.snapshot() as snapshot:
        rows = snapshot.documents()
        assert trial.documents() == dict(rows)
        assert {**corpus.rows()} == {id: replace(row, chunks=0) for id, row in rows.items()}
        for field in ("documents", "chunks", "over_limit", "ingest_hash"):
            assert getattr(trial.info, field) == getattr(snapshot.info, field)
        for id, row in rows.items():
            assert corpus.document(id, row.sha256) == base.document(id, row.sha256)
            chunks = snapshot.chunks_of(id)
            assert trial.chunks_of(id) == chunks
            for chunk in chunks:
                assert trial.chunk(chunk.id) == chunk
                vectors = trial.vectors(chunk.id)
                if recipe.ask.search.mode == "lexical":
                    assert vectors is None
                else:
                    assert (vectors == snapshot.vectors(chunk.id)).all()
        terms = ["expens", "travel", "leav", "nosuchterm"]
        assert dict(trial.frequencies(terms)) == dict(snapshot.frequencies(terms))


def test_what_was_skipped_is_named(tmp_path: Path):
    (tmp_path / "good.md").write_text("# Good\n\nSome words to read.\n")
    (tmp_path / "empty.md").write_text(" \n")
    found = open_corpus([tmp_path])
    assert [document.title for document in found.documents] == ["Good"]
    assert [(skip.uri.rsplit("/", 1)[1], skip.reason) for skip in found.skipped] == [
        ("empty.md", "no text in it")
    ]
