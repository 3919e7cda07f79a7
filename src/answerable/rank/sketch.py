"""Sign bits of vectors: 1 bit a dimension, whose agreement stands in for the cosine."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

WORD: Final = 64
BLOCK: Final = 1 << 15


def sketch(vectors: Array) -> Array:
    """(n, width / 64 rounded up) uint64: the signs of rows after a fixed random rotation.

    Two rows at angle a differ in a share a / pi of the bits on average (Goemans and Williamson
    1995; Charikar 2002). The rotation depends on the width alone, so sketches of all segments
    compare.
    """
    count, width = vectors.shape
    words = -(-width // WORD)
    bits = np.zeros((count, words * WORD), dtype=bool)
    for start in range(0, count, BLOCK):
        part = slice(start, start + BLOCK)
        bits[part, :width] = vectors[part].astype(np.float32) @ _rotation(width) > 0
    return np.packbits(bits, axis=1).view(np.uint64) if words else np.zeros((count, 0), np.uint64)


def nearest(sketches: Array, question: Array, count: int, rows: Array | None = None) -> Array:
    """At least `count` rows (all, if there are fewer) whose sketch differs least from `question`.

    All rows of the last distance are in; `rows` limits the search to those and is rising.
    """
    picked = sketches if rows is None else sketches[rows]
    distances = np.bitwise_count(picked ^ question).sum(axis=1, dtype=np.uint16)
    if len(distances) <= count:
        return np.arange(len(sketches)) if rows is None else rows
    below = np.cumsum(np.bincount(distances))
    close = np.flatnonzero(distances <= np.searchsorted(below, count))
    return close if rows is None else rows[close]


@cache
def _rotation(width: int) -> Array:
    # the legacy generator's stream is frozen, so every installation makes the same rotation
    draws = np.random.RandomState(width).standard_normal((width, width))
    return np.linalg.qr(draws)[0].astype(np.float32)
