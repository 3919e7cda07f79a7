"""A folder as the place: a network share, a mounted volume, a disk to carry."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from answerable.errors import NotFound, ServiceError


@dataclass(frozen=True, slots=True)
class FolderRemote:
    """Files under `folder`, filling `remotes.remote.Remote`."""

    folder: Path

    def names(self) -> Set[str]:
        """The names of all files there."""
        with self._faults():
            return {
                path.relative_to(self.folder).as_posix()
                for path in self.folder.rglob("*")
                if path.is_file() and not path.name.endswith(".part")
            }

    def put(self, name: str, source: Path) -> None:
        """Keep a file; one that has the name is replaced in one step."""
        target = self.folder / name
        staged = target.with_name(f"{target.name}.{os.getpid()}.part")
        with self._faults():
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(source, staged)
                with staged.open("rb") as file:
                    os.fsync(file.fileno())
                staged.replace(target)
            finally:
                staged.unlink(missing_ok=True)

    def get(self, name: str, target: Path) -> None:
        """Write a kept file to a path; NotFound when there is none."""
        with self._faults():
            try:
                shutil.copyfile(self.folder / name, target)
            except FileNotFoundError as fault:
                raise NotFound(f"{self.folder} has no {name}") from fault

    def remove(self, name: str) -> None:
        """Let go of a file, if it is there."""
        with self._faults():
            (self.folder / name).unlink(missing_ok=True)

    def finish(self) -> None:
        """Everything is seen as it is put."""

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            raise ServiceError(
                f"{self.folder}: {fault.strerror or fault}",
                "see that the folder can be reached and written and has space",
                retryable=True,
            ) from fault
