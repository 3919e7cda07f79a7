"""Walking a folder tree: files in order, and what is passed over with the reason."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

_PASSED_OVER = {"node_modules": "a folder of installed packages", "__pycache__": "a cache"}
_CONFIG = "answerable.toml"


@dataclass(slots=True)
class Found:
    """(path from the root, file) sorted; what was skipped; whether all folders could be read."""

    files: list[tuple[str, Path]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    complete: bool = True


def walk(root: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> Found:
    """Every wanted file under `root`, or `root` itself when it is a file.

    `include` (any must match, none: all) and `exclude` are globs over the path from the root.
    """
    found = Found()
    if not root.is_dir():
        found.files.append((root.name, root))
        return found
    base = root.resolve()
    _enter(found, root, "", base, (base,), include, exclude)
    found.files.sort()
    return found


def _enter(
    found: Found,
    folder: Path,
    prefix: str,
    base: Path,
    above: tuple[Path, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
) -> None:
    try:
        with os.scandir(folder) as listing:
            names = sorted(entry.name for entry in listing)
    except OSError as fault:
        found.skipped.append((prefix.rstrip("/") or ".", f"cannot be listed: {fault.strerror}"))
        found.complete = False
        return
    for name in names:
        path, relative = folder / name, prefix + name
        if matches(relative, exclude):
            continue
        inner = path.is_dir()
        if not inner and include and not matches(relative, include):
            continue
        if reason := _reason(path, name, base, above):
            found.skipped.append((relative, reason))
        elif inner:
            chain = (*above, path.resolve())
            _enter(found, path, relative + "/", base, chain, include, exclude)
        else:
            found.files.append((relative, path))


def _reason(path: Path, name: str, base: Path, above: tuple[Path, ...]) -> str:
    if name.startswith("."):
        return "hidden"
    if name in _PASSED_OVER and path.is_dir():
        return _PASSED_OVER[name]
    if name == _CONFIG:
        return "the knowledge base's own configuration"
    if not path.is_symlink():
        return ""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return "a link that leads nowhere or in a circle"
    if target in above:
        return "a link that leads in a circle"
    if not target.is_relative_to(base):
        return "a link that leads out of the folder"
    return ""


def matches(relative: str, globs: tuple[str, ...]) -> bool:
    """Whether any of the globs fits a path from the root; `*` also crosses slashes."""
    return any(fnmatchcase(relative, glob) for glob in globs)
