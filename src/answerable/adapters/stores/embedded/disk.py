"""Durable steps on files: what the store may do to a disk, one call each."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Files(Protocol):
    """The only operations by which the store changes a disk; each may be where power fails."""

    def make_folder(self, path: Path) -> None: ...
    def write_bytes(self, path: Path, data: bytes) -> None: ...
    def write_array(self, path: Path, array: NDArray[Any]) -> None: ...
    def sync_folder(self, path: Path) -> None: ...
    def swap(self, source: Path, target: Path) -> None: ...
    def remove(self, path: Path) -> None: ...


@dataclass(frozen=True, slots=True)
class Disk:
    """The machine's files: every write has reached the disk when the call returns."""

    def make_folder(self, path: Path) -> None:
        """The folder and its parents; one that is there already is left as it is."""
        path.mkdir(parents=True, exist_ok=True)

    def write_bytes(self, path: Path, data: bytes) -> None:
        """A whole file, synced."""
        with path.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def write_array(self, path: Path, array: NDArray[Any]) -> None:
        """An array in numpy's .npy form without pickles, synced."""
        with path.open("wb") as file:
            np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())

    def sync_folder(self, path: Path) -> None:
        """Make the names in a folder durable; Windows has no such call and needs none."""
        if os.name == "nt":
            return
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def swap(self, source: Path, target: Path) -> None:
        """Give `source` the name `target` in one atomic step, replacing what had it."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Delete a file or folder; what another process still holds (Windows) stays for later."""
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
            return
        try:
            path.unlink(missing_ok=True)
        except PermissionError:
            return
