"""What the last listing told, kept in the source's own folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FILE = "listed.json"


@dataclass(frozen=True, slots=True)
class Known:
    """Ids that were listed, and keys of the spaces whose permissions were read."""

    ids: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()


def read_known(folder: Path, site: str, boundary: str) -> Known:
    """What is known of a site, with the ids only of the same boundary; nothing if unreadable."""
    try:
        kept = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Known()
    if not isinstance(kept, Mapping) or kept.get("site") != site:
        return Known()
    same = kept.get("boundary") == boundary
    return Known(_texts(kept.get("ids")) if same else frozenset(), _texts(kept.get("told")))


def keep_known(folder: Path, site: str, boundary: str, known: Known) -> None:
    """Keep it for the next listing; a folder that cannot be written is no reason to fail."""
    kept = {
        "site": site,
        "boundary": boundary,
        "ids": sorted(known.ids),
        "told": sorted(known.told),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        staged = folder / f"{_FILE}.{os.getpid()}"
        staged.write_text(json.dumps(kept), encoding="utf-8")
        staged.replace(folder / _FILE)
    except OSError:
        return


def _texts(values: Any) -> frozenset[str]:
    return frozenset(map(str, values)) if isinstance(values, list) else frozenset()
