"""What a generation consists of, and which generation is current: two small text files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from answerable.adapters.stores.embedded.damage import REBUILD, FileMark, damaged
from answerable.errors import InputError, StaleIndex
from answerable.records.codec import canonical_json, from_plain
from answerable.records.docs import Access
from answerable.records.index import GenerationInfo

FORMAT = 2
MANIFEST = "manifest.json"
CURRENT = "CURRENT"
GENERATIONS = "generations"
SEGMENTS = "segments"

FileMarks = tuple[tuple[str, FileMark], ...]

_GENERATION = re.compile(r"[0-9]{6,}")
_LINE = re.compile(r"([0-9]{6,}) ([0-9a-f]{64})\n")
_SEGMENT = re.compile(r"[0-9]{6,}-[0-9]+")
_FILE = re.compile(r"[a-z][a-z_.]*")


@dataclass(frozen=True, slots=True)
class SegmentMark:
    """One segment folder: its name, how many chunks and vectors were written, and its files."""

    name: str
    chunks: int
    vectors: int
    files: FileMarks


@dataclass(frozen=True, slots=True)
class Facets:
    """The different values that documents of a generation have, by code."""

    access: tuple[Access, ...]
    type: tuple[str, ...]
    language: tuple[str, ...]
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole generation; `files` are those of its own folder beside the manifest."""

    format: int
    info: GenerationInfo
    facets: Facets
    segments: tuple[SegmentMark, ...]
    files: FileMarks


@dataclass(frozen=True, slots=True)
class Kept:
    """A generation that may be opened: its name and the SHA-256 of its manifest."""

    name: str
    sha256: str


def encode_manifest(manifest: Manifest) -> bytes:
    """The manifest as the bytes of its file."""
    return canonical_json(manifest).encode("utf-8", "surrogatepass")


def read_manifest(path: Path, expected: str) -> Manifest:
    """The manifest whose SHA-256 is `expected`; InputError when damaged, StaleIndex when newer."""
    data = path.read_bytes()
    if sha256(data).hexdigest() != expected:
        raise damaged(path, "does not hold what was written (its checksum differs)")
    return decode_manifest(path, data)


def decode_manifest(path: Path, data: bytes) -> Manifest:
    """The manifest of a file's bytes; InputError when it is none, StaleIndex when newer."""
    try:
        plain = json.loads(data.decode("utf-8", "surrogatepass"))
        version = plain["format"]
        if version != FORMAT:
            raise StaleIndex(
                f"index {path.parent} has format {version}; this version reads format {FORMAT}",
                REBUILD,
            )
        manifest = from_plain(Manifest, plain)
    except (ValueError, KeyError, TypeError, InputError) as fault:
        raise damaged(path, f"is no manifest: {fault}") from fault
    _check_names(path, manifest)
    return manifest


def _check_names(path: Path, manifest: Manifest) -> None:
    # Names become paths, so none may lead out of the index folder.
    if not _GENERATION.fullmatch(manifest.info.name):
        raise damaged(path, f"names the generation {manifest.info.name!r}")
    names = [name for name, _ in manifest.files]
    for segment in manifest.segments:
        if not _SEGMENT.fullmatch(segment.name):
            raise damaged(path, f"names the segment {segment.name!r}")
        names.extend(name for name, _ in segment.files)
    for name in names:
        if not _FILE.fullmatch(name):
            raise damaged(path, f"names the file {name!r}")


def encode_current(kept: Sequence[Kept]) -> bytes:
    """The pointer file: a line per kept generation, the current one first."""
    return "".join(f"{one.name} {one.sha256}\n" for one in kept).encode("ascii")


def read_current(folder: Path) -> tuple[Kept, ...]:
    """The kept generations, the current one first; empty when there is no index yet."""
    path = folder / CURRENT
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    text = data.decode("ascii", "replace")
    lines = _LINE.findall(text)
    if not lines or "".join(f"{name} {digest}\n" for name, digest in lines) != text:
        raise damaged(path, "does not name a generation")
    return tuple(Kept(name, digest) for name, digest in lines)
