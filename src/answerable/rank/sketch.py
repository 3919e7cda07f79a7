"""Sign bits of vectors, whose agreement stands in for the cosine: 2 bits a dimension."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

WORD: Final = 64
HALVES: Final = 2
"""Each half holds the signs after a rotation of its own; the second one refines the first."""

WIDER: Final = 8
"""The first half lets through this many times the rows that are wanted of the second."""

BLOCK: Final = 1 << 15
"""Rows at a time, so that what is between two steps stays in the cache."""


def words(width: int) -> int:
    """How many uint64 a sketch of `width` dimensions has."""
    return HALVES * -(-width // WORD)


def sketch(vectors: Array) -> Array:
    """(words, n) uint64 for (n, width) rows: the signs after two fixed random rotations.

    Two rows at angle a differ in a share a / pi of the bits on average (Goemans and Williamson
    1995; Charikar 2002). The rotations depend on the width alone, so the sketches of all segments
    compare. Words come first, so that one word of all rows is read in one stretch.
    """
    count, width = vectors.shape
    half = words(width) // HALVES
    made = np.zeros((HALVES * half, count), dtype=np.uint64)
    for start in range(0, count, BLOCK):
        part = slice(start, min(start + BLOCK, count))
        for number in range(HALVES):
            bits = np.zeros((part.stop - start, half * WORD), dtype=bool)
            bits[:, :width] = vectors[part].astype(np.float32) @ _rotation(width, number) > 0
            packed = np.packbits(bits, axis=1).view(np.uint64)
            made[number * half : (number + 1) * half, part] = packed.T
    return made


def nearest(sketches: Array, question: Array, count: int, rows: Array | None = None) -> Array:
    """At least `count` rows (all, if there are fewer) whose sketch differs little from `question`.

    `question` is one sketch (words,). The first half picks WIDER times as many rows, both halves
    together the rest; all rows of the last distance are in. `rows` limits the search to those
    and is rising, as is the result.
    """
    half = len(sketches) // HALVES
    distances = _distances(sketches[:half], question[:half], rows)
    total = len(distances)
    if total <= count:
        return np.arange(total) if rows is None else rows
    places = _least(distances, WIDER * count)
    wide = places if rows is None else rows[places]
    close = distances[places] + _distances(sketches[half:], question[half:], wide)
    found: Array = wide[_least(close, count)]
    return found


def _distances(sketches: Array, question: Array, rows: Array | None) -> Array:
    total = sketches.shape[1] if rows is None else len(rows)
    out = np.zeros(total, dtype=np.uint16)
    for start in range(0, total, BLOCK):
        part = slice(start, start + BLOCK)
        for mine, asked in zip(sketches, question, strict=True):
            picked = mine[part] if rows is None else mine[rows[part]]
            out[part] += np.bitwise_count(picked ^ asked)
    return out


def _least(distances: Array, count: int) -> Array:
    """Places of the `count` least distances, and of all equal to the last of them."""
    if len(distances) <= count:
        return np.arange(len(distances))
    last = np.searchsorted(np.cumsum(np.bincount(distances)), count)
    return np.flatnonzero(distances <= last)


@cache
def _rotation(width: int, number: int) -> Array:
    # the legacy generator's stream is frozen, so every installation makes the same rotation
    draws = np.random.RandomState(HALVES * width + number).standard_normal((width, width))
    return np.linalg.qr(draws)[0].astype(np.float32)
