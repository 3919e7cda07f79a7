"""A bare clone that holds one commit and only the files that are wanted of it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from answerable.adapters.sources.git_command import Git, listed
from answerable.errors import ServiceError

_HEAD = "refs/answerable/head"
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Node:
    """A path of the tree as git writes it, with its mode and object id."""

    path: bytes
    mode: str
    id: str


@dataclass(frozen=True, slots=True)
class Clone:
    """The clone of `url` at `ref` ('' for its default branch) in the folder of `git`."""

    git: Git
    url: str
    ref: str = ""

    def renew(self) -> str:
        """Fetch the commit of now if it is another one; its branch or tag. ServiceError.

        A clone that a killed run or a disk has damaged is made anew.
        """
        name, commit = self._remote()
        try:
            self._bring(name or commit, commit)
            self.tree()
        except ServiceError:
            self._begin_anew()
            self._bring(name or commit, commit)
        return name.removeprefix("refs/heads/").removeprefix("refs/tags/") or commit

    def tree(self) -> list[Node]:
        """All files of the commit, without their contents."""
        nodes = []
        for line in listed(self.git("ls-tree", "-r", "-z", "--full-tree", _HEAD)):
            about, _, path = line.partition(b"\t")
            mode, _, oid = about.decode("ascii").split(" ")
            nodes.append(Node(path, mode, oid))
        return nodes

    def want(self, ids: Iterable[str]) -> None:
        """Fetch, in one go, the contents that are not there yet."""
        printed = self.git(
            "rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", _HEAD
        )
        missing = {line[1:].decode("ascii") for line in printed.split() if line[:1] == b"?"}
        wanted = sorted(missing.intersection(ids))
        if wanted:
            self._fetch(("--stdin",), given="\n".join(wanted).encode() + b"\n")

    def sizes(self, ids: Iterable[str]) -> Mapping[str, int]:
        """The size in bytes of contents that are there."""
        asked = "\n".join(sorted(set(ids)))
        sizes: dict[str, int] = {}
        for line in self.git("cat-file", "--batch-check", given=asked.encode()).splitlines():
            oid, kind, *size = line.decode("ascii").split(" ")
            if kind == "blob":
                sizes[oid] = int(size[0])
        return sizes

    def bodies(self, ids: Iterable[str]) -> Mapping[str, bytes]:
        """Contents by id, in one go."""
        asked = sorted(set(ids))
        output = self.git("cat-file", "--batch", given="\n".join(asked).encode()) if asked else b""
        found: dict[str, bytes] = {}
        at = 0
        while at < len(output):
            end = output.index(b"\n", at)
            oid, kind, *size = output[at:end].decode("ascii").split(" ")
            at = end + 1
            if kind == "blob":
                found[oid] = output[at : at + int(size[0])]
                at += int(size[0]) + 1
        return found

    def _remote(self) -> tuple[str, str]:
        """The full name of the ref ('' for a commit id) and the object it names now."""
        if _ID.fullmatch(self.ref):
            return "", self.ref
        anywhere = replace(self.git, folder=self.git.folder.parent / "none")
        printed = anywhere("ls-remote", "--symref", "--", self.url, self.ref or "HEAD").decode()
        names: dict[str, str] = {}
        branch = ""
        for line in printed.splitlines():
            value, _, name = line.partition("\t")
            if value.startswith("ref: ") and name == "HEAD":
                branch = value.removeprefix("ref: ")
            else:
                names[name] = value
        if not self.ref and "HEAD" in names:
            return branch or "HEAD", names["HEAD"]
        for name in (f"refs/heads/{self.ref}", f"refs/tags/{self.ref}", self.ref):
            if self.ref and name in names:
                return name, names[name]
        raise ServiceError(
            f"git: the repository has no {self.ref or 'commits'}"
            + (" (no such branch, tag or commit)" if self.ref else ""),
            "see `ref`" if self.ref else "",
        )

    def _bring(self, refspec: str, commit: str) -> None:
        if not (self.git.folder / "HEAD").exists():
            self._begin_anew()
        for lock in self.git.folder.rglob("*.lock"):
            lock.unlink(missing_ok=True)  # of a run that was killed; sources are read one at a time
        if self._commit() != commit:
            self._fetch(("--depth=1", "--", self.url, f"+{refspec}:{_HEAD}"))

    def _begin_anew(self) -> None:
        shutil.rmtree(self.git.folder, ignore_errors=True)
        self.git.folder.mkdir(parents=True)
        self.git("init", "--quiet", "--bare", "--template=")

    def _commit(self) -> str:
        try:
            return self.git("rev-parse", "--verify", "--quiet", _HEAD).decode().strip()
        except ServiceError:
            return ""

    def _fetch(self, arguments: tuple[str, ...], given: bytes = b"") -> None:
        url = () if self.url in arguments else ("--", self.url)
        flags = ("--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", "--force")
        self.git("fetch", *flags, *arguments, *url, given=given)
