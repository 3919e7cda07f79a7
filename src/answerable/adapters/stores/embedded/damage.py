"""Reading index files without trusting them: sizes, digests and headers before any use."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError

REBUILD = "the index can be made again from the documents: `answerable sync --rebuild`"
_EDGE = 32 * 1024


@dataclass(frozen=True, slots=True)
class FileMark:
    """What a manifest says of one file: bytes, SHA-256 of all, SHA-256 of its edges.

    The edges (the first, middle and last 32 KiB) are checked whenever the file is opened, so a
    file that was cut, replaced or exchanged is seen at a cost that does not grow with its size;
    `sha256` is checked by `EmbeddedStore.verify`.
    """

    size: int
    sha256: str
    edges: str


def damaged(path: Path, what: str) -> InputError:
    """The refusal of one index file, naming it and the way out."""
    return InputError(f"index file {path} {what}", REBUILD)


def mark(path: Path) -> FileMark:
    """The mark of a file that was just written."""
    return FileMark(path.stat().st_size, whole_digest(path), edge_digest(path))


def whole_digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces of a megabyte."""
    total = sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            total.update(part)
    return total.hexdigest()


def edge_digest(path: Path) -> str:
    """SHA-256 of the first, middle and last 32 KiB of a file (of all of it when shorter)."""
    size = path.stat().st_size
    total = sha256()
    with path.open("rb") as file:
        if size <= 3 * _EDGE:
            total.update(file.read())
        else:
            for start in (0, (size - _EDGE) // 2, size - _EDGE):
                file.seek(start)
                total.update(file.read(_EDGE))
    return total.hexdigest()


def check_edges(path: Path, expected: FileMark) -> None:
    """InputError unless the file has the size and edges of its mark; FileNotFoundError if gone."""
    size = path.stat().st_size
    if size != expected.size:
        raise damaged(path, f"has {size} bytes where {expected.size} were written")
    if edge_digest(path) != expected.edges:
        raise damaged(path, "does not hold what was written (its checksum differs)")


def check_whole(path: Path, expected: FileMark) -> None:
    """InputError unless the whole file is what was written."""
    check_edges(path, expected)
    if whole_digest(path) != expected.sha256:
        raise damaged(path, "does not hold what was written (its checksum differs)")


def read_checked(path: Path, expected: FileMark) -> bytes:
    """A whole file in memory, its full digest checked."""
    data = path.read_bytes()
    if len(data) != expected.size or sha256(data).hexdigest() != expected.sha256:
        raise damaged(path, "does not hold what was written (its checksum differs)")
    return data


def map_array(path: Path, expected: FileMark) -> NDArray[Any]:
    """A read-only memory map of a .npy file, checked first; never a pickle, never objects."""
    check_edges(path, expected)
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, TypeError) as fault:
        if "mmap" in str(fault) or "empty" in str(fault):
            return _empty(path)
        raise damaged(path, f"is no array of numbers: {fault}") from fault
    if not isinstance(array, np.ndarray) or array.dtype.hasobject:
        raise damaged(path, "is no array of numbers")
    return array


def _empty(path: Path) -> NDArray[Any]:
    # An array without elements has no bytes to map, so some platforms refuse; it is read instead.
    try:
        array: NDArray[Any] = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, TypeError) as fault:
        raise damaged(path, f"is no array of numbers: {fault}") from fault
    return array


def map_bytes(path: Path, expected: FileMark) -> NDArray[np.uint8]:
    """A read-only memory map of any file as bytes, checked first."""
    check_edges(path, expected)
    if not expected.size:
        return np.empty(0, dtype=np.uint8)
    return np.memmap(path, dtype=np.uint8, mode="r")
