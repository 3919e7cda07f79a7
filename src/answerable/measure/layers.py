"""To which layer a metric belongs, and which way it is better."""

from __future__ import annotations

import re
from collections.abc import Iterable

RETRIEVAL, GENERATION, END_TO_END, OWN = "retrieval", "generation", "end to end", "own"
LAYERS = (RETRIEVAL, GENERATION, END_TO_END, OWN)

STAGES = ("lexical", "dense", "fused", "rerank")
"""Stages of a search that are measured apart, their name in front of the metric's."""

_KNOWN = {
    RETRIEVAL: "ndcg ndcg_exp recall p precision hit success mrr rr map ap rprec judged complete "
    "partial token_recall token_precision token_iou words",
    GENERATION: "citation_precision citation_recall evidence_used grounded answer_relevance "
    "context_utilisation",
    END_TO_END: "answered value text right strict refused",
}
_LAYER = {name: layer for layer, names in _KNOWN.items() for name in names.split()}
_LOWER = frozenset(("words",))
_DEPTH = re.compile(r"@\d+|\bin \d+ words")


def base(metric: str) -> str:
    """The name without stage, depth or budget: `complete` of `fused complete in 300 words`."""
    words = metric.lower().split()
    words = words[1:] if len(words) > 1 and words[0] in STAGES else words
    return words[0].partition("@")[0] if words else ""


def layer(metric: str) -> str:
    """`retrieval`, `generation` or `end to end`; `own` for a measure of the user's."""
    return _LAYER.get(base(metric), OWN)


def higher_is_better(metric: str) -> bool:
    """Whether more is better; a measure of the user's is taken to be so."""
    return base(metric) not in _LOWER


def leading(metrics: Iterable[str]) -> tuple[str, ...]:
    """The first metric of each layer and depth (or budget), and every measure of the user's.

    Those of single stages of a search lead nothing: the ranking that is used is made of them.
    """
    first: dict[tuple[str, str], str] = {}
    for metric in metrics:
        where, depth = layer(metric), _DEPTH.search(metric)
        if where == OWN:
            first.setdefault((where, metric), metric)
        elif metric.lower().split()[0] not in STAGES:
            first.setdefault((where, depth[0] if depth else ""), metric)
    return tuple(first.values())
