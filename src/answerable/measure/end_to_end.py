"""Whether the question was answered rightly, whatever went on between.

Each function gives (value, why): None with why where it is not measurable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from answerable.measure.answers import matches, normalise
from answerable.measure.generation import Mark, cited
from answerable.measure.match import touches, ways
from answerable.records.answers import Answer, Citation, Trace
from answerable.records.docs import Document
from answerable.records.evals import GoldenItem

NO_ANSWER = "no accepted answer is given"


def value(item: GoldenItem, answer: Answer) -> Mark:
    """1 if the short answer equals an accepted one after normalisation, 0 for a refusal."""
    if not item.answers:
        return None, NO_ANSWER
    return float(not answer.refused and matches(answer.value, item.answers)), ""


def text(item: GoldenItem, answer: Answer) -> Mark:
    """1 if the words of an accepted answer stand in a row in the answer's text.

    Not measured where only yes or no is accepted: they stand in any text.
    """
    if not item.answers:
        return None, NO_ANSWER
    if {normalise(accepted) for accepted in item.answers} <= {"yes", "no"}:
        return None, "only yes or no is accepted"
    return float(not answer.refused and says(answer.text, item.answers)), ""


def right(item: GoldenItem, answer: Answer) -> Mark:
    """1 if `value` or `text` holds and some marked evidence is cited."""
    if not item.answers or not ways(item):
        return None, "no evidence is marked" if item.answers else NO_ANSWER
    said = value(item, answer)[0] or text(item, answer)[0]
    every = [evidence for way in ways(item) for evidence in way]
    return float(bool(said) and any(touches(e, p) for e in every for p in cited(answer))), ""


def strict(item: GoldenItem, trace: Trace, documents: Mapping[str, Document]) -> Mark:
    """1 if nothing is wrong with the answer, else 0 with the `faults` as its why."""
    if item.answerable and (not item.answers or not ways(item)):
        return None, "no evidence is marked" if item.answers else NO_ANSWER
    found = faults(item, trace, documents)
    return float(not found), "; ".join(found)


def faults(item: GoldenItem, trace: Trace, documents: Mapping[str, Document]) -> tuple[str, ...]:
    """What keeps a trace from a strict pass: causes as `measure.strict` names them.

    An answerable question: the short answer (or the whole text) equals an accepted one, every
    citation is of a document that was shown and quotes it exactly, and all places of one way of
    answering are cited. An unanswerable one: refused, without a value or a citation.
    """
    answer = trace.answer
    if not item.answerable:
        found = [] if answer.refused and answer.value is None else ["answered though unanswerable"]
        return (*found, *(["sources though unanswerable"] if cited(answer) else []))
    if answer.refused:
        return ("refused though answerable",)
    found = []
    if not (matches(answer.value, item.answers) or matches(answer.text, item.answers)):
        found.append("wrong answer")
    citations = [c for s in answer.sentences for c in s.citations]
    if not all(_true(c, trace, documents) for c in citations):
        found.append("unknown id")
    places = cited(answer)
    if not any(all(any(touches(e, p) for p in places) for e in way) for way in ways(item)):
        found.append("required id missing")
    return tuple(found)


def says(text: str, accepted: Iterable[str]) -> bool:
    """Whether the words of an accepted answer stand in a row in the text."""
    words = f" {normalise(text)} "
    return any(f" {normalise(answer)} " in words for answer in accepted if normalise(answer))


def _true(citation: Citation, trace: Trace, documents: Mapping[str, Document]) -> bool:
    """Whether a citation is of a document that was shown, and quotes it exactly."""
    shown = [p for p in trace.passages if p.chunk.document_id == citation.document_id]
    span = citation.span
    if not shown or not 0 <= span.start < span.end:
        return False
    document = documents.get(citation.document_id)
    if document is not None:
        return document.text[span.start : span.end] == citation.quote
    return any(
        p.shown.holds(span)
        and p.text[span.start - p.shown.start : span.end - p.shown.start] == citation.quote
        for p in shown
    )
