"""What no kept generation names: the remains of crashes and of generations let go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from answerable.adapters.stores.embedded.disk import Files
from answerable.adapters.stores.embedded.manifest import (
    CURRENT,
    GENERATIONS,
    MANIFEST,
    SEGMENTS,
    Kept,
    read_manifest,
)


def sweep(files: Files, root: Path, kept: Sequence[Kept]) -> None:
    """Remove every generation and segment that `kept` does not need; only a writer may call it.

    A reader that has such files open keeps them: an unlinked file lives until it is closed
    (POSIX), or refuses to go until the next sweep (Windows).
    """
    generations = {one.name for one in kept}
    needed: set[str] = set()
    for one in kept:
        manifest = read_manifest(root / GENERATIONS / one.name / MANIFEST, one.sha256)
        needed.update(segment.name for segment in manifest.segments)
    for folder, names in ((root / GENERATIONS, generations), (root / SEGMENTS, needed)):
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if path.name not in names:
                    files.remove(path)
    beside = root / f"{CURRENT}.new"
    if beside.exists():
        files.remove(beside)
