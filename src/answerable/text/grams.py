"""Runs of characters as numbers, to tell fast where a string may stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SIZE = 4
_ASKED = 24
_LEAST, _MOST = 1 << 8, 1 << 16


def gram_codes(text: str, size: int) -> NDArray[np.uint64]:
    """A number for each run of `size` characters, in order: equal runs have equal numbers."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    count = len(points) - size + 1
    if count <= 0:
        return np.zeros(0, np.uint64)
    codes = np.zeros(count, np.uint64)
    for offset in range(size):
        codes = (codes + points[offset : offset + count] + np.uint64(1)) * _FACTOR
    return codes ^ (codes >> np.uint64(31))


class Sieve:
    """Which of many texts may hold a string: never leaves out one that does.

    Of each text it is kept which runs of four characters stand in it, by hash in about as many
    places as the text has characters (Bloom, CACM 1970, with one hash).
    """

    def __init__(self, texts: Iterable[str]) -> None:
        rows: dict[int, list[int]] = {}
        marks: dict[int, list[NDArray[np.bool_]]] = {}
        self._count = 0
        for number, text in enumerate(texts):
            size = min(_MOST, max(_LEAST, 1 << max(0, len(text) - 1).bit_length()))
            row = np.zeros(size, np.bool_)
            row[_places(text, size)] = True
            rows.setdefault(size, []).append(number)
            marks.setdefault(size, []).append(row)
            self._count = number + 1
        self._groups = [
            (size, np.array(rows[size]), np.ascontiguousarray(np.array(marks.pop(size)).T))
            for size in rows
        ]

    def may(self, wanted: str) -> NDArray[np.bool_]:
        """For each text whether it may hold `wanted`; all where that is too short to tell."""
        found = np.zeros(self._count, np.bool_)
        step = max(1, (len(wanted) - _SIZE) // _ASKED)
        asked = gram_codes(wanted, _SIZE)[::step]
        for size, numbers, marks in self._groups:
            found[numbers] = marks[asked & np.uint64(size - 1)].all(axis=0)
        return found


def _places(text: str, size: int) -> NDArray[np.uint64]:
    return gram_codes(text, _SIZE) & np.uint64(size - 1)


class Grams:
    """Where each run of `size` characters stands in one text."""

    def __init__(self, text: str, size: int) -> None:
        self._text, self._size = text, size
        codes = gram_codes(text, size)
        self._order = np.argsort(codes, kind="stable")
        self._codes = codes[self._order]

    def places(self, wanted: str, offsets: Sequence[int], most: int) -> list[list[int]]:
        """For each offset in `wanted`, the first `most` places of the run that begins there."""
        codes = gram_codes(wanted, self._size)[list(offsets)]
        first = np.searchsorted(self._codes, codes, side="left")
        last = np.minimum(np.searchsorted(self._codes, codes, side="right"), first + most)
        return [
            [at for at in self._order[low:high].tolist() if self._is(at, wanted, offset)]
            for offset, low, high in zip(offsets, first.tolist(), last.tolist(), strict=True)
        ]

    def _is(self, at: int, wanted: str, offset: int) -> bool:
        run = wanted[offset : offset + self._size]
        return self._text.startswith(run, at)
