"""A folder of files, or one file, as a source of documents."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, MutableSequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from unicodedata import normalize
from urllib.parse import quote

from answerable.adapters.sources.archives import CONTAINERS, look_inside, member_bytes
from answerable.adapters.sources.media_types import BY_EXTENSION, SNIFF, settle
from answerable.adapters.sources.walk import matches, walk
from answerable.errors import InputError, NotFound
from answerable.ports import Entry, Listing
from answerable.records.docs import EVERYONE, Access, RawDoc
from answerable.records.index import Skipped

LIMIT = 50 * 1024 * 1024
"""The largest file that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Files under `root` in the order of their paths, filling `ports.Source`.

    The uri of a file is `name`/path with forward slashes, in Unicode NFC. `include` and `exclude`
    are globs over that path (`*` also crosses slashes); excluded files count as not there.
    Hidden files and folders, `node_modules`, links that lead out of the folder or in circles,
    files over `limit` bytes and files that no parser reads are skipped with the reason. When a
    folder cannot be read, the listing is not complete. `access` is that of every document.
    Members of ZIP archives and attachments of messages are documents of their own, one level deep,
    under the path of the file that holds them; `include` picks the files, `exclude` members too.
    """

    root: Path
    name: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    limit: int = LIMIT
    access: Access = EVERYONE
    _paths: dict[str, Path] = field(default_factory=dict, init=False, repr=False, compare=False)
    _members: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def list(self) -> Listing:
        """All files now; NotFound when the root is not there (nothing must be concluded then)."""
        if not self.root.exists():
            raise NotFound(f"no such folder or file: {self.root}", "see that it is mounted")
        found = walk(self.root, self.include, self.exclude)
        entries: dict[str, Entry] = {}
        paths: dict[str, Path] = {}
        parents: dict[Path, Path] = {}
        members: dict[str, str] = {}
        skipped = [Skipped(self._uri(path), reason) for path, reason in found.skipped]
        for relative, path in found.files:
            uri = self._uri(relative)
            reason = self._reason(uri, path, entries)
            if reason:
                skipped.append(Skipped(_printable(uri), reason))
                continue
            link = _link(path, parents)
            if _extension(path) != "zip":
                entries[uri] = Entry(uri, _revision(path.stat()), link, self.access)
                paths[uri] = path
            if _extension(path) in CONTAINERS:
                for inner, name in self._inside(uri, link, path, entries, skipped):
                    entries[inner.uri], members[inner.uri], paths[inner.uri] = inner, name, path
        self._paths.clear()
        self._paths.update(paths)
        self._members.clear()
        self._members.update(members)
        ordered = tuple(entries[uri] for uri in sorted(entries))
        return Listing(ordered, found.complete, tuple(sorted(skipped, key=lambda s: s.uri)))

    def fetch(self, entry: Entry) -> RawDoc:
        """The bytes of one file; InputError when it cannot be read (any more)."""
        path = self._path(entry.uri)
        if entry.uri in self._members:
            return self._member(entry, path, self._members[entry.uri])
        try:
            with path.open("rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise InputError(f"{entry.uri}: not a file any more")
                body = file.read(self.limit + 1)
        except OSError as fault:
            raise InputError(f"{entry.uri}: cannot be read: {fault.strerror}") from fault
        if len(body) > self.limit:
            raise InputError(f"{entry.uri}: {_too_large(len(body), self.limit)}")
        return RawDoc(
            uri=entry.uri,
            body=body,
            media_type=settle(_extension(path), body),
            revision=_revision(status),
            link=_link(path, {}),
            access=self.access,
        )

    def _inside(
        self,
        uri: str,
        link: str,
        path: Path,
        entries: Mapping[str, Entry],
        skipped: MutableSequence[Skipped],
    ) -> Iterator[tuple[Entry, str]]:
        """The documents that a container holds, with their names there."""
        try:
            contents = look_inside(path, _extension(path), self.limit)
        except OSError as fault:
            skipped.append(Skipped(uri, f"cannot be read: {fault.strerror}"))
            return
        if contents.fault:
            skipped.append(Skipped(uri, contents.fault))
        for name, reason in contents.skipped:
            skipped.append(Skipped(_printable(f"{uri}/{name}" if name else uri), reason))
        for member in contents.members:
            inner = normalize("NFC", f"{uri}/{member.name}")
            if matches(inner.removeprefix(f"{self.name}/"), self.exclude):
                continue
            reason = "another file has the same path" if inner in entries else ""
            if _printable(inner) != inner:
                reason = "its name is not UTF-8"
            reason = reason or _unread(PurePosixPath(member.name))
            if reason:
                skipped.append(Skipped(_printable(inner), reason))
            else:
                place = f"{link}#{quote(member.name)}"
                yield Entry(inner, member.revision, place, self.access), member.name

    def _member(self, entry: Entry, path: Path, name: str) -> RawDoc:
        try:
            body = member_bytes(path, _extension(path), name, self.limit)
        except OSError as fault:
            raise InputError(f"{entry.uri}: cannot be read: {fault.strerror}") from fault
        kind = settle(_extension(PurePosixPath(name)), body)
        if not kind:
            raise InputError(f"{entry.uri}: an XML file that no parser reads")
        return RawDoc(entry.uri, body, kind, entry.revision, entry.link, self.access)

    def _uri(self, relative: str) -> str:
        return normalize("NFC", f"{self.name}/{relative}")

    def _reason(self, uri: str, path: Path, entries: dict[str, Entry]) -> str:
        if _printable(uri) != uri:
            return "its name is not UTF-8"
        if uri in entries:
            return "another file's name differs from it only in its Unicode form"
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                return "not a regular file"
            if status.st_size > self.limit and _extension(path) != "zip":
                return _too_large(status.st_size, self.limit)
            with path.open("rb") as file:
                known = settle(_extension(path), file.read(SNIFF)) or _extension(path) in CONTAINERS
        except OSError as fault:
            return f"cannot be read: {fault.strerror}"
        return "" if known else _no_parser(path)

    def _path(self, uri: str) -> Path:
        if uri not in self._paths:
            self.list()
        if uri not in self._paths:
            raise InputError(f"{uri}: not in {self.root} any more")
        return self._paths[uri]


def _extension(path: PurePath) -> str:
    return path.suffix.lower().removeprefix(".")


def _no_parser(path: PurePath) -> str:
    extension = _extension(path)
    return f"no parser for {'.' + extension if extension else 'its name'}"


def _unread(path: PurePath) -> str:
    """Why no parser reads a member, told by its name; XML is told by its content later."""
    return "" if _extension(path) in BY_EXTENSION else _no_parser(path)


def _link(path: Path, parents: dict[Path, Path]) -> str:
    """The file's own place as a URI; `parents` remembers where folders lead."""
    if path.is_symlink():
        return path.resolve().as_uri()
    if path.parent not in parents:
        parents[path.parent] = path.parent.resolve()
    return (parents[path.parent] / path.name).as_uri()


def _revision(status: os.stat_result) -> str:
    return f"{status.st_size}-{status.st_mtime_ns}"


def _too_large(size: int, limit: int) -> str:
    return f"larger than the limit: {size:,} bytes, limit {limit:,}"


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
