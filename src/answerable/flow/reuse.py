"""An embedder that embeds a short text once, however many arms ask for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from answerable.ports import Embedder, Floats

MOST = 50_000
"""Texts remembered: about 80 MB of 384 dimensions."""


class Reusing:
    """Fills `ports.Embedder` from another one; questions and sentences come back in every arm."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._questions: dict[str, Floats] = {}
        self._passages: dict[str, Floats] = {}

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def limit(self) -> int:
        return self._embedder.limit

    def passages(self, texts: Sequence[str]) -> Floats:
        return self._reused(texts, self._passages, self._embedder.passages)

    def questions(self, texts: Sequence[str]) -> Floats:
        return self._reused(texts, self._questions, self._embedder.questions)

    def count(self, text: str) -> int:
        return self._embedder.count(text)

    def spans(self, text: str) -> NDArray[np.int64]:
        return self._embedder.spans(text)

    def _reused(
        self,
        texts: Sequence[str],
        known: dict[str, Floats],
        embed: Callable[[Sequence[str]], Floats],
    ) -> Floats:
        rows = {text: known[text] for text in texts if text in known}
        new = list(dict.fromkeys(text for text in texts if text not in rows))
        if new:
            if len(known) + len(new) > MOST:
                known.clear()
            fresh = dict(zip(new, embed(new), strict=True))
            known.update(fresh)
            rows.update(fresh)
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return np.stack([rows[text] for text in texts])
