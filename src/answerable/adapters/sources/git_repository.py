"""The files of one commit of a git repository, as a source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from unicodedata import normalize
from urllib.parse import urlsplit

from answerable.adapters.http.guard import Guard
from answerable.adapters.sources.git_clone import Clone, Node
from answerable.adapters.sources.git_links import link_of
from answerable.adapters.sources.media_types import BY_EXTENSION, SNIFF, STORAGE, settle
from answerable.errors import InputError, ServiceError
from answerable.ports import Entry, Listing
from answerable.records.docs import EVERYONE, Access, RawDoc
from answerable.records.index import Skipped

LIMIT = 50 * 1024 * 1024
"""The largest file that is read, in bytes."""
_BATCH, _BATCH_BYTES = 256, 16 * 1024 * 1024
_PASSED_OVER = {"node_modules": "a folder of installed packages", "__pycache__": "a cache"}
_POINTER = b"version https://git-lfs.github.com/spec/"
_POINTER_SIZE = 1024


@dataclass(frozen=True, slots=True)
class Repository:
    """Files of one commit, filling `ports.Source`.

    The uri is `name`/path in the repository, in Unicode NFC; the revision is the file's object id.
    `paths` are folders or files to take (none: all); `include` and `exclude` are globs over the
    path (`*` also crosses slashes). Hidden files, links, submodules, pointers to files kept by
    Git LFS and files that no parser reads are skipped with the reason.
    """

    name: str
    clone: Clone
    guard: Guard
    paths: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    forge: str = ""
    limit: int = LIMIT
    access: Access = EVERYONE
    _files: dict[str, tuple[str, int]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _expected: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)
    _bodies: dict[str, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)

    def list(self) -> Listing:
        """All files of the commit of now; ServiceError when it cannot be fetched."""
        ref = checked(self.clone, self.guard).renew()
        kind = _kind(self.clone.ref, ref)
        skipped: set[Skipped] = set()
        found: dict[str, Node] = {}
        for node in self.clone.tree():
            self._sort(node, found, skipped)
        ids = {node.id for node in found.values()}
        self.clone.want(ids)
        sizes = self.clone.sizes(ids)
        looked = {
            node.id
            for path, node in found.items()
            if sizes.get(node.id, 0) <= _POINTER_SIZE
            or (BY_EXTENSION.get(_extension(path)) == STORAGE and sizes[node.id] <= self.limit)
        }
        heads = self.clone.bodies(looked)
        entries: dict[str, Entry] = {}
        for path, node in sorted(found.items()):
            uri = f"{self.name}/{normalize('NFC', path)}"
            head = heads.get(node.id, b"")[:SNIFF]
            reason = self._reason(path, sizes.get(node.id), head)
            if not reason and uri in entries:
                reason = "another file's name differs from it only in its Unicode form"
            if reason:
                skipped.add(Skipped(uri, reason))
                continue
            link = link_of(self.clone.url, self.forge, kind, ref, path)
            entries[uri] = Entry(uri, node.id, link, self.access)
        self._files.clear()
        self._files.update({e.uri: (e.revision, sizes[e.revision]) for e in entries.values()})
        return Listing(
            tuple(entries[uri] for uri in sorted(entries)),
            True,
            tuple(sorted(skipped, key=lambda one: (one.uri, one.reason))),
        )

    def expect(self, entries: Sequence[Entry]) -> None:
        """Files that will be fetched in this order are read many at a time."""
        self._expected.clear()
        self._expected.update({entry.uri: at for at, entry in enumerate(entries)})

    def fetch(self, entry: Entry) -> RawDoc:
        """The bytes of one file as it was listed; InputError when it is not in the commit."""
        if entry.uri not in self._files:
            self.list()
        if entry.uri not in self._files:
            raise InputError(f"{entry.uri}: not in the repository")
        oid, _ = self._files[entry.uri]
        if oid not in self._bodies:
            self._bodies.clear()
            self._bodies.update(self.clone.bodies(self._batch(entry.uri)))
        if oid not in self._bodies:
            raise ServiceError(f"{entry.uri}: its content is not in the clone", retryable=True)
        body = self._bodies[oid]
        return RawDoc(
            uri=entry.uri,
            body=body,
            media_type=settle(_extension(entry.uri), body),
            revision=oid,
            link=entry.link,
            access=self.access,
        )

    def _batch(self, uri: str) -> Sequence[str]:
        """The ids of a file and of those expected after it, up to so many and so large."""
        oid, total = self._files[uri]
        ids = [oid]
        uris = list(self._expected) if uri in self._expected else []
        for other in uris[self._expected.get(uri, 0) + 1 :][: _BATCH - 1]:
            oid, size = self._files.get(other, ("", _BATCH_BYTES))
            total += size
            if total > _BATCH_BYTES:
                break
            ids.append(oid)
        return ids

    def _sort(self, node: Node, found: dict[str, Node], skipped: set[Skipped]) -> None:
        """Take a path of the tree, or skip it with the reason; what is not wanted is not there."""
        try:
            path = node.path.decode("utf-8")
        except UnicodeDecodeError:
            shown = node.path.decode("utf-8", "replace")
            skipped.add(Skipped(f"{self.name}/{shown}", "its name is not UTF-8"))
            return
        if self.paths and not any(path == at or path.startswith(f"{at}/") for at in self.paths):
            return
        if any(fnmatchcase(path, glob) for glob in self.exclude):
            return
        if self.include and not any(fnmatchcase(path, glob) for glob in self.include):
            return
        above, reason = _passed_over(path)
        if node.mode == "160000":
            above, reason = path, "a submodule: add it as a source of its own"
        elif not reason and node.mode == "120000":
            reason = "a symbolic link"
        elif not reason and _extension(path) not in BY_EXTENSION:
            reason = _no_parser(path)
        if reason:
            skipped.add(Skipped(f"{self.name}/{normalize('NFC', above)}", reason))
        else:
            found[path] = node

    def _reason(self, path: str, size: int | None, head: bytes) -> str:
        if size is None:
            return "its content could not be fetched"
        if head.startswith(_POINTER):
            return "kept by Git LFS: only a pointer to it is in the repository"
        if size > self.limit:
            return f"larger than the limit: {size:,} bytes, limit {self.limit:,}"
        extension = _extension(path)
        if BY_EXTENSION[extension] == STORAGE and not settle(extension, head):
            return _no_parser(path)
        return ""


def checked(clone: Clone, guard: Guard) -> Clone:
    """The clone with its host's addresses checked now and, over HTTP, held to them."""
    parts = urlsplit(clone.url)
    if parts.scheme == "file":
        return clone
    if parts.scheme == "ssh":
        guard.addresses((parts.hostname or "").lower(), parts.port or 22)
        return clone
    place = guard.check(clone.url)
    held = ",".join(
        f"[{one}]" if ":" in one else one for one in guard.addresses(place.host, place.port)
    )
    setting = f"http.curloptResolve={place.host}:{place.port}:{held}"
    return replace(clone, git=replace(clone.git, settings=(*clone.git.settings, setting)))


def _passed_over(path: str) -> tuple[str, str]:
    """The first part of a path that is passed over with what is below it, and why; or '' why."""
    parts = path.split("/")
    for at, part in enumerate(parts, 1):
        if part.startswith("."):
            return "/".join(parts[:at]), "hidden"
        if part in _PASSED_OVER and at < len(parts):
            return "/".join(parts[:at]), _PASSED_OVER[part]
    return path, "the knowledge base's own configuration" * (parts[-1] == "answerable.toml")


def _kind(asked: str, ref: str) -> str:
    if asked and asked == ref and re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", ref):
        return "commit"
    return "tag" if asked.startswith("refs/tags/") else "branch"


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name.strip(".") else ""


def _no_parser(path: str) -> str:
    extension = _extension(path)
    return f"no parser for {'.' + extension if extension else 'its name'}"
