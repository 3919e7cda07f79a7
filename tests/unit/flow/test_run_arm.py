"""Asking an arm: what is kept, and what an interruption leaves."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from answerable import config
from answerable.adapters.clock import SystemClock
from answerable.flow.ask import Asking
from answerable.flow.run import Unrecorded, run_arm
from answerable.records.docs import EVERYONE, NOBODY, NOTHING_KNOWN, RawDoc
from answerable.records.recipe import (
    Ask,
    CutRule,
    EmbedderRule,
    Ingest,
    Recipe,
    SearchRule,
)
from answerable.wire.base import read
from answerable.wire.corpus import corpus_of

RECIPE = Recipe(
    Ingest(cut=(CutRule(by="whole", size=0, unit="words"),), embedder=EmbedderRule(name="")),
    Ask(search=SearchRule(mode="lexical")),
)
QUESTIONS = [(f"q{n}", f"When does the {word} open?") for n, word in enumerate("ABC" * 10)]


@dataclass
class Kept:
    """What came, in its order; stops the run after `most`."""

    most: int = 1000
    traces: dict[str, str] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def traced(self, item_id, trace, pieces) -> None:
        if len(self.traces) == self.most:
            raise KeyboardInterrupt
        self.traces[item_id] = trace.question
        self.pieces[item_id] = [piece.uri for piece in pieces]

    def failed(self, failure) -> None:
        self.failures.append(failure.item_id)


@pytest.fixture(scope="module")
def asking(tmp_path_factory) -> Asking:
    texts = {"open.md": "The shop opens at nine.", "hidden.md": "The shop opens at ten."}
    documents = [
        read(
            RawDoc(uri, text.encode(), "text/markdown", access=access),
            NOTHING_KNOWN,
        )
        for (uri, text), access in zip(texts.items(), (EVERYONE, NOBODY), strict=True)
    ]
    corpus = corpus_of(documents, config.plain_settings(Path(tmp_path_factory.mktemp("x"))))
    finder = corpus.finder(RECIPE)
    return Asking(finder, corpus.document, RECIPE, Unrecorded(), SystemClock(), str)


def run(asking: Asking, kept: Kept, jobs: int, questions=QUESTIONS) -> list[tuple[str, int, int]]:
    told = []
    run_arm(
        questions,
        asking,
        lambda item: f"t-{item}",
        kept,
        jobs=jobs,
        progress=lambda *words: told.append(words),
    )
    return told


@pytest.mark.parametrize("jobs", [1, 4])
def test_every_question_is_asked_once(asking: Asking, jobs: int) -> None:
    kept = Kept()
    told = run(asking, kept, jobs)
    assert kept.traces == dict(QUESTIONS)
    assert told == [("ask", n, 30) for n in range(1, 31)]


def test_an_experiment_sees_every_document_whoever_may_read_it(asking: Asking) -> None:
    kept = Kept()
    run(asking, kept, 1, [("q", "When does the shop open?")])
    assert sorted(kept.pieces["q"]) == ["hidden.md", "open.md"]


def test_an_empty_question_costs_itself(asking: Asking) -> None:
    kept = Kept()
    run(asking, kept, 2, [("q1", "  "), *QUESTIONS])
    assert kept.failures == ["q1"]
    assert len(kept.traces) == 30


@pytest.mark.parametrize("jobs", [1, 4])
def test_an_interruption_keeps_what_was_done(asking: Asking, jobs: int) -> None:
    kept = Kept(most=5)
    with pytest.raises(KeyboardInterrupt):
        run(asking, kept, jobs)
    assert len(kept.traces) == 5
