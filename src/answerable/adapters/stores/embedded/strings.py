"""Distinct strings as two arrays: their UTF-8 bytes end to end, and where each begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Pool:
    """Collects strings while a table is written; equal strings get one code."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def code(self, text: str) -> int:
        """The number of `text`, a new one if it was not seen yet."""
        return self._codes.setdefault(text, len(self._codes))

    def strings(self) -> Strings:
        """All strings collected, by code."""
        return Strings.pack(list(self._codes))


@dataclass(frozen=True, slots=True)
class Strings:
    """`data` uint8 (bytes), `offsets` int64 (count + 1); string i is data[offsets[i]:offsets[i+1]].

    The arrays may be read-only memory maps.
    """

    data: NDArray[Any]
    offsets: NDArray[Any]

    @staticmethod
    def pack(texts: Sequence[str]) -> Strings:
        """The strings in their order."""
        parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(parts) + 1, dtype=np.int64)
        np.cumsum([len(part) for part in parts], out=offsets[1:])
        return Strings(np.frombuffer(b"".join(parts), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, code: int) -> str:
        start, end = int(self.offsets[code]), int(self.offsets[code + 1])
        return self.data[start:end].tobytes().decode("utf-8", "surrogatepass")
