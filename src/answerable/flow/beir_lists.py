"""The ranked pieces of one cutting of a collection: lexical, dense, or both fused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import UsageError
from answerable.flow.lexemes import Lexemes
from answerable.ports import Embedder
from answerable.rank import bm25, dense, fuse
from answerable.rank.sparse import SparseSegment
from answerable.records.collection import Collection
from answerable.records.docs import Span
from answerable.records.index import Hit, Ranking

MODES = ("lexical", "dense", "hybrid")
FUSIONS = ("rrf", "convex")


@dataclass(frozen=True, slots=True)
class BeirRule:
    """How a collection is searched and scored.

    `mode` is lexical, dense or hybrid. Hybrid lists are made one by `fusion`: `rrf` (reciprocal
    ranks with constant `rrf`) or `convex` (BM25 over its ceiling and the cosine, the latter with
    `weight` 0..1). The first `depth` pieces are each replaced by their document, repeats dropped
    and the first `keep` documents ranked; `k` is the depth that goes to a model. `lead_boost`
    weighs terms of the title against terms of the text.
    """

    k1: float = 0.9
    b: float = 0.4
    lead_boost: float = 1.0
    depth: int = 1000
    keep: int = 100
    k: int = 10
    seed: int = 0
    mode: str = "lexical"
    rrf: int = 60
    fusion: str = "rrf"
    weight: float = 0.5

    def __post_init__(self) -> None:
        if min(self.depth, self.keep, self.k) < 1:
            raise UsageError(
                f"depth {self.depth}, keep {self.keep} and k {self.k} must be at least 1"
            )
        if self.mode not in MODES:
            raise UsageError(f"no mode {self.mode!r}", f"one of {', '.join(MODES)}")
        if self.fusion not in FUSIONS:
            raise UsageError(f"no fusion {self.fusion!r}", f"one of {', '.join(FUSIONS)}")
        if not 0 <= self.weight <= 1:
            raise UsageError(f"weight {self.weight} of the dense list is not within 0..1")


def lists(
    collection: Collection,
    spans: Sequence[Sequence[Span]],
    lexemes: Lexemes,
    queries: Sequence[Mapping[str, float]],
    embedder: Embedder | None,
    rules: Sequence[BeirRule],
) -> Iterator[list[list[int]]]:
    """For each rule, for each question, the ordinals of its first `depth` pieces, best first.

    A list that several rules need is made once.
    """
    index = None
    if any(rule.mode != "dense" for rule in rules):
        index = _index(collection, spans, lexemes)
    lexical: dict[tuple[float, ...], list[bm25.Found]] = {}
    near: dict[int, list[dense.Found]] = {}
    for rule in rules:
        key = (rule.k1, rule.b, rule.lead_boost, rule.depth)
        if index is not None and rule.mode != "dense" and key not in lexical:
            lexical[key] = _lexical(index, queries, rule)
        if rule.mode == "lexical":
            yield [[hit[1] for hit in found] for found in lexical[key]]
            continue
        if embedder is None:
            raise UsageError(f"mode {rule.mode} needs an embedder", "give one, or mode lexical")
        if rule.depth not in near:
            near[rule.depth] = _dense(collection, spans, embedder, rule)
        if rule.mode == "dense" or index is None:
            yield [[hit[1] for hit in found] for found in near[rule.depth]]
            continue
        pairs = zip(lexical[key], near[rule.depth], queries, strict=True)
        fused = (_fused(_named(one, other), query, index, rule) for one, other, query in pairs)
        yield [[int(hit.chunk_id) for hit in found[: rule.depth]] for found in fused]


def _index(
    collection: Collection, spans: Sequence[Sequence[Span]], lexemes: Lexemes
) -> SparseSegment:
    """The index of one cutting, each document's title before its pieces."""
    owners = np.repeat(np.arange(len(spans)), [len(found) for found in spans])
    flat = np.array([(span.start, span.end) for found in spans for span in found], np.int64)
    titles = [document.title for document in collection.documents]
    return lexemes.segment(
        owners, flat.reshape(-1, 2), [titles[owner] for owner in owners.tolist()]
    )


def _lexical(
    index: SparseSegment, queries: Sequence[Mapping[str, float]], rule: BeirRule
) -> list[bm25.Found]:
    return bm25.search_many(
        [index],
        [np.ones(len(index), dtype=bool)],
        queries,
        rule.depth,
        k1=rule.k1,
        b=rule.b,
        lead_boost=rule.lead_boost,
    )


def _fused(
    rankings: Mapping[str, Ranking],
    query: Mapping[str, float],
    index: SparseSegment,
    rule: BeirRule,
) -> Ranking:
    if rule.fusion == "rrf":
        return fuse.rrf(rankings, rule.rrf)
    pieces = len(index)
    counts = bm25.frequencies([index], [np.ones(pieces, dtype=bool)], list(query))
    # What a piece would score that held every term without end: the greatest BM25 can give.
    ceiling = sum(
        weight * float(np.log1p((pieces - n + 0.5) / (n + 0.5)))
        for term, weight in query.items()
        if (n := counts.get(term, 0))
    )
    weights = {"lexical": 1 - rule.weight, "dense": rule.weight}
    return fuse.convex(rankings, weights, {"lexical": (0.0, ceiling), "dense": (0.0, 1.0)})


def _dense(
    collection: Collection, spans: Sequence[Sequence[Span]], embedder: Embedder, rule: BeirRule
) -> list[dense.Found]:
    """One vector a piece (title above its text, cut at the embedder's limit), compared exactly."""
    texts = [
        "\n".join(filter(None, (document.title, document.text[span.start : span.end])))
        for document, found in zip(collection.documents, spans, strict=True)
        for span in found
    ]
    index = dense.build(embedder.passages(texts), np.arange(len(texts)))
    asked = embedder.questions(list(collection.questions.values()))
    live = [np.ones(len(texts), dtype=bool)]
    return dense.search_many([index], live, asked, rule.depth, exact=True)


def _named(lexical: bm25.Found, near: dense.Found) -> dict[str, tuple[Hit, ...]]:
    # Padded, so that ties by chunk id are ties by ordinal.
    return {
        name: tuple(Hit(f"{ordinal:010}", score, name) for _, ordinal, score in found)
        for name, found in (("lexical", lexical), ("dense", near))
    }
