"""A generation as files by their checksums: taken out of one index, put into another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from answerable.adapters.stores.embedded.disk import Files
from answerable.adapters.stores.embedded.manifest import (
    GENERATIONS,
    MANIFEST,
    SEGMENTS,
    FileMarks,
    Kept,
    Manifest,
    SegmentMark,
    decode_manifest,
    encode_manifest,
    read_manifest,
)
from answerable.records.index import GenerationInfo

Fetched = Callable[[str], Path]
"""The file of a SHA-256, already checked against it."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A generation: the SHA-256 of its manifest, and every file of it by SHA-256."""

    info: GenerationInfo
    manifest: str
    files: tuple[tuple[str, Path], ...]


def parcel(root: Path, kept: Kept) -> Parcel:
    """What a kept generation consists of, the manifest among the files."""
    folder = root / GENERATIONS / kept.name
    manifest = read_manifest(folder / MANIFEST, kept.sha256)
    files = {kept.sha256: folder / MANIFEST}
    for place, marks in _places(root, folder, manifest):
        files.update((mark.sha256, place / name) for name, mark in marks)
    return Parcel(manifest.info, kept.sha256, tuple(files.items()))


def place(files: Files, root: Path, data: bytes, fetched: Fetched, spare: str) -> Kept:
    """Write a generation into an index; it is not yet current.

    A name that something else has here already becomes one of `spare` (six digits, unused).
    """
    given = decode_manifest(root / MANIFEST, data)
    for folder in (root, root / GENERATIONS, root / SEGMENTS):
        files.make_folder(folder)
    segments = [
        _segment(files, root, segment, fetched, f"{spare}-{number}")
        for number, segment in enumerate(given.segments, 1)
    ]
    name = spare if (root / GENERATIONS / given.info.name).exists() else given.info.name
    manifest = replace(given, info=replace(given.info, name=name), segments=tuple(segments))
    data = encode_manifest(manifest)
    folder = root / GENERATIONS / name
    _copy(files, folder, manifest.files, fetched)
    files.write_bytes(folder / MANIFEST, data)
    files.sync_folder(folder)
    files.sync_folder(folder.parent)
    return Kept(name, sha256(data).hexdigest())


def _segment(
    files: Files, root: Path, segment: SegmentMark, fetched: Fetched, spare: str
) -> SegmentMark:
    folder = root / SEGMENTS / segment.name
    if folder.exists():
        if all(_is(folder / name, mark.sha256) for name, mark in segment.files):
            return segment
        segment = replace(segment, name=spare)
        folder = root / SEGMENTS / spare
    _copy(files, folder, segment.files, fetched)
    files.sync_folder(folder.parent)
    return segment


def _copy(files: Files, folder: Path, marks: FileMarks, fetched: Fetched) -> None:
    files.make_folder(folder)
    for name, mark in marks:
        files.write_bytes(folder / name, fetched(mark.sha256).read_bytes())
    files.sync_folder(folder)


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and sha256(path.read_bytes()).hexdigest() == digest


def _places(root: Path, folder: Path, manifest: Manifest) -> Sequence[tuple[Path, FileMarks]]:
    segments = [(root / SEGMENTS / one.name, one.files) for one in manifest.segments]
    return [(folder, manifest.files), *segments]
