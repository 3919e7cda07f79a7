"""Golden evidence placed by hand-made documents, and every measure counted by hand."""

from dataclasses import replace

import pytest

from answerable.errors import NotFound, ServiceError
from answerable.flow.evaluate import evaluate
from answerable.flow.locate import locate
from answerable.flow.score import within
from answerable.records.answers import Answer, Citation, Route, Sentence, Trace, Verdict
from answerable.records.docs import Document, Span
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.index import IndexedDocument
from answerable.records.runs import Failure, FoundPiece

LEAVE = "Leave is five weeks. Notice is two months. Ask your manager. Ask your manager."
TRAVEL = "A hotel may cost EUR 90."


def document(uri: str, text: str) -> Document:
    return Document("id:" + uri, uri, uri, text, (), "sha:" + uri, "plain")


def row(read: Document) -> IndexedDocument:
    return IndexedDocument(
        read.id, read.uri, "", "", "plain", "en", read.sha256, "", "s", read.access, (), 1, 1
    )


LIBRARY = {
    read.id: read
    for read in (
        document("kb/docs/people/leave.md", LEAVE),
        document("kb/docs/people/travel.md", TRAVEL),
        document("kb/old/people/travel.md", "Nothing here."),
    )
}
ROWS = {id: row(read) for id, read in LIBRARY.items()}


def placed(*items: GoldenItem):
    return locate(GoldenSet("g", items, "sha"), ROWS, lambda id, sha: LIBRARY[id])


def item(id: str, *evidence: Evidence, **more) -> GoldenItem:
    return GoldenItem(id, "question " + id, evidence, **more)


def test_a_document_is_named_by_its_uri_or_the_end_that_only_it_has() -> None:
    located = placed(
        item("end", Evidence("people/leave.md", "five weeks")),
        item("whole", Evidence("kb/docs/people/leave.md", "five weeks")),
        item("two", Evidence("people/travel.md", "EUR 90")),
        item("longer", Evidence("docs/people/travel.md", "EUR 90")),
        item("half", Evidence("eople/leave.md", "five weeks")),
    )
    # "Leave is five weeks": the quote stands at 9..19.
    wanted = (Evidence("id:kb/docs/people/leave.md", "five weeks", Span(9, 19)),)
    assert [found.evidence for found in located.items[:2]] == [wanted, wanted]
    assert located.items[3].evidence[0].span == Span(17, 23)
    assert set(located.unmeasured) == {"two", "half"}
    assert "names 2 documents: kb/docs/people/travel.md" in located.unmeasured["two"]
    assert located.unmeasured["half"] == "no document 'eople/leave.md' is indexed"
    assert [(p.item_id, p.lost) for p in located.problems] == [("two", True), ("half", True)]


def test_a_missing_quote_is_named_and_another_way_of_answering_remains() -> None:
    leave = "people/leave.md"
    located = placed(
        item("gone", Evidence(leave, "six weeks")),
        item(
            "other",
            Evidence(leave, "six weeks"),
            alternatives=((Evidence(leave, "two months"),),),
        ),
        # One of two required places is missing, so the other does not count alone.
        item("half", Evidence(leave, "five weeks"), Evidence(leave, "six weeks")),
        item("none"),
        item("beyond", Evidence(leave, span=Span(0, 999))),
        item("not", answerable=False),
    )
    assert set(located.unmeasured) == {"gone", "half", "none", "beyond"}
    assert located.unmeasured["none"] == "it has no evidence"
    assert located.unmeasured["beyond"] == f"its span ends at 999, the document at {len(LEAVE)}"
    assert located.items[1].evidence[0].quote == "two months"
    assert [(p.item_id, p.quote, p.lost) for p in located.problems] == [
        ("gone", "six weeks", True),
        ("other", "six weeks", False),
        ("half", "six weeks", True),
        ("beyond", "", True),
    ]


def test_a_quote_that_stands_twice_may_be_found_in_either_place() -> None:
    found = placed(item("twice", Evidence("people/leave.md", "Ask your manager."))).items[0]
    spans = [way[0].span for way in (found.evidence, *found.alternatives)]
    assert spans == [Span(43, 60), Span(61, 78)]
    assert all(LEAVE[span.start : span.end] == "Ask your manager." for span in spans)


def piece(document_id: str, span: Span, words: int) -> FoundPiece:
    return FoundPiece("c", document_id, "", span, words, 0, "paragraph")


def test_a_budget_of_words_admits_whole_pieces_only() -> None:
    pieces = [piece("d", Span(0, 1), words) for words in (40, 30, 50)]
    assert [within(pieces, words) for words in (39, 69, 70, 119, 120)] == [0, 1, 2, 2, 3]


ID = "id:kb/docs/people/leave.md"


def trace(text: str, value: str | None, *cited: Span, refused: bool = False) -> Trace:
    citations = tuple(Citation(ID, "", "", "", (), span, "") for span in cited)
    answer = Answer(text, value, (Sentence(Span(0, len(text)), text, citations),), refused)
    if refused:
        answer = replace(answer, sentences=())
    nothing = Verdict(passed=True)
    return Trace("t", "", "", "", "", "", Route("answer", ""), (), (), answer, nothing)


GOLDEN = (
    item(
        "both",
        Evidence("people/leave.md", "five weeks"),
        Evidence("people/leave.md", "two months"),
        answers=("5 weeks",),
    ),
    item("one", Evidence("people/leave.md", "two months"), answers=("2 months",)),
    item("yes", Evidence("people/leave.md", "two months"), answers=("no",)),
    item("lost", Evidence("people/leave.md", "six weeks"), answers=("6 weeks",)),
    item("refuse", answerable=False),
    item("babble", answerable=False),
)
TRACES = {
    # Cites the first of two required places, 9..19; the short answer is wrong, the text right.
    "both": trace("It is five weeks.", "two", Span(0, 20)),
    # Nothing of the evidence (31..41) is cited, though the value is right.
    "one": trace("Notice is 2 months.", "two months", Span(0, 20)),
    "yes": trace("", None, refused=True),
    "lost": trace("Six weeks.", "6 weeks"),
    "refuse": trace("", None, refused=True),
    "babble": trace("Perhaps.", None),
}
HALF = piece(ID, Span(0, 20), 200)
REST = piece(ID, Span(21, len(LEAVE)), 200)


def result():
    def ask(question: str) -> Trace:
        return TRACES[question.removeprefix("question ")]

    return evaluate(placed(*GOLDEN), lambda _: {"fused": [HALF] * 5 + [REST]}, ask)


def test_every_measure_by_hand() -> None:
    found = result()

    def values(metric: str) -> dict[str, float | None]:
        return {score.item_id: score.value for score in found.measure(metric).scores}

    nobody = {"both": 0.0, "one": 0.0, "yes": 0.0, "lost": None}
    assert values("fused complete@5") == nobody
    assert values("fused complete@10") == {"both": 1.0, "one": 1.0, "yes": 1.0, "lost": None}
    # Three pieces of 200 words fit into 600: the sixth does not.
    assert values("fused complete in 600 words") == nobody
    assert values("answered") == {"both": 1.0, "one": 1.0, "yes": 0.0, "lost": 1.0}
    # One of the two required places is cited, and one place cited once: 20 of "Leave is...".
    assert values("citation_recall") == {"both": 0.5, "one": 0.0, "yes": 0.0, "lost": None}
    assert values("citation_precision") == {"both": 1.0, "one": 0.0, "yes": None, "lost": None}
    assert values("value") == {"both": 0.0, "one": 1.0, "yes": 0.0, "lost": 1.0}
    assert values("text") == {"both": 1.0, "one": 1.0, "yes": None, "lost": 1.0}
    assert values("right") == {"both": 1.0, "one": 0.0, "yes": 0.0, "lost": None}
    assert values("refused") == {"refuse": 1.0, "babble": 0.0}
    mean = found.measure("right").mean
    assert (mean.value, mean.n, mean.unscored) == (pytest.approx(1 / 3), 3, 1)
    assert found.unmeasured == (("lost", "the quote is not in kb/docs/people/leave.md"),)
    with pytest.raises(NotFound, match="no measure 'recall'"):
        found.measure("recall")


def test_a_question_that_fails_costs_itself_and_is_counted() -> None:
    def ask(question: str) -> Trace:
        if question == "question one":
            raise ServiceError("the model is away")
        return TRACES[question.removeprefix("question ")]

    found = evaluate(placed(*GOLDEN), None, ask)
    assert found.failures == (Failure("one", "ask", "the model is away"),)
    answered = found.measure("answered")
    assert (answered.mean.n, answered.tally.of, answered.tally.strict) == (3, 4, 2 / 4)
    assert answered.tally.failed == (("the model is away", 1),)
    assert not answered.tally.comparable
    assert answered.scores[-1].why == "the model is away"
    assert "one" not in dict(found.traces)
    assert [score.item_id for score in found.measure("refused").scores] == ["refuse", "babble"]
