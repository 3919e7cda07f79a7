"""A corpus works out once what its cuttings share, and keeps it between runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from answerable.adapters.shelf import Shelf
from answerable.adapters.vector_memory import ShelvedVectors
from answerable.errors import NotFound
from answerable.flow.corpus import Corpus
from answerable.flow.search import search
from answerable.rank.analyze import Analyzer
from answerable.records.docs import EVERYONE, RawDoc
from answerable.records.index import Filter
from answerable.records.recipe import CutRule, Ingest, Recipe
from answerable.text.canonical import Canvas
from answerable.text.cut import cut
from answerable.text.ruler import Words
from answerable.wire.table import build_cutter
from fakes import HashEmbedder

TEXTS = {
    "docs/deep/tea.md": "Green tea steeps two minutes. Black tea steeps four minutes.",
    "docs/oil.md": "Change the oil each winter. Green tea steeps two minutes.",
}


def document(uri: str, text: str):
    canvas = Canvas()
    canvas.paragraph(text)
    return canvas.finish(RawDoc(uri, b"", access=EVERYONE), "plain", "")


class Counting:
    """The hash embedder, noting every passage that it is given."""

    def __init__(self) -> None:
        self.inner, self.given = HashEmbedder(), []

    def __getattr__(self, name: str):
        return getattr(self.inner, name)

    def passages(self, texts):
        self.given += list(texts)
        return self.inner.passages(texts)


def sized(size: int, mode: str = "hybrid") -> Recipe:
    rule = CutRule(by="words", size=size, unit="words", lead="none")
    made = Recipe(Ingest(cut=(rule,)))
    return replace(made, ask=replace(made.ask, search=replace(made.ask.search, mode=mode)))


def opened(
    embedder, vectors=None, late=lambda rule, embedder: None, analyzed=None, **more
) -> Corpus:
    def analyzer(rule):
        def of(language):
            if analyzed is not None:
                analyzed.append(language)
            return Analyzer(language="en")

        return of

    return Corpus(
        [document(uri, text) for uri, text in TEXTS.items()],
        analyzer,
        lambda ingest: lambda doc: cut(doc, ingest.cut, build_cutter, {"words": Words()}),
        lambda rule: embedder,
        vectors,
        late=late,
        **more,
    )


def test_equal_pieces_are_embedded_once_over_all_cuttings():
    embedder = Counting()
    corpus = opened(embedder)
    corpus.trial(sized(5))
    # The sentence on green tea begins one document and ends the other.
    assert sorted(embedder.given) == sorted(
        [
            "Green tea steeps two minutes.",
            "Black tea steeps four minutes.",
            "Change the oil each winter.",
        ]
    )
    corpus.trial(sized(10))
    assert len(embedder.given) == 5
    assert corpus.trial(sized(5)).info.vectors == 4
    assert len(embedder.given) == 5


def test_a_lexical_search_embeds_nothing():
    embedder = Counting()
    corpus = opened(embedder)
    trial = corpus.trial(sized(5, "lexical"))
    assert (trial.info.vectors, trial.info.embedder, embedder.given) == (0, "", [])
    assert corpus.finder(sized(5, "lexical")).embedder is None
    assert trial.cutting is corpus.trial(sized(5)).cutting


def test_texts_are_analysed_once_for_all_cuttings():
    analyzed: list[str] = []
    corpus = opened(Counting(), analyzed=analyzed)
    corpus.trial(sized(5, "lexical"))
    once = len(analyzed)
    corpus.trial(sized(3, "lexical"))
    assert len(analyzed) == once == 3  # two texts, and the empty lead


def test_vectors_are_kept_between_runs(tmp_path):
    first, second = Counting(), Counting()
    before = opened(first, ShelvedVectors(Shelf(tmp_path / "cache.db"))).trial(sized(5))
    after = opened(second, ShelvedVectors(Shelf(tmp_path / "cache.db"))).trial(sized(5))
    assert len(first.given) == 3
    assert second.given == []
    for chunk in before.cutting.chunks:
        assert (before.vectors(chunk.id) == after.vectors(chunk.id)).all()


def test_vectors_of_whole_documents_are_kept_by_document_and_cutting(tmp_path):
    calls = []

    def late(rule, embedder):
        def run(document, chunks):
            calls.append(document.uri)
            return np.eye(len(chunks), 32, dtype=np.float32)

        return run

    for _ in range(2):
        corpus = opened(Counting(), ShelvedVectors(Shelf(tmp_path / "cache.db")), late)
        trial = corpus.trial(sized(5))
        assert trial.info.vectors == 4
        assert trial.vectors(trial.cutting.ids[1])[0].tolist() == [0.0, 1.0] + [0.0] * 30
        assert calls == list(TEXTS)
    corpus.trial(sized(10))
    assert calls == list(TEXTS) * 2


def test_questions_and_sentences_are_embedded_once_for_all_arms():
    embedder = Counting()
    corpus = opened(embedder)
    for size in (5, 10):
        finder = corpus.finder(sized(size))
        search("green tea", sized(size).ask, finder, Filter())
        finder.embedder.passages(["one sentence", "another", "one sentence"])
    assert embedder.given.count("one sentence") == 1
    rows = corpus.finder(sized(5)).embedder.passages(["another", "one sentence"])
    assert (rows == HashEmbedder().passages(["another", "one sentence"])).all()


def test_cuttings_are_forgotten_oldest_first():
    corpus = opened(Counting(), kept=8)
    first = corpus.trial(sized(5, "lexical"))
    second = corpus.trial(sized(10, "lexical"))
    assert corpus.trial(sized(5, "lexical")) is first
    corpus.trial(sized(4, "lexical"))
    assert corpus.trial(sized(10, "lexical")) is second
    again = corpus.trial(sized(5, "lexical"))
    assert again is not first
    assert again.cutting.chunks == first.cutting.chunks


def test_rows_name_the_source_and_documents_answer_for_their_content():
    corpus = opened(None)
    rows = {row.uri: row for row in corpus.rows().values()}
    assert [row.source for row in rows.values()] == ["docs", "docs"]
    assert rows["docs/oil.md"].words == 10
    one = rows["docs/oil.md"]
    assert corpus.document(one.id, one.sha256).text == TEXTS["docs/oil.md"]
    with pytest.raises(NotFound):
        corpus.document(one.id, "0" * 64)
    with pytest.raises(NotFound):
        corpus.trial(sized(5, "lexical")).chunk("0" * 16)
