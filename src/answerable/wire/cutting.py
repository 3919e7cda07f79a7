"""The cut of a recipe's ingest half, with what it needs of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from answerable.errors import ConfigError
from answerable.flow.late import late_vectors
from answerable.flow.situate import roomier, situate
from answerable.ports import Embedder, Floats, TokenEmbedder
from answerable.records.docs import Document
from answerable.records.index import Chunk
from answerable.records.recipe import CutRule, EmbedderRule, Ingest
from answerable.text.cut import Cutter, cut, rule_for
from answerable.text.ruler import Ruler
from answerable.wire.table import build, build_cutter


def make_cut(
    ingest: Ingest, rulers: Mapping[str, Ruler], embedder: Callable[[], Embedder | None]
) -> Callable[[Document], tuple[Chunk, ...]]:
    """Cuts documents as the recipe says; the embedder is asked for only by a semantic cut."""
    rules = roomier(ingest.cut, ingest.situate)
    rule = ingest.situate
    chat = build("chat", rule.by, rule.options) if rule.by else None

    def alike(before: Sequence[str], after: Sequence[str]) -> Sequence[float]:
        model = embedder()
        if model is None:
            raise ConfigError("a semantic cut needs an embedder", "set ingest.embedder.name")
        return similarity(model, before, after)

    @cache
    def cutter(one: CutRule) -> Cutter:
        return build_cutter(one, alike)

    def run(document: Document) -> tuple[Chunk, ...]:
        chunks = cut(document, rules, cutter, rulers)
        if chat is None:
            return chunks
        unit = rule_for(document, rules).unit
        return situate(document, chunks, chat, rule, unit, rulers)

    return run


def make_late(
    rule: EmbedderRule, embedder: Embedder
) -> Callable[[Document, Sequence[Chunk]], Floats] | None:
    """Vectors pooled from a document's tokens, where the rule says so."""
    if rule.pooling != "late":
        return None
    if not isinstance(embedder, TokenEmbedder):
        raise ConfigError(
            f"embedder {rule.name!r} gives no token vectors",
            "set ingest.embedder.pooling = 'piece'",
        )

    def run(document: Document, chunks: Sequence[Chunk]) -> Floats:
        return late_vectors(embedder, document.text, [chunk.span for chunk in chunks])

    return run


def similarity(embedder: Embedder, before: Sequence[str], after: Sequence[str]) -> Sequence[float]:
    """Cosines of texts, pair by pair; each text is read once."""
    texts = list(dict.fromkeys([*before, *after]))
    rows = dict(zip(texts, embedder.passages(texts), strict=True))
    return [float(np.dot(rows[a], rows[b])) for a, b in zip(before, after, strict=True)]
