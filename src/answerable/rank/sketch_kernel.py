"""The scan of sign bits compiled: one pass over all rows, distances and their histogram."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Array = NDArray[Any]


def scan(signs: Array, question: Array) -> tuple[Array, Array]:
    """(distances uint16 (n,), how many rows have each distance) for (words, n) signs."""
    signs = np.ascontiguousarray(signs).view()
    # compiled code is kept per array type, and a read-only array is a type of its own
    signs.flags.writeable = False
    distances = np.empty(signs.shape[1], dtype=np.uint16)
    counts = np.zeros(64 * len(signs) + 1, dtype=np.int64)
    _scan(signs, question, distances, counts)
    return distances, counts


@intrinsic
def _ones(context: Any, word: Any) -> Any:
    """How many bits of a word are set, as the one instruction that it is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        counted = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
        return builder.call(counted, arguments)

    return types.uint64(types.uint64), generate


@njit(cache=True, nogil=True)
def _scan(signs, question, distances, counts):  # type: ignore[no-untyped-def]
    words, rows = signs.shape
    for row in range(rows):
        differing = np.uint64(0)
        for word in range(words):
            differing += _ones(signs[word, row] ^ question[word])  # type: ignore[call-arg]
        distances[row] = differing
        counts[differing] += 1
