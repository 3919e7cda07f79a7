"""A golden set read from wherever it lies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from answerable.adapters.formats import golden
from answerable.adapters.formats.beir_golden import read_folder
from answerable.adapters.staged_file import write_whole
from answerable.errors import NotFound
from answerable.flow.reanchor import Carried
from answerable.records.evals import GoldenSet


def read_golden(path: Path) -> tuple[GoldenSet, tuple[str, ...]]:
    """A golden `.jsonl` or BEIR folder, and what could not be used as `file:line: what`.

    `FOLDER#SPLIT` names the split of a BEIR folder (test if none), `FILE#GROUP` the items of one
    group. Several spans of a question are all needed or are alternatives as
    `adapters/formats/beir_golden.py` says. Raises NotFound, or InputError when nothing is left.
    """
    part = "" if path == folder_of(path) else path.name.rpartition("#")[2]
    path = folder_of(path)
    if path.is_dir():
        return read_folder(path, part or "test")
    found, problems = golden.read(path)
    return (_group(found, part, path) if part else found), problems


def folder_of(path: Path) -> Path:
    """The folder or file that a golden set's name means: itself, or what stands before its #."""
    name = "" if path.exists() else path.name.rpartition("#")[0]
    return path.with_name(name) if name else path


def write_golden(given: GoldenSet, path: Path) -> None:
    """A golden set as JSON lines, replaced in one step."""
    write_whole(path, golden.text(given))


def rewrite_golden(path: Path, carried: Sequence[Carried]) -> None:
    """A golden file with the items that an edit changed; lines of others stay to the byte."""
    changed = {one.before.id: one.item for one in carried if one.item != one.before}
    if changed:
        write_whole(path, golden.rewritten(path.read_bytes(), changed))


def quarantine_path(path: Path) -> Path:
    """Where the items go that an edit of the documents left without evidence."""
    return path.with_name(f"{path.name}.quarantine.jsonl")


def quarantine(path: Path, lost: Sequence[Carried]) -> None:
    """Add to the quarantine of a golden file: each item as it was, and why it is there.

    `left` says whether the item stays in the file by another way of answering.
    """
    if not lost:
        return
    there = quarantine_path(path)
    before = there.read_bytes() if there.is_file() else b""
    rows = (
        {"reason": one.why, "left": one.item is not None, "item": golden.row(one.before)}
        for one in lost
    )
    new = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_whole(there, before + new.encode("utf-8", "replace"))


def _group(found: GoldenSet, group: str, path: Path) -> GoldenSet:
    items = tuple(item for item in found.items if item.group == group)
    if not items:
        there = sorted({item.group for item in found.items if item.group})
        raise NotFound(
            f"{path} has no item of group {group!r}", f"groups: {', '.join(there) or 'none'}"
        )
    digest = sha256(f"{found.sha256}#{group}".encode()).hexdigest()
    return replace(found, name=f"{found.name}-{group}", items=items, sha256=digest)
