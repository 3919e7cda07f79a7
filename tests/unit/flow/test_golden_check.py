"""What is wrong with a golden set, item by item."""

from dataclasses import replace

import pytest

from answerable.flow.golden_check import check_items, check_places, leaks
from answerable.records.docs import EVERYONE, Document, Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.index import IndexedDocument

TEXT = "The gate opens at 05:30. It shuts at 22:00. The gate opens at 05:30.\n\nAsk **Ilse** first."
DOCUMENT = Document("id", "kb/gate.md", "Gate", TEXT, (), "sha", "plain")
ROWS = {
    "id": IndexedDocument(
        "id", "kb/gate.md", "", "", "plain", "", "sha", "", "", EVERYONE, (), chunks=0, words=0
    )
}


def item(name: str, question: str, *evidence: Evidence, **more: object) -> GoldenItem:
    return replace(GoldenItem(name, question, evidence), **more)


def placed(*evidence: Evidence) -> list[tuple[str, str, str]]:
    found = check_places([item("q", "?", *evidence)], ROWS, lambda id, sha: DOCUMENT)
    return [(f.level, f.kind, f.what) for f in found]


@pytest.mark.parametrize(
    "good",
    [
        Evidence("gate.md", "It shuts at 22:00."),
        Evidence("kb/gate.md"),
        Evidence("gate.md", "", Span(0, 24)),
        Evidence("gate.md", "The gate opens at 05:30.", Span(44, 68)),
    ],
)
def test_evidence_that_stands_once_or_is_named_by_its_span_is_good(good: Evidence) -> None:
    assert placed(good) == []


@pytest.mark.parametrize(
    ("bad", "level", "kind", "what"),
    [
        (Evidence("wall.md", "x"), "error", "document", "no document 'wall.md' is indexed"),
        (
            Evidence("gate.md", "It shuts at 23:00."),
            "error",
            "quote",
            "the quote is not in kb/gate.md: It shuts at 23:00.",
        ),
        (
            Evidence("gate.md", "The gate opens at 05:30."),
            "error",
            "repeated",
            "the quote stands 2 times in kb/gate.md, and no span names one: "
            "The gate opens at 05:30.",
        ),
        (
            Evidence("gate.md", "The gate opens at 05:30.", Span(3, 9)),
            "error",
            "repeated",
            "the quote stands 2 times in kb/gate.md, and its span names none of them: "
            "The gate opens at 05:30.",
        ),
        (
            Evidence("gate.md", "It shuts at 22:00.", Span(5, 23)),
            "warning",
            "moved",
            "the quote stands at 25, not at 5 of kb/gate.md: It shuts at 22:00.",
        ),
        (
            Evidence("gate.md", "Ask Ilse first."),
            "warning",
            "loose",
            "the quote stands in kb/gate.md only with other marks: Ask Ilse first.",
        ),
        (
            Evidence("gate.md", "", Span(80, 95)),
            "error",
            "span",
            "its span ends at 95, kb/gate.md at 89",
        ),
    ],
)
def test_what_is_wrong_with_a_place(bad: Evidence, level: str, kind: str, what: str) -> None:
    assert len(TEXT) == 89 and TEXT.index("It shuts") == 25
    assert placed(bad) == [(level, kind, what)]


def kinds(*items: GoldenItem) -> list[tuple[str, str, str]]:
    return [(f.level, f.kind, f.item_id) for f in check_items(items)]


A, B = Evidence("a.md", "one place"), Evidence("a.md", "another place")


def test_items_alone() -> None:
    assert kinds(item("a", "Why?", A)) == []
    assert kinds(item("a b", "Why?", A)) == [("warning", "id", "a b")]
    assert kinds(item("a", "Why?")) == [("warning", "no_evidence", "a")]
    assert kinds(item("a", "Why?", answerable=False)) == []
    assert kinds(item("a", "Why?", answerable=False, answers=("7",))) == [
        ("error", "contradiction", "a")
    ]


def test_repeated_questions() -> None:
    first = item("a", "When does the gate open?", A)
    assert kinds(first, item("b", "when does the gate OPEN", A)) == [("error", "duplicate", "b")]
    assert kinds(first, item("b", "When does the gate open?", B)) == [("warning", "duplicate", "b")]
    assert kinds(first, item("b", "When does the gate open?", answerable=False)) == [
        ("error", "contradiction", "b")
    ]
    assert kinds(first, item("b", "When does the gates open?", B)) == [
        ("warning", "near_duplicate", "b")
    ]


def test_one_place_under_two_quotes_is_seen_in_located_items() -> None:
    one = item("a", "When?", Evidence("a.md", "at 05:30"))
    two = item("b", "When?", Evidence("a.md", "opens at 05:30"))
    span = (Evidence("id", "", Span(3, 9)),)
    located = [replace(one, evidence=span), replace(two, evidence=span)]
    assert [f.kind for f in check_items([one, two])] == ["duplicate"]
    assert [f.level for f in check_items([one, two])] == ["warning"]
    assert [f.level for f in check_items([one, two], located)] == ["error"]


def test_groups_that_must_be_apart_leak_questions_and_places() -> None:
    train = item("a", "When does it open?", A, group="train")
    shared = item("b", "At what hour is it opened?", A, group="test")
    same = item("c", "When does it open", B, group="test")
    found = [f for f in check_items([train, shared, same]) if f.kind == "leak"]
    assert [(f.item_id, f.level) for f in found] == [("b", "error"), ("c", "error")]
    assert "'a' of 'train': one place" in found[0].what
    topics = [replace(i, group=g) for i, g in ((train, "leave"), (shared, "travel"))]
    assert not [f for f in check_items(topics) if f.kind == "leak"]


def test_whole_documents_are_shared_by_collections() -> None:
    one, two = item("a", "One thing?", Evidence("d")), item("b", "Another?", Evidence("d"))
    assert list(leaks({"train": [one], "test": [two]})) == []
    again = item("c", "one thing", Evidence("e"))
    assert [f.item_id for f in leaks({"train": [one], "test": [again]})] == ["c"]
