"""Vectors kept between runs on a shelf, by the model that made them and the text they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.adapters.shelf import Shelf
from answerable.ports import Floats


@dataclass(frozen=True, slots=True)
class ShelvedVectors:
    """Fills `ports.VectorMemory`: float32 rows, little-endian, their number in front."""

    shelf: Shelf

    def recall(self, space: str, keys: Sequence[str]) -> Mapping[str, Floats]:
        """(windows, dimensions) rows of those `keys` that are known in a space."""
        found: dict[str, Floats] = {}
        for key, value in self.shelf.get_many(f"vectors {space}", keys).items():
            rows = int.from_bytes(value[:4], "little")
            flat = np.frombuffer(value, dtype="<f4", offset=4).astype(np.float32)
            found[key] = flat.reshape(rows, -1) if rows else flat.reshape(0, 0)
        return found

    def keep(self, space: str, rows: Mapping[str, Floats]) -> None:
        """Remember rows by key."""
        self.shelf.put_many(
            f"vectors {space}",
            {
                key: len(found).to_bytes(4, "little")
                + np.ascontiguousarray(found, dtype="<f4").tobytes()
                for key, found in rows.items()
            },
        )
