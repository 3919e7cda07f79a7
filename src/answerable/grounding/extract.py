"""The embedded answerer: the sentences, rows and lines of the passages that answer, quoted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from answerable.grounding.asked import Asked, asked
from answerable.grounding.choose import beside, choose
from answerable.grounding.compose import compose
from answerable.grounding.kinds import NAMES, REQUIRED
from answerable.grounding.names import identifiers, stands_in
from answerable.grounding.score import Scored, score
from answerable.grounding.tasks import state, state_asked
from answerable.grounding.value import holds, value
from answerable.records.answers import Answer, Passage
from answerable.records.docs import Document

NAMED = 0.6
"""The share of the question's weight that a sentence must hold to give a name. Names of every kind
stand in any sentence: on SQuAD 1.1 (24 articles) 31 of 51 were right above it, 5 of 18 below."""


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
    absent when not measured), `value` (1 if the units hold a figure of the kind asked for, 0 if
    not, absent where words can answer), `name` (for who and where: 1 if the units agree, else
    0), `rare_missing` (weight of terms that stand nowhere in the index).
    With no passage the evidence has only `rare_missing`.
    """
    total = sum(weights.values())
    names = identifiers(question)
    missing = tuple(
        name
        for name in names
        if not any(stands_in(name, f"{p.title}\n{p.chunk.lead}\n{p.text}") for p in passages)
    )
    want = asked(question)
    scored = score(question, want, passages, documents, weights, terms, similarity)
    # What a sign in the text means (the box of a task) counts as said.
    said = {*known, *(term for one in scored[:1] for term in one.near)}
    absent = sum(weight for term, weight in weights.items() if term not in said)
    evidence: dict[str, float] = {"rare_missing": absent / total if total else 0.0}
    if passages:
        covered = [_coverage(p, weights, terms, total) for p in passages]
        evidence["coverage"] = max([*covered, *(one.covered for one in scored[:1])])
    if not scored:
        return Extract(_nothing(), evidence, missing)
    best = scored[0]
    evidence["sentence_coverage"] = best.own
    measured = [unit.similarity for unit in scored if unit.similarity is not None]
    if measured:
        evidence["similarity"] = max(0.0, min(1.0, max(measured)))
    tasks = state_asked(question)
    if tasks and state(best.unit.text) == tasks:
        chosen = [one for one in scored if state(one.unit.text) == tasks][:sentences]
    else:
        chosen = choose(scored, weights, total, sentences)
    second = beside(chosen, scored, sentences)
    answer = compose([*chosen, *second], passages, documents)
    short = _agreed(question, want, [*chosen, *second], weights, terms)
    if want.kind in REQUIRED:
        evidence["value"] = 1.0 if any(holds(question, want, one.unit) for one in chosen) else 0.0
    if want.kind in NAMES:
        evidence["name"] = 1.0 if short else 0.0
    return Extract(Answer(answer.text, short, answer.sentences, refused=False), evidence, missing)


def _agreed(
    question: str,
    want: Asked,
    quoted: Sequence[Scored],
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
) -> str | None:
    """The short answer on which the quoted units agree; None where they say different things.

    The first unit with something of the kind asked for must give it: one lower in the list is no
    stand-in for a better one in which two places could not be told apart. A unit that holds less
    of the question than the first, and nothing that the first does not, has no say.
    """
    shorts = [(one, value(question, want, one.unit, weights, terms)) for one in quoted]
    said = [(one, s) for one, s in shorts if s or holds(question, want, one.unit)]
    first, short = said[0] if said else (None, None)
    if first is None or short is None:
        return None
    if want.kind in NAMES and first.unit.kind != "row" and first.own < NAMED:
        return None
    others = {s.casefold() for one, s in said[1:] if s and not one.found < first.found}
    return short if others <= {short.casefold()} else None


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
