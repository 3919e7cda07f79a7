"""Files that hold files: ZIP archives and e-mail messages, listed and read within bounds."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from answerable.errors import InputError
from answerable.text.parsers.mail import attachments
from answerable.text.parsers.zipped import FAULTS

CONTAINERS = ("zip", "eml")
"""Extensions of files whose members are documents of their own."""
MOST_MEMBERS = 10_000
LARGEST_SUM = 1 << 30
"""Bytes that the members of one archive may have unpacked, all together."""
HIGHEST_RATIO = 200
_SMALL = 1 << 20
_MARKS = (b"filename", b"name=", b"message/rfc822")
_INNER = ("zip", "7z", "rar", "tar", "gz", "tgz", "bz2", "xz")


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside another: its path there, and a revision that changes with its bytes."""

    name: str
    revision: str


@dataclass(slots=True)
class Contents:
    """The members of a container in its order, and what is passed over with the reason.

    `fault` says why the container itself cannot be read, '' if it can.
    """

    members: list[Member] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    fault: str = ""


def look_inside(path: Path, extension: str, limit: int) -> Contents:
    """What a container holds; members over `limit` bytes are passed over. OSError as of `open`."""
    return _mail(path, limit) if extension == "eml" else _zip(path, limit)


def member_bytes(path: Path, extension: str, name: str, limit: int) -> bytes:
    """The bytes of one member; InputError when it is damaged, too large or not there any more."""
    if extension == "eml":
        try:
            return dict(_named(path.read_bytes()))[name]
        except Exception as fault:  # as above
            raise InputError(f"{path.name}: no attachment {name!r} any more") from fault
    try:
        status = path.stat()
        archive, named = _opened(path, status.st_size, status.st_mtime_ns)
        if name not in named:
            raise InputError(f"{path.name}: no member {name!r} any more")
        with archive.open(named[name]) as file:
            body = file.read(limit + 1)
    except FAULTS as fault:
        raise InputError(f"{path.name}: member {name!r} is damaged: {fault}") from fault
    if len(body) > limit:
        raise InputError(f"{path.name}: member {name!r} is larger than {limit:,} bytes")
    return body


@lru_cache(maxsize=1)
def _opened(path: Path, size: int, changed: int) -> tuple[ZipFile, dict[str, ZipInfo]]:
    """The archive read last, kept open: its members are fetched one after another."""
    archive = ZipFile(path)
    named: dict[str, ZipInfo] = {}
    for info in archive.infolist():
        named.setdefault(_name(info), info)
    return archive, named


def _zip(path: Path, limit: int) -> Contents:
    contents = Contents()
    try:
        with ZipFile(path) as archive:
            infos = archive.infolist()
    except OSError:
        raise
    except FAULTS as fault:
        contents.fault = f"not a readable archive: {fault}"
        return contents
    total = 0
    seen: set[str] = set()
    for number, info in enumerate(infos):
        if info.is_dir():
            continue
        name = _name(info)
        if number >= MOST_MEMBERS:
            contents.skipped.append(("", f"only the first {MOST_MEMBERS:,} members are read"))
            break
        reason = _reason(info, name, limit)
        if not reason and name in seen:
            reason = "another member has the same name"
        if not reason and total + info.file_size > LARGEST_SUM:
            reason = f"the archive unpacks to more than {LARGEST_SUM:,} bytes"
        seen.add(name)
        if reason:
            contents.skipped.append((_harmless(name), reason))
            continue
        total += info.file_size
        contents.members.append(Member(name, f"{info.file_size}-{info.CRC:08x}"))
    return contents


def _reason(info: ZipInfo, name: str, limit: int) -> str:
    """Why a member is passed over, '' if it is not."""
    steps = name.split("/")
    if ".." in steps or name.startswith("/") or ":" in steps[0] or not name or "\0" in name:
        return "its path leads out of the archive"
    if any(step.startswith(".") or step == "__MACOSX" for step in steps):
        return "hidden"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link"
    if info.flag_bits & 1:
        return "encrypted: needs a password"
    if steps[-1].rsplit(".", 1)[-1].lower() in _INNER:
        return "an archive inside an archive"
    if info.file_size > limit:
        return f"larger than the limit: {info.file_size:,} bytes, limit {limit:,}"
    packed = max(1, info.compress_size)
    if info.file_size > _SMALL and info.file_size / packed > HIGHEST_RATIO:
        return f"unpacks to {info.file_size // packed:,} times its size, at most {HIGHEST_RATIO}"
    return ""


def _name(info: ZipInfo) -> str:
    """A member's path; names without the mark of UTF-8 are often UTF-8 all the same."""
    name = info.filename
    if not info.flag_bits & 0x800 and not name.isascii():
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _harmless(name: str) -> str:
    """A path as it can stand in a report behind the archive's own."""
    return "/".join(
        step for step in name.replace("\0", "").split("/") if step not in ("", "..", ".")
    )


def _mail(path: Path, limit: int) -> Contents:
    contents = Contents()
    body = path.read_bytes()
    lower = body.lower()
    if not any(mark in lower for mark in _MARKS):
        return contents
    try:
        named = [*_named(body)]
    except Exception as fault:  # whatever the parser of messages meets in a broken one
        contents.fault = f"its attachments cannot be read: {fault!r}"
        return contents
    for name, attached in named:
        if name.rsplit(".", 1)[-1].lower() in _INNER:
            contents.skipped.append((name, "an archive inside a message"))
        elif len(attached) > limit:
            reason = f"larger than the limit: {len(attached):,} bytes, limit {limit:,}"
            contents.skipped.append((name, reason))
        else:
            revision = f"{len(attached)}-{zlib.crc32(attached):08x}"
            contents.members.append(Member(name, revision))
    return contents


def _named(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Attachments by names that are each used once."""
    message = message_from_bytes(body.lstrip(), policy=policy.default)
    seen: dict[str, int] = {}
    for name, attached in attachments(message) if isinstance(message, EmailMessage) else ():
        seen[name] = seen.get(name, 0) + 1
        yield (f"{seen[name]}-{name}" if seen[name] > 1 else name), attached
