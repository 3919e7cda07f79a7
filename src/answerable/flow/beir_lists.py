"""The ranked pieces of one cutting of a collection: lexical, dense, or both fused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import UsageError
from answerable.flow.lexemes import Lexemes, segment
from answerable.ports import Embedder
from answerable.rank import bm25, dense, fuse
from answerable.records.collection import Collection
from answerable.records.docs import Span
from answerable.records.index import Hit

MODES = ("lexical", "dense", "hybrid")


@dataclass(frozen=True, slots=True)
class BeirRule:
    """How a collection is searched and scored.

    `mode` is lexical, dense or hybrid (reciprocal rank fusion with constant `rrf`). The first
    `depth` pieces are each replaced by their document, repeats dropped and the first `keep`
    documents ranked; `k` is the depth that goes to a model. `lead_boost` weighs terms of the
    title against terms of the text.
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

    def __post_init__(self) -> None:
        if min(self.depth, self.keep, self.k) < 1:
            raise UsageError(
                f"depth {self.depth}, keep {self.keep} and k {self.k} must be at least 1"
            )
        if self.mode not in MODES:
            raise UsageError(f"no mode {self.mode!r}", f"one of {', '.join(MODES)}")


def lists(
    collection: Collection,
    spans: Sequence[Sequence[Span]],
    lexemes: Lexemes,
    queries: Sequence[Mapping[str, float]],
    embedder: Embedder | None,
    rule: BeirRule,
) -> list[list[int]]:
    """For each question the ordinals of its first `depth` pieces, best first."""
    lexical = _lexical(spans, lexemes, queries, rule) if rule.mode != "dense" else []
    if rule.mode == "lexical":
        return [[hit[1] for hit in found] for found in lexical]
    if embedder is None:
        raise UsageError(f"mode {rule.mode} needs an embedder", "give one, or mode lexical")
    near = _dense(collection, spans, embedder, rule)
    if rule.mode == "dense":
        return [[hit[1] for hit in found] for found in near]
    return [
        [int(hit.chunk_id) for hit in fuse.rrf(_named(one, other), rule.rrf)][: rule.depth]
        for one, other in zip(lexical, near, strict=True)
    ]


def _lexical(
    spans: Sequence[Sequence[Span]],
    lexemes: Lexemes,
    queries: Sequence[Mapping[str, float]],
    rule: BeirRule,
) -> list[bm25.Found]:
    index = segment(lexemes, spans)
    return bm25.search_many(
        [index],
        [np.ones(len(index), dtype=bool)],
        queries,
        rule.depth,
        k1=rule.k1,
        b=rule.b,
        lead_boost=rule.lead_boost,
    )


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
