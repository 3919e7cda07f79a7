"""The embedded answerer: the sentences, rows and lines of the passages that answer, quoted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from answerable.grounding.asked import asked
from answerable.grounding.choose import beside, choose
from answerable.grounding.compose import compose
from answerable.grounding.kinds import REQUIRED
from answerable.grounding.names import identifiers, stands_in
from answerable.grounding.score import score
from answerable.grounding.value import value
from answerable.records.answers import Answer, Passage
from answerable.records.docs import Document


@dataclass(frozen=True, slots=True)
class Extract:
    """An answer in quotes with the numbers that speak for and against it.

    `evidence`: shares in 0..1, see `extract`; `missing`: identifiers of the question that no
    passage holds.
    """

    answer: Answer
    evidence: Mapping[str, float]
    missing: tuple[str, ...]


def extract(
    question: str,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    *,
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
    known: Collection[str],
    similarity: Callable[[Sequence[str]], Sequence[float]] | None,
    sentences: int,
) -> Extract:
    """Quote what answers `question`, at most `sentences` units (header rows come on top).

    `weights` are the question's terms with their weight, `terms` the analysis of any text,
    `known` the question's terms that the index has, `similarity` the cosine of each text with the
    question. Evidence: `coverage` (the question's weight found in the best passage with its
    heading and title), `sentence_coverage` (in the best unit alone), `similarity` (best cosine,
    absent when not measured), `value` (1 if a short answer of the kind asked for was found, 0 if
    not, absent where words can answer), `rare_missing` (weight of terms that stand nowhere in
    the index).
    With no passage the evidence has only `rare_missing`.
    """
    total = sum(weights.values())
    names = identifiers(question)
    missing = tuple(
        name
        for name in names
        if not any(stands_in(name, f"{p.title}\n{p.chunk.lead}\n{p.text}") for p in passages)
    )
    absent = sum(weight for term, weight in weights.items() if term not in known)
    evidence: dict[str, float] = {"rare_missing": absent / total if total else 0.0}
    want = asked(question)
    scored = score(question, want, passages, documents, weights, terms, similarity)
    if passages:
        evidence["coverage"] = max(_coverage(p, weights, terms, total) for p in passages)
    if not scored:
        return Extract(_nothing(), evidence, missing)
    best = scored[0]
    evidence["sentence_coverage"] = best.own
    measured = [unit.similarity for unit in scored if unit.similarity is not None]
    if measured:
        evidence["similarity"] = max(0.0, min(1.0, max(measured)))
    chosen = choose(scored, weights, total, sentences)
    second = beside(chosen, scored, sentences)
    answer = compose([*chosen, *second], passages, documents)
    shorts = [value(question, want, one.unit, weights, terms) for one in (*chosen, *second)]
    short = next((found for found in shorts if found), None)
    if want.kind in REQUIRED:
        evidence["value"] = 1.0 if any(shorts[: len(chosen)]) else 0.0
    return Extract(Answer(answer.text, short, answer.sentences, refused=False), evidence, missing)


def _coverage(
    passage: Passage,
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
    total: float,
) -> float:
    text = "\n".join((passage.title, passage.chunk.lead, *passage.chunk.path, passage.text))
    found = terms(text)
    return sum(w for term, w in weights.items() if term in found) / total if total else 0.0


def _nothing() -> Answer:
    return Answer(text="", value=None, sentences=(), refused=True, reason="nothing was found")
