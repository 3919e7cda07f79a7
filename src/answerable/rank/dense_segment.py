"""One set of unit vectors as plain arrays: what a dense search reads, from memory or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError
from answerable.rank.sketch import sketch, words

Array = NDArray[Any]

_NAMES: Final = ("vectors", "signs", "finer", "owners")
_HINT: Final = "the index file is damaged; build the index again"
_NEAR_UNIT: Final = 1e-5
"""Rows this near to length 1 are kept to the bit, so that carried rows never drift."""


@dataclass(frozen=True, slots=True, eq=False)
class DenseSegment:
    """Rows of vectors, and the chunk that each row belongs to.

    `vectors` float32 (n, width), each of length 1, or all zeros for a text without content;
    `signs` uint64 (words, n) and `finer` uint64 (n, words) their sign bits (see `sketch`);
    `owners` int32 (n,) the ordinal of the chunk. `single` says that row i belongs to chunk i,
    for all rows.
    """

    vectors: Array
    signs: Array
    finer: Array
    owners: Array
    single: bool

    def __len__(self) -> int:
        """How many rows it holds, those of deleted chunks included."""
        return len(self.owners)

    def arrays(self) -> dict[str, Array]:
        """All of it by name, ready to be written as one .npy file each."""
        return {name: getattr(self, name) for name in _NAMES}

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> DenseSegment:
        """The segment over `arrays`, which may be read-only memory maps.

        Raises InputError for arrays that do not fit together.
        """
        if missing := [name for name in _NAMES if name not in arrays]:
            raise InputError(f"dense segment without {', '.join(missing)}", _HINT)
        # plain arrays over the same memory: indexing a memmap object costs microseconds each
        plain = {name: np.asarray(arrays[name]) for name in _NAMES}
        vectors, owners = plain["vectors"], plain["owners"]
        rows, width = vectors.shape if vectors.ndim == 2 else (-1, 0)
        expected = {
            "vectors": (np.float32, (rows, width)),
            "signs": (np.uint64, (words(width), rows)),
            "finer": (np.uint64, (rows, words(width))),
            "owners": (np.int32, (rows,)),
        }
        for name, array in plain.items():
            kind, shape = expected[name]
            if array.dtype != kind or array.shape != shape:
                raise InputError(
                    f"dense segment: {name} is {array.dtype} {array.shape}, expected "
                    f"{np.dtype(kind)} {shape}",
                    _HINT,
                )
        if rows and int(owners.min()) < 0:
            raise InputError(f"dense segment: a row belongs to chunk {int(owners.min())}", _HINT)
        single = bool(np.array_equal(owners, np.arange(rows, dtype=np.int32)))
        return cls(**plain, single=single)

    def rows_of(self, passes: Array | None) -> Array | None:
        """The rows, rising, of the chunks that a bool array lets through; None for None (all)."""
        if passes is None:
            return None
        if self.single:
            return np.flatnonzero(passes[: len(self.owners)])
        return np.flatnonzero(passes[self.owners])


def build(vectors: Array, owners: Array) -> DenseSegment:
    """A segment of `vectors` (n, width) whose row j belongs to chunk `owners[j]` (from 0).

    Rows are brought to length 1; zero rows stay. Raises InputError naming the first row that is
    not finite, and for shapes that do not fit.
    """
    given = np.asarray(vectors, dtype=np.float32)
    chunks = np.asarray(owners)
    if given.ndim != 2 or chunks.shape != given.shape[:1]:
        raise InputError(
            f"vectors of shape {given.shape} for {chunks.shape} owners", "one owner a row"
        )
    if len(chunks) and not 0 <= int(chunks.min()) <= int(chunks.max()) < 2**31:
        raise InputError(f"owners reach from {chunks.min()} to {chunks.max()}", "ordinals from 0")
    finite = np.isfinite(given).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise InputError(
            f"vector {row} (of chunk {int(chunks[row])}) is not finite", "embed this text again"
        )
    rows = unit(given)
    signs, finer = sketch(rows)
    parts = {"vectors": rows, "signs": signs, "finer": finer, "owners": chunks.astype(np.int32)}
    return DenseSegment.of(parts)


def merge(segments: Sequence[DenseSegment], live: Sequence[Array]) -> DenseSegment:
    """One segment of the live chunks, in order; ordinals count the live chunks from 0.

    `live[i]` is a bool array over all chunks of segment i, also those without a row.
    """
    if not segments:
        return build(np.zeros((0, 0), np.float32), np.zeros(0, np.int32))
    parts: dict[str, list[Array]] = {name: [] for name in _NAMES}
    base = 0
    for segment, alive in zip(segments, live, strict=True):
        mask = np.asarray(alive, dtype=bool)
        rows = segment.rows_of(mask)
        places = np.cumsum(mask) - 1 + base
        parts["vectors"].append(segment.vectors[rows])
        parts["signs"].append(segment.signs[:, rows])
        parts["finer"].append(segment.finer[rows])
        parts["owners"].append(places[segment.owners[rows]].astype(np.int32))
        base += int(mask.sum())
    return DenseSegment.of(
        {
            name: np.concatenate(arrays, axis=-1 if name == "signs" else 0)
            for name, arrays in parts.items()
        }
    )


def unit(vectors: Array) -> Array:
    """Rows brought to length 1 (in their own precision); zero rows and unit rows as they are."""
    # a row is scaled by its largest entry first: squares of tiny or huge numbers leave the range
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    scaled = vectors / np.where(largest > 0, largest, 1)
    norms = np.sqrt(np.square(scaled, dtype=np.float64).sum(axis=1, keepdims=True))
    off = np.abs(norms * largest - 1) > _NEAR_UNIT
    made = scaled / np.where(norms > 0, norms, 1)
    return np.where(off, made, vectors).astype(vectors.dtype)
