"""Every public collection read as a golden set: known counts, and all evidence in its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from answerable.adapters.formats.beir import load_corpus
from answerable.flow.locate import locate
from answerable.records.docs import EVERYONE
from answerable.records.index import IndexedDocument
from answerable.wire.golden import read_golden

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[2] / "../shared/data"))

# Questions, answerable ones, and places of evidence (or marked documents) as the collections'
# own descriptions count them; ways and places of SQuAD's several readers are not counted there.
KNOWN = [
    ("scifact", 300, 300, 339),
    ("nfcorpus", 323, 323, 12_334),
    ("cranfield", 225, 225, 1_612),
    ("covidqa", 1_380, 1_380, 1_380),
    ("squad-v1.1-dev", 10_570, 10_570, None),
    ("squad-v2.0-dev", 11_873, 5_928, None),
    ("legalbench-rag-contractnli", 977, 977, 1_389),
    ("chroma-chunking", 472, 472, 790),
    ("xquad/en", 1_190, 1_190, 1_190),
    ("xquad/de", 1_190, 1_190, 1_190),
    ("xquad/zh", 1_190, 1_190, 1_190),
    ("xquad/ar", 1_190, 1_190, 1_190),
]


@pytest.mark.data
@pytest.mark.parametrize(("name", "questions", "answerable", "places"), KNOWN)
def test_counts_and_places(name: str, questions: int, answerable: int, places: int | None) -> None:
    golden, problems = read_golden(DATA / name)
    assert problems == ()
    assert len(golden.items) == questions
    assert sum(item.answerable for item in golden.items) == answerable
    ways = [(item.evidence, *item.alternatives) for item in golden.items]
    if places is not None:
        assert sum(len(way) for item in ways for way in item) == places
    documents = {document.id: document for document in load_corpus(DATA / name / "corpus.jsonl")[0]}
    rows = {
        d.id: IndexedDocument(
            d.id, d.uri, "", "", "plain", "", d.sha256, "", "", EVERYONE, (), chunks=0, words=0
        )
        for d in documents.values()
    }
    located = locate(golden, rows, lambda id, sha: documents[id])
    assert (located.problems, dict(located.unmeasured)) == ((), {})
    for item in located.items:
        for one in (e for way in (item.evidence, *item.alternatives) for e in way):
            if one.span is not None:
                text = documents[one.document].text
                assert text[one.span.start : one.span.end] == one.quote


@pytest.mark.data
def test_marks_of_cranfield_that_are_not_relevant_are_judged_only() -> None:
    golden, _ = read_golden(DATA / "cranfield")
    judged = [one.grade for item in golden.items for one in item.judged]
    assert judged == [0] * 225


@pytest.mark.data
def test_several_readers_of_squad_are_alternatives_and_clauses_of_contracts_are_not() -> None:
    squad = {item.id: item for item in read_golden(DATA / "squad-v1.1-dev")[0].items}
    crisis = squad["5725b33f6a3fe71400b8952d"]  # When did the 1973 oil crisis begin?
    assert crisis.answers == ("October 1973", "October", "1973")
    places = [(way[0].quote, way[0].span.start) for way in (crisis.evidence, *crisis.alternatives)]
    # Not the 1973 of "The 1973 oil crisis" at 4, which is no reader's answer.
    assert places == [("October 1973", 29), ("October", 29), ("1973", 37)]
    assert all(len(way) == 1 for item in squad.values() for way in item.alternatives)
    contracts = read_golden(DATA / "legalbench-rag-contractnli")[0].items
    assert not any(item.alternatives for item in contracts)
    assert sum(len(item.evidence) > 1 for item in contracts) == 355


@pytest.mark.data
def test_the_training_claims_are_another_split() -> None:
    train, test = read_golden(DATA / "scifact#train")[0], read_golden(DATA / "scifact#test")[0]
    assert (len(train.items), len(test.items)) == (809, 300)
    assert not {item.id for item in train.items} & {item.id for item in test.items}
