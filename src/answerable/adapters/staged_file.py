"""Files written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from answerable.adapters.stores.embedded.disk import Disk


def write_whole(path: Path, text: str) -> None:
    """Replace the text of a file in one step; a crash leaves the old text or the new."""
    disk = Disk()
    disk.make_folder(path.parent)
    staged = path.with_name(path.name + ".new")
    disk.write_bytes(staged, text.encode("utf-8", "replace"))
    disk.swap(staged, path)
    disk.sync_folder(path.parent)
