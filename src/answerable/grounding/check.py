"""Every sentence of an answer against the places it cites; what cannot be judged does not pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from answerable.grounding.cite import without_marks
from answerable.grounding.claims import against, is_claim
from answerable.records.answers import Answer, Citation, Sentence, Verdict
from answerable.records.docs import Document


def check(answer: Answer, documents: Mapping[str, Document]) -> tuple[Answer, Verdict]:
    """The answer with a verdict on each sentence, and whether it passes.

    A sentence is supported when every citation quotes its document exactly and what it claims
    stands in the quotes (see `claims.against`). It passes when no claim is unsupported or
    not_checked and at least one is supported. A refusal passes.
    """
    if answer.refused:
        return answer, Verdict(True)
    judged: list[Sentence] = []
    reasons: list[str] = []
    for sentence in answer.sentences:
        verdict, reason = _judge(sentence, documents)
        judged.append(replace(sentence, verdict=verdict))
        if reason:
            reasons.append(f"{_short(sentence.text)}: {reason}")
    verdicts = {sentence.verdict for sentence in judged}
    passed = "supported" in verdicts and not verdicts & {"unsupported", "not_checked"}
    if "supported" not in verdicts and not reasons:
        reasons.append("the answer holds no claim that could be checked")
    return replace(answer, sentences=tuple(judged)), Verdict(passed, tuple(reasons))


def _judge(sentence: Sentence, documents: Mapping[str, Document]) -> tuple[str, str]:
    claim = without_marks(sentence.text).strip()
    if not sentence.citations:
        return ("unsupported", "no source is cited") if is_claim(claim) else ("not_a_claim", "")
    for citation in sentence.citations:
        fault = _false(citation, documents)
        if fault:
            return "unsupported", fault
    if any(citation.quote == sentence.text for citation in sentence.citations):
        return "supported", ""
    if not is_claim(claim):
        return "not_a_claim", ""
    return against(claim, [citation.quote for citation in sentence.citations])


def _false(citation: Citation, documents: Mapping[str, Document]) -> str:
    document = documents.get(citation.document_id)
    if document is None:
        return f"the cited document {citation.uri!r} is not among those shown"
    span = citation.span
    if not 0 <= span.start < span.end <= len(document.text):
        return f"the cited place {span.start}-{span.end} is not in {citation.uri!r}"
    if document.text[span.start : span.end] != citation.quote:
        return f"the quote does not stand in {citation.uri!r} at {span.start}-{span.end}"
    return ""


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
