"""What the answerer made of what it was shown, by deterministic measures.

Each function gives (value in 0..1, ""), or (None, why) where it is not measurable. Judge-based
measures have a port of their own, `ports.Judge`.
"""

from __future__ import annotations

from collections.abc import Callable

from answerable.measure.match import Place, held, touches, ways
from answerable.records.answers import Answer, Trace
from answerable.records.evals import Evidence, GoldenItem

Mark = tuple[float | None, str]
"""A value, or None with why."""

REFUSED = "the question was refused"


def cited(answer: Answer) -> tuple[Place, ...]:
    """The cited places, each once, in the order of the answer."""
    return tuple(
        dict.fromkeys((c.document_id, c.span) for s in answer.sentences for c in s.citations)
    )


def citation_precision(item: GoldenItem, answer: Answer) -> Mark:
    """Share of the cited places that touch marked evidence (of any way of answering).

    Precision and recall of citations after Gao et al., "Enabling LLMs to generate text with
    citations", EMNLP 2023, with marked places instead of an entailment model. A refusal cites
    nothing, which has no precision.
    """
    places = cited(answer)
    if not ways(item):
        return None, "no evidence is marked"
    if not places:
        return None, REFUSED if answer.refused else "nothing is cited"
    every = [evidence for way in ways(item) for evidence in way]
    true = sum(any(touches(evidence, place) for evidence in every) for place in places)
    return true / len(places), ""


def citation_recall(item: GoldenItem, answer: Answer) -> Mark:
    """Share of the required places that a citation touches, in the way best cited.

    A refusal cites none of them: 0.
    """
    if not ways(item):
        return None, "no evidence is marked"
    places = cited(answer)
    return max(_share(way, places) for way in ways(item)), ""


def evidence_used(item: GoldenItem, trace: Trace) -> Mark:
    """Of the required places that the answerer was shown whole, the share that it cites.

    The greatest over the ways of answering of which something was shown (completeness after Friel
    et al., "RAGBench", 2024, with marked places).
    """
    shown = [(p.chunk.document_id, p.shown) for p in trace.passages]
    places = cited(trace.answer)
    found = []
    for way in ways(item):
        seen = [e for e in way if _whole(e, shown)]
        if seen:
            found.append(_share(seen, places))
    if not found:
        return None, "none of its evidence was shown" if ways(item) else "no evidence is marked"
    return max(found), ""


def grounded(answer: Answer) -> Mark:
    """Share of the answer's claims whose verdict is supported; what was not checked is not."""
    if answer.refused:
        return None, REFUSED
    verdicts = [s.verdict for s in answer.sentences if s.verdict != "not_a_claim"]
    if not verdicts:
        return None, "the answer makes no claim"
    return verdicts.count("supported") / len(verdicts), ""


def answer_relevance(trace: Trace, absent: Callable[[str, str], tuple[str, ...]]) -> Mark:
    """Share of the question's words that the answer has, or the titles and headings it cites.

    `absent(question, text)` are the analysed words of the question that a text lacks. A stand-in
    that knows words, not meaning: it sees an answer beside the point, not a reworded one.
    """
    if trace.answer.refused:
        return None, REFUSED
    asked = len(absent(trace.question, ""))
    if not asked:
        return None, "the question has no words to look for"
    citations = [c for s in trace.answer.sentences for c in s.citations]
    heads = dict.fromkeys(name for c in citations for name in (c.title, *c.path))
    lacking = absent(trace.question, "\n".join((trace.answer.text, *heads)))
    return 1 - len(lacking) / asked, ""


def context_utilisation(trace: Trace) -> Mark:
    """Share of the passages shown of which the answer cites a place.

    The used share of the context (Friel et al., "RAGBench", 2024), counted in passages.
    """
    if trace.answer.refused:
        return None, REFUSED
    if not trace.passages:
        return None, "no passage was shown"
    places = cited(trace.answer)
    used = sum(
        any(p.chunk.document_id == document and p.shown.overlaps(span) for document, span in places)
        for p in trace.passages
    )
    return used / len(trace.passages), ""


def _share(way: tuple[Evidence, ...] | list[Evidence], places: tuple[Place, ...]) -> float:
    return sum(any(touches(e, place) for place in places) for e in way) / len(way)


def _whole(evidence: Evidence, shown: list[Place]) -> bool:
    if evidence.span is None:
        return any(touches(evidence, place) for place in shown)
    return held((evidence.document, evidence.span), shown) == "complete"
