"""Files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from answerable.adapters.stores.embedded.disk import Disk
from answerable.errors import InputError


def write_whole(path: Path, text: str | bytes) -> None:
    """Replace what a file holds in one step; a crash leaves the old text or the new.

    A link stays a link and its file is replaced, with the permissions that it had; a device or
    pipe is written to. Raises InputError where nothing can be written.
    """
    body = text.encode("utf-8", "replace") if isinstance(text, str) else text
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(body)
        else:
            _exchange(path.resolve(), body)
    except OSError as fault:
        raise unwritable(path, fault) from fault


def unwritable(path: Path, fault: OSError) -> InputError:
    """The fault of a file that could not be written."""
    return InputError(f"{path} cannot be written: {fault.strerror}", "name another place")


def _exchange(path: Path, body: bytes) -> None:
    disk = Disk()
    disk.make_folder(path.parent)
    # Two processes that write the same file must not share what they stage.
    staged = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        disk.write_bytes(staged, body)
        if path.exists():
            staged.chmod(path.stat().st_mode & 0o7777)
        disk.swap(staged, path)
    finally:
        staged.unlink(missing_ok=True)
    disk.sync_folder(path.parent)
