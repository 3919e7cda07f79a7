"""Which state of the source a running package is, where a version control knows it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit, and whether the folder's files differ from it; '' where none is known."""

    commit: str
    dirty: bool


def revision(folder: Path) -> Revision:
    """The revision of a folder that git tracks; an ignored copy inside another's is unknown."""
    tracked = _git(folder, "ls-files", "--", "__init__.py")
    commit = _git(folder, "rev-parse", "HEAD") if tracked else ""
    changes = _git(folder, "status", "--porcelain", "--", ".") if commit else ""
    return Revision(commit, bool(changes))


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()
