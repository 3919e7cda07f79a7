"""Late chunking: a piece's vector pooled from token vectors of the long document around it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerable.flow.embed import window_spans
from answerable.ports import Floats, TokenEmbedder
from answerable.records.docs import Span

NEIGHBOURS = 64
"""Tokens that neighbouring windows share, so that each has some context on both sides."""


def late_vectors(embedder: TokenEmbedder, text: str, spans: Sequence[Span]) -> Floats:
    """(n, dimensions) unit rows for spans of a document's text, in order.

    The document is read in overlapping windows of the model's limit; a token's vector is taken
    from the window in whose middle it stands most. A span's row is the mean of the vectors of
    its tokens (Günther et al. 2024, "Late chunking"); a span without tokens has a row of zeros.
    """
    places, states = _tokens(embedder, text)
    rows = np.zeros((len(spans), embedder.dimensions), dtype=np.float32)
    for number, span in enumerate(spans):
        low, high = np.searchsorted(places, [span.start, span.end])
        if low < high:
            mean = states[low:high].mean(axis=0, dtype=np.float32)
            norm = float(np.linalg.norm(mean))
            rows[number] = mean / np.float32(norm) if norm > 0 else mean
    return rows


def _tokens(embedder: TokenEmbedder, text: str) -> tuple[np.ndarray, Floats]:
    """Where each token of the document begins, and its vector from its best window."""
    windows = window_spans(text, embedder, NEIGHBOURS)
    parts = [text[window.start : window.end] for window in windows]
    starts: list[np.ndarray] = []
    margins: list[np.ndarray] = []
    states: list[Floats] = []
    for window, part, vectors in zip(windows, parts, embedder.token_vectors(parts), strict=True):
        places = embedder.spans(part)[: len(vectors), 0]
        number = np.arange(len(places))
        starts.append(places + window.start)
        margins.append(np.minimum(number, len(places) - 1 - number))
        states.append(vectors[: len(places)])
    begin, margin = np.concatenate(starts), np.concatenate(margins)
    # Of the readings of one place in several windows the most central counts.
    order = np.lexsort((-margin, begin))
    first = np.append(True, begin[order][1:] != begin[order][:-1])
    chosen = order[first]
    return begin[chosen], np.concatenate(states)[chosen]
