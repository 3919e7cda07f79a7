"""A branch of a git repository as the place: one commit that is replaced, so nothing piles up."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from answerable.adapters.sources.git_command import Git, listed
from answerable.errors import NotFound, ServiceError

_THERE = "refs/answerable/there"


@dataclass(slots=True)
class BranchRemote:
    """Files of `branch` at `url`, filling `remotes.remote.Remote`; `git` is a bare clone's.

    Changes are seen after `finish`, which refuses when another push came between.
    """

    git: Git
    url: str
    branch: str
    _files: dict[str, str] | None = field(default=None, init=False, repr=False)
    _before: str = field(default="", init=False, repr=False)

    def names(self) -> Set[str]:
        """The names of all files there."""
        return set(self._tree())

    def put(self, name: str, source: Path) -> None:
        """Keep a file with the next commit."""
        tree = self._tree()
        oid = self.git("hash-object", "-w", "--no-filters", "--", str(source.resolve()))
        tree[name] = oid.decode("ascii").strip()

    def get(self, name: str, target: Path) -> None:
        """Write a kept file to a path; NotFound when there is none."""
        tree = self._tree()
        if name not in tree:
            raise NotFound(f"branch {self.branch} of {self.url} has no {name}")
        target.write_bytes(self.git("cat-file", "blob", tree[name]))

    def remove(self, name: str) -> None:
        """Leave a file out of the next commit."""
        self._tree().pop(name, None)

    def finish(self) -> None:
        """Put one commit without parents in the place of the branch."""
        lines = [f"100644 {oid}\t{name}\0" for name, oid in sorted(self._tree().items())]
        self.git("read-tree", "--empty")
        self.git("update-index", "-z", "--index-info", given="".join(lines).encode())
        tree = self.git("write-tree").decode("ascii").strip()
        if self._before and self._shown(f"{self._before}^{{tree}}") == tree:
            return
        made = self.git("commit-tree", tree, "-m", "answerable push")
        commit = made.decode("ascii").strip()
        name = f"refs/heads/{self.branch}"
        self.git(
            "push",
            "--quiet",
            f"--force-with-lease={name}:{self._before}",
            self.url,
            f"{commit}:{name}",
        )
        self._before = commit

    def _tree(self) -> dict[str, str]:
        if self._files is None:
            self._files = self._fetched()
        return self._files

    def _fetched(self) -> dict[str, str]:
        if not (self.git.folder / "HEAD").is_file():
            self.git.folder.mkdir(parents=True, exist_ok=True)
            self.git("init", "--quiet", "--bare")
        name = f"refs/heads/{self.branch}"
        if not self.git("ls-remote", self.url, name).strip():
            return {}
        self.git("fetch", "--quiet", "--depth=1", "--force", self.url, f"{name}:{_THERE}")
        self._before = self._shown(_THERE)
        files = {}
        for line in listed(self.git("ls-tree", "-r", "-z", "--full-tree", _THERE)):
            about, _, path = line.partition(b"\t")
            files[path.decode("utf-8", "replace")] = about.decode("ascii").split(" ")[2]
        return files

    def _shown(self, what: str) -> str:
        try:
            return self.git("rev-parse", "--verify", "--quiet", what).decode("ascii").strip()
        except ServiceError:
            return ""
