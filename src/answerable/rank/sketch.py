"""Sign bits of vectors, whose agreement stands in for the cosine: 2 bits a dimension."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

WORD: Final = 64
WIDER: Final = 8
"""The signs let through this many times the rows that are left when the finer ones are seen."""

BLOCK: Final = 1 << 15
"""Rows at a time, so that what is between two steps stays in the cache."""

FEW: Final = 16
"""Up to this many times the wanted rows one sketch alone is fine enough."""

WORTH: Final = 150_000_000
"""Rows scanned in numpy, in this process, before numba is loaded: some 8 ns a row are saved, and
loading takes 1.3 s. Where numba is loaded already, it is used from LARGE rows on."""

LARGE: Final = 50_000


def words(width: int) -> int:
    """How many uint64 hold a bit for each of `width` dimensions."""
    return -(-width // WORD)


def sketch(vectors: Array) -> tuple[Array, Array]:
    """(signs, finer) of (n, width) rows: sign bits after two fixed random rotations, uint64.

    Two rows at angle a differ in a share a / pi of the bits on average (Goemans and Williamson
    1995; Charikar 2002). The rotations depend on the width alone, so the sketches of all segments
    compare. `signs` is (words, n), because all of it is read for every question and one word of
    all rows lies in one stretch; `finer` is (n, words), because only picked rows of it are read.
    """
    count, width = vectors.shape
    signs = np.zeros((words(width), count), dtype=np.uint64)
    finer = np.zeros((count, words(width)), dtype=np.uint64)
    for start in range(0, count, BLOCK):
        part = slice(start, min(start + BLOCK, count))
        rows = vectors[part].astype(np.float32)
        signs[:, part] = _bits(rows, 0).T
        finer[part] = _bits(rows, 1)
    return signs, finer


def nearest(
    signs: Array, finer: Array, question: Array, count: int, rows: Array | None = None
) -> Array:
    """At least `count` rows (all, if there are fewer) whose bits differ little from `question`'s.

    `question` is a vector (width,). The signs pick WIDER times as many rows, both sketches
    together the rest; all rows of the last distance are in. `rows` limits the search to those
    and is rising, as is the result.
    """
    total = len(finer) if rows is None else len(rows)
    if total <= count:
        return np.arange(total) if rows is None else rows
    asked = question[None].astype(np.float32)
    coarse, fine = _bits(asked, 0)[0], _bits(asked, 1)[0]
    if rows is not None:
        # words of one row of `finer` lie together, so picked rows cost one look each
        distances = _differing(finer[rows], fine)
        if total <= FEW * count:
            return _kept(rows, _least(distances, count))
        places = _least(distances, WIDER * count)
        close = distances[places] + _differing(signs[:, rows[places]].T, coarse)
        return _kept(rows[places], _least(close, count))
    distances, counts = _scan(signs, coarse)
    places = _least(distances, WIDER * count, counts)
    close = distances[places] + _differing(finer[places], fine)
    return _kept(places, _least(close, count))


def warm() -> bool:
    """Load the compiled scan ahead of questions, as a server would; False where there is none."""
    if not _Meter.tried:
        _Meter.tried = True
        try:
            _Meter.kernel = importlib.import_module("answerable.rank.sketch_kernel")
        except (ImportError, RuntimeError):
            # numba raises RuntimeError where it finds no folder for its cache of compiled code
            _Meter.kernel = None
    return _Meter.kernel is not None


class _Meter:
    """The rows that numpy has scanned, and the compiled scan once it is loaded."""

    scanned = 0
    tried = False
    kernel: ModuleType | None = None


def _scan(signs: Array, question: Array) -> tuple[Array, Array | None]:
    """Distances of all rows, and how many rows have each where that was counted on the way."""
    total = signs.shape[1]
    _Meter.scanned += total
    if _Meter.scanned > WORTH or (total > LARGE and "numba" in sys.modules):
        warm()
    if _Meter.kernel is not None:
        seen: tuple[Array, Array] = _Meter.kernel.scan(signs, question)
        return seen
    distances = np.zeros(total, dtype=np.uint16)
    for start in range(0, total, BLOCK):
        part = slice(start, start + BLOCK)
        for mine, word in zip(signs, question, strict=True):
            distances[part] += np.bitwise_count(mine[part] ^ word)
    return distances, None


def _kept(rows: Array, places: Array) -> Array:
    kept: Array = rows[places]
    return kept


def _differing(sketches: Array, question: Array) -> Array:
    differing: Array = np.bitwise_count(sketches ^ question).sum(axis=1, dtype=np.uint16)
    return differing


def _least(distances: Array, count: int, counts: Array | None = None) -> Array:
    """Places of the `count` least distances, and of all equal to the last of them."""
    if len(distances) <= count:
        return np.arange(len(distances))
    if counts is None:
        counts = np.bincount(distances)
    last = np.searchsorted(np.cumsum(counts), count)
    return np.flatnonzero(distances <= np.uint16(last))


def _bits(rows: Array, number: int) -> Array:
    width = rows.shape[1]
    bits = np.zeros((len(rows), words(width) * WORD), dtype=bool)
    bits[:, :width] = rows @ _rotation(width, number) > 0
    return np.packbits(bits, axis=1).view(np.uint64)


@cache
def _rotation(width: int, number: int) -> Array:
    # the legacy generator's stream is frozen, so every installation makes the same rotation
    draws = np.random.RandomState(2 * width + number).standard_normal((width, width))
    return np.linalg.qr(draws)[0].astype(np.float32)
