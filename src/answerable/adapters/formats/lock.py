"""Locks as JSON: a digest for each part that a run stands on, and for each thing in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from answerable.adapters.staged_file import write_whole
from answerable.errors import InputError
from answerable.records.experiments import Lock

FORMAT = 1


def read(path: Path) -> Lock | None:
    """The lock of a file, None when there is none; InputError if it cannot be used."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        if table["format"] != FORMAT:
            raise InputError(
                f"{path} has format {table['format']!r}, not {FORMAT}",
                "freeze the experiment again",
            )
        return Lock(
            str(table["experiment"]),
            int(table["version"]),
            str(table["sha256"]),
            _pairs(table["parts"]),
            tuple((part, _pairs(inside)) for part, inside in table["details"].items()),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise InputError(f"{path} is no lock: {fault}", "freeze the experiment again") from fault


def write(path: Path, lock: Lock) -> None:
    """The lock as a file that a version control can show line by line."""
    table = {
        "format": FORMAT,
        "experiment": lock.experiment,
        "version": lock.version,
        "sha256": lock.sha256,
        "parts": dict(lock.parts),
        "details": {part: dict(inside) for part, inside in lock.details},
    }
    write_whole(path, json.dumps(table, ensure_ascii=False, indent=1) + "\n")


def _pairs(table: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(digest)) for name, digest in table.items())
