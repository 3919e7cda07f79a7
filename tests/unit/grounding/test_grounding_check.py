"""The gate: only what stands in the cited text passes."""

from __future__ import annotations

import pytest

from answerable.grounding.check import check
from answerable.grounding.cite import cited
from answerable.records.answers import Answer, Citation, Sentence
from answerable.records.docs import Document, Span


def document(text: str) -> Document:
    return Document("d", "d.md", "D", text, (), "0", "plain")


def gate(source: str, answer: str) -> tuple[list[str], bool]:
    held = document(source)
    citation = Citation("d", "d.md", "D", "", (), Span(0, len(source)), source)
    judged, verdict = check(cited(answer, [citation]), {"d": held})
    return [sentence.verdict for sentence in judged.sentences], verdict.passed


SOURCE = "The lid is not red. Returns are accepted within 14 days of the invoice by Ms. Quist."


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Returns are accepted within 14 days [1].", "supported"),
        ("Returns are accepted within fourteen days [1].", "supported"),
        ("Returns are accepted within 30 days [1].", "unsupported"),
        ("Returns are accepted within 14 weeks [1].", "unsupported"),
        ("Returns are not accepted within 14 days [1].", "unsupported"),
        ("The lid is red [1].", "unsupported"),
        ("The lid is not red [1].", "supported"),
        ("Returns are accepted by Ms. Marrable [1].", "not_checked"),
        ("ERR-4120 returns are accepted [1].", "unsupported"),
        ("Returns are accepted within 14 days.", "unsupported"),
        ("Returns are accepted [2].", "unsupported"),
    ],
)
def test_one_sentence(answer: str, verdict: str) -> None:
    assert gate(SOURCE, answer) == ([verdict], verdict == "supported")


def test_greetings_and_questions_are_no_claims_and_do_not_pass_alone() -> None:
    assert gate(SOURCE, "Hello! The lid is not red [1]. Anything else?") == (
        ["not_a_claim", "supported", "not_a_claim"],
        True,
    )
    assert gate(SOURCE, "Hello!") == (["not_a_claim"], False)


def test_one_bad_sentence_withholds_the_answer() -> None:
    assert gate(SOURCE, "The lid is not red [1]. It is blue [1].")[1] is False


@pytest.mark.parametrize("span", [Span(0, 3), Span(4, 8), Span(5, 500), Span(7, 7)])
def test_a_quote_that_does_not_stand_where_it_says(span: Span) -> None:
    citation = Citation("d", "d.md", "D", "", (), span, "lid")
    answer = Answer("lid", None, (Sentence(Span(0, 3), "lid", (citation,)),), refused=False)
    judged, verdict = check(answer, {"d": document("The lid is red.")})
    assert (judged.sentences[0].verdict, verdict.passed) == ("unsupported", False)
    assert "d.md" in verdict.reasons[0]


def test_a_document_that_was_not_shown_supports_nothing() -> None:
    citation = Citation("x", "x.md", "X", "", (), Span(0, 3), "lid")
    answer = Answer("lid", None, (Sentence(Span(0, 3), "lid", (citation,)),), refused=False)
    assert check(answer, {})[1].passed is False


def test_a_refusal_passes_and_an_empty_answer_does_not() -> None:
    assert check(Answer("", None, (), refused=True), {})[1].passed
    assert not check(Answer("", None, (), refused=False), {})[1].passed
