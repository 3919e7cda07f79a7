"""ZIP containers of office files and books: their parts, read within bounds."""

from __future__ import annotations

import io
import struct
import zlib
from lzma import LZMAError
from zipfile import BadZipFile, ZipFile, ZipInfo

from answerable.errors import InputError
from answerable.records.docs import RawDoc

MOST_PARTS = 20_000
LARGEST_PART = 48 * 1024 * 1024
LARGEST_STREAM = 128 * 1024 * 1024
LARGEST_SUM = 256 * 1024 * 1024
"""Bytes unpacked: of one part, of one part read piece by piece, of all parts read of a document."""

FAULTS = (
    BadZipFile,
    zlib.error,
    struct.error,
    LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    OSError,
)
"""What the standard library raises for a damaged container."""
_HIGHEST_RATIO = 250
_SMALL = 16 * 1024 * 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAVE = "save it in the format of its name, or give it the name of its format"
_KINDS = {
    "word/": "a Word document (.docx)",
    "xl/": "an Excel workbook (.xlsx)",
    "ppt/": "a PowerPoint presentation (.pptx)",
}
_MIMETYPES = {
    "application/epub+zip": "an e-book (.epub)",
    "application/vnd.oasis.opendocument.text": "an OpenDocument text (.odt)",
    "application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument spreadsheet (.ods)",
    "application/vnd.oasis.opendocument.presentation": "an OpenDocument presentation (.odp)",
}


class Parts:
    """The parts of a container by name; names are compared without regard to case.

    Reading raises InputError for a part that is encrypted, damaged or larger than the bounds.
    """

    def __init__(self, raw: RawDoc) -> None:
        self._uri = raw.uri
        self._left = LARGEST_SUM
        try:
            self._zip = ZipFile(io.BytesIO(raw.body))
        except FAULTS as fault:
            raise InputError(f"{raw.uri}: damaged: {fault}", "open it and save it again") from fault
        infos = self._zip.infolist()
        if len(infos) > MOST_PARTS:
            raise InputError(f"{raw.uri}: {len(infos):,} parts, more than {MOST_PARTS:,} are read")
        self._infos: dict[str, ZipInfo] = {}
        for info in infos:
            self._infos.setdefault(_plain(info.filename), info)

    def __contains__(self, name: str) -> bool:
        return _plain(name) in self._infos

    def names(self) -> tuple[str, ...]:
        """Names of all parts, lower case, in the order of the container."""
        return tuple(self._infos)

    def read(self, name: str) -> bytes:
        """The bytes of a part, none if there is no such part."""
        return self._bytes(name, LARGEST_PART)

    def stream(self, name: str) -> io.BytesIO:
        """A part to be read piece by piece, which may be larger."""
        return io.BytesIO(self._bytes(name, LARGEST_STREAM))

    def _bytes(self, name: str, largest: int) -> bytes:
        info = self._infos.get(_plain(name))
        if info is None:
            return b""
        most = min(largest, self._left)
        if info.file_size > most:
            raise InputError(
                f"{self._uri}: {info.filename} unpacks to {info.file_size:,} bytes, "
                f"the most that is read is {most:,}"
            )
        ratio = info.file_size // max(1, info.compress_size)
        if info.file_size > _SMALL and ratio > _HIGHEST_RATIO:
            raise InputError(
                f"{self._uri}: {info.filename} unpacks to {ratio:,} times its size, "
                f"at most {_HIGHEST_RATIO} is read"
            )
        if info.flag_bits & 1:
            raise InputError(f"{self._uri}: encrypted: needs a password", "save it without one")
        try:
            with self._zip.open(info) as file:
                body = file.read(most + 1)
        except FAULTS as why:
            raise InputError(
                f"{self._uri}: {info.filename} is damaged: {why}", "open it and save it again"
            ) from why
        self._left -= len(body)
        return body


def open_parts(raw: RawDoc, wanted: str) -> Parts:
    """The container of a document whose name says `wanted` (`docx`, `xlsx`, `pptx`, ...).

    InputError says what the file is instead: encrypted, an old binary format, something else.
    """
    if not raw.body.startswith(b"PK"):
        raise InputError(f"{raw.uri}: {_otherwise(raw.body, wanted)}", _way_out(raw.body, wanted))
    return Parts(raw)


def mistaken(raw: RawDoc, parts: Parts, wanted: str) -> InputError:
    """The fault of a container that holds something else than `wanted`."""
    return InputError(f"{raw.uri}: {kind_of(parts)}, not {wanted}", _SAVE)


def kind_of(parts: Parts) -> str:
    """What a container holds, in words."""
    mimetype = parts.read("mimetype")[:100].decode("ascii", "replace").strip()
    if mimetype in _MIMETYPES:
        return _MIMETYPES[mimetype]
    for name in parts.names():
        for start, kind in _KINDS.items():
            if name.startswith(start):
                return kind
    return "a ZIP archive"


def _otherwise(body: bytes, wanted: str) -> str:
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not body:
        return "empty: it has no bytes"
    if body.startswith(_OLE):
        if _holds(body, "EncryptedPackage"):
            return "encrypted: needs a password"
        for stream, kind in _OLD.items():
            if _holds(body, stream):
                return f"old binary format of {kind}: save it as .{_MODERN[kind]}"
        return "an old binary format (OLE container): save it as .docx, .xlsx or .pptx"
    if start.startswith(b"{\\rtf"):
        return f"RTF, not {wanted}"
    if start.startswith(b"%pdf"):
        return f"a PDF, not {wanted}"
    if start.startswith((b"<!doctype html", b"<html")):
        return f"a web page, not {wanted}"
    if start.startswith(b"<?xml"):
        return f"an XML file, not {wanted}"
    return f"damaged or not {wanted}: its first bytes are {body[:8]!r}"


_OLD = {
    "WordDocument": "Word",
    "Workbook": "Excel",
    "Book": "Excel",
    "PowerPoint Document": "PowerPoint",
    "__substg1.0_": "Outlook",
}
_MODERN = {"Word": "docx", "Excel": "xlsx", "PowerPoint": "pptx", "Outlook": "eml"}


def _way_out(body: bytes, wanted: str) -> str:
    if not body.startswith(_OLE):
        return _SAVE
    if _holds(body, "EncryptedPackage"):
        return "save it without a password"
    return "LibreOffice and the program that made it can do so"


def _holds(body: bytes, stream: str) -> bool:
    return stream.encode("utf-16-le") in body


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()
