"""The ids of the last listing, kept in the source's own folder."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path

_FILE = "listed.json"


def read_known(folder: Path, boundary: str) -> frozenset[str]:
    """Ids of what was listed last within the same boundary; none if nothing can be read."""
    try:
        kept = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    if not isinstance(kept, Mapping) or kept.get("boundary") != boundary:
        return frozenset()
    ids = kept.get("ids")
    return frozenset(map(str, ids)) if isinstance(ids, list) else frozenset()


def keep_known(folder: Path, boundary: str, ids: Collection[str]) -> None:
    """Keep ids for the next listing; a folder that cannot be written is no reason to fail."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        staged = folder / f"{_FILE}.{os.getpid()}"
        staged.write_text(json.dumps({"boundary": boundary, "ids": sorted(ids)}), encoding="utf-8")
        staged.replace(folder / _FILE)
    except OSError:
        return
