"""Pieces and marked places brought to documents, where trec_eval's measures apply."""

from __future__ import annotations

from collections.abc import Iterable

from answerable.records.evals import GoldenItem

MEASURES = (
    "nDCG@10",
    "recall@10",
    "recall@100",
    "P@10",
    "hit@10",
    "MRR",
    "MAP",
    "judged@10",
)
"""What is measured of every run, as `measure.retrieval.measure` names it."""


def ranked(pieces: Iterable[str]) -> tuple[str, ...]:
    """Documents, best first, from the documents of the pieces: repeats are dropped."""
    return tuple(dict.fromkeys(pieces))


def grades(item: GoldenItem) -> dict[str, int]:
    """Grade by document: the greatest among its marked and judged places."""
    found: dict[str, int] = {}
    for way in (item.evidence, *item.alternatives, item.judged):
        for evidence in way:
            known = found.get(evidence.document, evidence.grade)
            found[evidence.document] = max(known, evidence.grade)
    return found
