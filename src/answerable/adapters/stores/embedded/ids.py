"""Ids of documents and chunks as stored: 16 hex digits are one unsigned 64-bit number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError

Keys = NDArray[np.uint64]


def key_of(name: str) -> int:
    """The number of a 16-digit lower-case hex id; InputError for anything else."""
    try:
        number = int(name, 16)
    except ValueError:
        number = -1
    if name != f"{number:016x}":
        raise InputError(f"not an id of 16 hex digits: {name!r}")
    return number


def name_of(key: int) -> str:
    """The id of a number; the order of numbers is the order of ids."""
    return f"{int(key):016x}"


def keys_of(names: Sequence[str]) -> Keys:
    """One number per id."""
    return np.array([key_of(name) for name in names], dtype=np.uint64)


def find(keys: Keys, order: NDArray[np.int32] | None, key: int) -> int:
    """Where `key` stands in `keys`, sorted by `order` (None: sorted already); -1 if nowhere."""
    place = int(np.searchsorted(keys, np.uint64(key), sorter=order))
    if place >= len(keys):
        return -1
    at = place if order is None else int(order[place])
    return at if int(keys[at]) == key else -1
