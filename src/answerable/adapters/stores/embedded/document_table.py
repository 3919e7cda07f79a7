"""The documents of one generation: rows found by id, facets as codes, text read when asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.adapters.stores.embedded.damage import damaged, map_array, map_bytes, mark
from answerable.adapters.stores.embedded.disk import Files
from answerable.adapters.stores.embedded.ids import Keys, find, key_of, name_of
from answerable.adapters.stores.embedded.manifest import Facets, FileMarks
from answerable.records.codec import canonical_json
from answerable.records.docs import Access
from answerable.records.index import IndexedDocument

ROWS = "documents.jsonl"
_KEYS, _PLACES, _OFFSETS = "documents.keys.npy", "documents.places.npy", "documents.offsets.npy"

SEGMENT, ORDINAL, ACCESS, TYPE, LANGUAGE, SOURCE = range(6)
"""Columns of `places`."""


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTable(Mapping[str, IndexedDocument]):
    """Rows by document id, in the order of ids; each is decoded once, when it is first read.

    `ids` uint64 (d), sorted; `places` int32 (d, 6): segment, ordinal in it, then codes of access,
    type, language and source; line i of the rows is text[offsets[i]:offsets[i+1]].
    """

    path: Path
    ids: Keys
    places: NDArray[np.int32]
    offsets: NDArray[np.int64]
    text: NDArray[np.uint8]
    seen: dict[int, IndexedDocument]

    def find(self, document_id: str) -> int:
        """The row of a document, -1 if it is not here."""
        return find(self.ids, None, key_of(document_id))

    def row(self, number: int) -> IndexedDocument:
        """Row `number` decoded; InputError when its line is damaged."""
        if number not in self.seen:
            start, end = int(self.offsets[number]), int(self.offsets[number + 1])
            try:
                line = self.text[start:end].tobytes().decode("utf-8", "surrogatepass")
                self.seen[number] = _decoded(json.loads(line))
            except (ValueError, TypeError, KeyError) as fault:
                raise damaged(self.path, f"is damaged in row {number + 1}: {fault}") from fault
        return self.seen[number]

    def __getitem__(self, document_id: str) -> IndexedDocument:
        number = self.find(document_id)
        if number < 0:
            raise KeyError(document_id)
        return self.row(number)

    def __contains__(self, document_id: object) -> bool:
        return isinstance(document_id, str) and self.find(document_id) >= 0

    def __iter__(self) -> Iterator[str]:
        return (name_of(key) for key in self.ids.tolist())

    def __len__(self) -> int:
        return len(self.ids)


def write_documents(
    files: Files,
    folder: Path,
    placed: Sequence[tuple[int, int, int]],
    rows: Mapping[int, IndexedDocument],
) -> tuple[Facets, FileMarks]:
    """Write the table for `placed` (key, segment, ordinal); `rows` are by key."""
    codes: tuple[dict[Any, int], ...] = ({}, {}, {}, {})
    places, lines = [], []
    ordered = sorted(placed)
    for key, segment, ordinal in ordered:
        row = rows[key]
        values = (row.access, row.type, row.language, row.source)
        coded = [
            seen.setdefault(value, len(seen)) for seen, value in zip(codes, values, strict=True)
        ]
        places.append((segment, ordinal, *coded))
        lines.append(canonical_json(row).encode("utf-8", "surrogatepass") + b"\n")
    offsets = np.zeros(len(lines) + 1, dtype=np.int64)
    np.cumsum([len(line) for line in lines], out=offsets[1:])
    files.write_bytes(folder / ROWS, b"".join(lines))
    arrays: dict[str, NDArray[Any]] = {
        _KEYS: np.array([key for key, _, _ in ordered], dtype=np.uint64),
        _PLACES: np.array(places, dtype=np.int32).reshape(len(places), 6),
        _OFFSETS: offsets,
    }
    for name, array in arrays.items():
        files.write_array(folder / name, array)
    marks = tuple((name, mark(folder / name)) for name in (ROWS, *arrays))
    return Facets(*(tuple(seen) for seen in codes)), marks


def open_documents(folder: Path, marks: FileMarks) -> DocumentTable:
    """The table as memory maps; InputError when damaged, FileNotFoundError when a file is gone."""
    known = dict(marks)
    if sorted(known) != sorted((ROWS, _KEYS, _PLACES, _OFFSETS)):
        raise damaged(folder, "does not list the files of a document table")
    keys, places, offsets = (
        map_array(folder / name, known[name]) for name in (_KEYS, _PLACES, _OFFSETS)
    )
    text = map_bytes(folder / ROWS, known[ROWS])
    if places.shape != (len(keys), 6) or len(offsets) != len(keys) + 1:
        raise damaged(folder / _PLACES, "does not fit the other files of the table")
    return DocumentTable(folder / ROWS, keys, places, offsets, text, {})


def named_in(path: Path) -> frozenset[tuple[str, str]]:
    """(id, sha256) of each document of a file of rows; InputError when it is damaged."""
    try:
        rows = [json.loads(line) for line in path.read_bytes().splitlines()]
        return frozenset((str(row["id"]), str(row["sha256"])) for row in rows)
    except (ValueError, TypeError, KeyError, RecursionError) as fault:
        raise damaged(path, f"is damaged: {fault}") from fault


def _decoded(plain: dict[str, Any]) -> IndexedDocument:
    # What codec.from_plain gives, in about a third of its time: a sync reads every row.
    access = plain["access"]
    return IndexedDocument(
        **{
            **plain,
            "access": Access(
                tuple(access["readers"]),
                access["everyone"],
                tuple(tuple(one) for one in access.get("also", ())),
            ),
            "meta": tuple((key, value) for key, value in plain["meta"]),
            "includes": tuple(plain["includes"]),
            "notes": tuple(plain["notes"]),
        }
    )


def allowed_codes(values: Sequence[Access], principals: Sequence[str]) -> NDArray[np.bool_]:
    """For each distinct access whether any of `principals` may read under it."""
    who = frozenset(principals)
    return np.array([access.allows(who) for access in values], dtype=np.bool_)
