"""What a place elsewhere must do: keep whole files by name."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import Protocol


class Remote(Protocol):
    """Files by name (`a/b`); faults are ServiceError (retryable) or ConfigError.

    What is put is seen whole or not at all, some of it perhaps only after `finish`.
    """

    def names(self) -> Set[str]:
        """The names of all files there."""
        ...

    def put(self, name: str, source: Path) -> None:
        """Keep a file; one that has the name is replaced."""
        ...

    def get(self, name: str, target: Path) -> None:
        """Write a kept file to a path; NotFound when there is none."""
        ...

    def remove(self, name: str) -> None:
        """Let go of a file, if it is there."""
        ...

    def finish(self) -> None:
        """All of this is to be seen now."""
        ...
