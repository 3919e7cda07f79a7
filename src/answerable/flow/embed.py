"""Searched texts to vectors, whatever their length: a row per window of the model's limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from answerable.errors import ConfigError
from answerable.ports import Embedder, Floats, Progress
from answerable.records.docs import Span

OVERLAP = 32
"""Tokens that neighbouring windows share, so that a sentence at an edge is whole in one."""

STEP = 128
"""Windows sent to the model between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What embedding made of texts.

    `vectors` has a unit row per window and `owners[j]` is the index of the text of row j
    (non-decreasing, every text at least once). `over` counts the texts longer than the model's
    limit, `cut` the tokens of theirs that no row covers (0 with windows).
    """

    vectors: Floats
    owners: tuple[int, ...]
    over: int
    cut: int


def embed_chunks(
    embedder: Embedder,
    texts: Sequence[str],
    long: str = "windows",
    progress: Progress = lambda stage, done, total: None,
) -> Embedded:
    """Rows for `texts`; a text over the limit becomes windows, or with `head` loses its end."""
    if long not in ("windows", "head"):
        raise ConfigError(f"long = {long!r} is unknown", "one of: windows, head")
    parts: list[str] = []
    owners: list[int] = []
    over = cut = 0
    for owner, text in enumerate(texts):
        # a token takes at least a character, so short texts need no counting
        tokens = embedder.count(text) if len(text) > embedder.limit else 0
        pieces = [text]
        if tokens > embedder.limit:
            over += 1
            if long == "windows":
                pieces = windows(text, embedder)
            else:
                cut += tokens - embedder.limit
        parts.extend(pieces)
        owners.extend([owner] * len(pieces))
    vectors = np.zeros((len(parts), embedder.dimensions), dtype=np.float32)
    order = sorted(range(len(parts)), key=lambda part: len(parts[part]))
    for start in range(0, len(order), STEP):
        rows = order[start : start + STEP]
        vectors[rows] = embedder.passages([parts[row] for row in rows])
        progress("embed", start + len(rows), len(order))
    return Embedded(vectors, tuple(owners), over, cut)


def windows(text: str, embedder: Embedder, overlap: int = OVERLAP) -> list[str]:
    """Overlapping parts of `text` in order, none over the model's limit, together all of it."""
    return [text[span.start : span.end] for span in window_spans(text, embedder, overlap)]


def window_spans(text: str, embedder: Embedder, overlap: int = OVERLAP) -> list[Span]:
    """Where the windows of `text` lie.

    They begin and end at white space where there is any, because a word cut in two is read as
    other tokens than the whole.
    """
    spans = embedder.spans(text)
    limit = embedder.limit
    if len(spans) <= limit:
        return [Span(0, len(text))]
    overlap = min(overlap, limit // 4)
    heads = np.append(np.flatnonzero(np.append(True, spans[1:, 0] > spans[:-1, 1])), len(spans))
    found: list[Span] = []
    start = end = 0
    while end < len(spans):
        end = _at_most(heads, min(start + limit, len(spans)), start + limit // 2)
        part = text[spans[start, 0] : spans[end - 1, 1]]
        while embedder.count(part) > limit and end > start + 1:
            end -= max(1, embedder.count(part) - limit)
            part = text[spans[start, 0] : spans[end - 1, 1]]
        found.append(Span(int(spans[start, 0]), int(spans[end - 1, 1])))
        start = max(_at_most(heads, max(end - overlap, 0), start + 1), start + 1)
    return found


def _at_most(heads: NDArray[np.int64], most: int, least: int) -> int:
    """The last word boundary in least..most, or `most` if there is none."""
    head = int(heads[np.searchsorted(heads, most, side="right") - 1])
    return head if head >= least else most
