"""Streams that unpack without end: how large those of a PDF become, before pdfium opens it.

pdfium unpacks a stream whole, filter by filter (ISO 32000-2, 7.4), in this process: a few hundred
bytes packed three times become gigabytes, and the process ends. Here they are unpacked piece by
piece and only counted. Whatever begins as zlib does (RFC 1950) counts as packed, since a filter may
be named in ways that only a whole reader of PDF understands.
"""

from __future__ import annotations

import re
import zlib
from binascii import unhexlify
from collections.abc import Callable, Iterator

from answerable.errors import InputError

MOST, MOST_OF_IMAGE = 64 * 1024 * 1024, 128 * 1024 * 1024
"""Bytes that a stream may unpack to, that of a picture too."""
_DEEPEST = 12
_STREAM = re.compile(rb"(?<!end)stream[^\r\n]{0,100}(?:\r\n|\n|\r)")
_IMAGE = re.compile(rb"/Subtype\s*/Image\b")
_FILTER = re.compile(rb"/(?:Filter|F)\s*\[?\s*((?:/[\w#]+\s*)+|\d+\s+\d+\s+R)")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_HEAD, _STEP = 4000, 1 << 18

Pieces = Iterator[bytes]


def refuse_unpacking(body: bytes, uri: str) -> None:
    """InputError for a file with a stream that unpacks to more than can be read."""
    view = memoryview(body)
    for found in _STREAM.finditer(body):
        at = found.end()
        begin = body.rfind(b"obj", max(0, found.start() - _HEAD), found.start())
        about = _plain(body[max(begin, 0) : found.start()]) if begin >= 0 else b""
        filters = _filters(about, body)
        if not (filters or _is_packed(bytes(view[at : at + 2]))):
            continue
        most = MOST_OF_IMAGE if _IMAGE.search(about) else MOST
        pieces = _cut(view, at)
        if filters:
            end = body.find(b"endstream", at)
            pieces = _cut(view[: end if end >= 0 else len(body)], at)
        try:
            for decode in filters:
                pieces = _counted(decode(pieces), most)
            _drain(pieces, most)
        except _TooMuch:
            raise InputError(
                f"a stream of {uri} (byte {at:,}) unpacks to more than {most:,} bytes",
                "print the file to a new PDF",
            ) from None


class _TooMuch(Exception):
    pass


def _plain(about: bytes) -> bytes:
    return _ESCAPED.sub(lambda hit: bytes([int(hit.group(1), 16)]), about)


def _filters(about: bytes, body: bytes) -> list[Callable[[Pieces], Pieces]]:
    """The decoders of the filters that stand before the first Flate; more of them are seen."""
    named = _FILTER.search(about)
    if not named:
        return []
    names = named.group(1)
    if names.endswith(b"R"):
        number, generation, _ = names.split()
        object = rb"(?<!\d)%s\s+%s\s+obj\s*\[?([^\]>]{0,200})" % (number, generation)
        place = re.search(object, body)
        names = _plain(place.group(1)) if place else b""
    out: list[Callable[[Pieces], Pieces]] = []
    for name in re.findall(rb"/(\w+)", names)[:_DEEPEST]:
        if name not in _DECODERS:
            break
        out.append(_DECODERS[name])
    return out


def _drain(pieces: Pieces, most: int) -> None:
    """Unpack as long as what comes out is packed again, and count."""
    for depth in range(_DEEPEST):
        first = b""
        for piece in pieces:
            first += piece
            if len(first) > 1:
                break
        if not _is_packed(first):
            break
        pieces = _counted(_inflated(_chained(first, pieces), to_end=depth > 0), most)
    else:
        raise _TooMuch
    for _ in pieces:
        pass


def _is_packed(start: bytes) -> bool:
    return len(start) > 1 and start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0


def _cut(view: memoryview, at: int) -> Pieces:
    # To the end of the file, not of the stream: packed bytes may hold the word `endstream`.
    step = 1024
    while at < len(view):
        yield bytes(view[at : at + step])
        at, step = at + step, min(2 * step, _STEP)


def _chained(first: bytes, pieces: Pieces) -> Pieces:
    yield first
    yield from pieces


def _counted(pieces: Pieces, most: int) -> Pieces:
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > most:
            raise _TooMuch
        yield piece


def _inflated(pieces: Pieces, *, to_end: bool) -> Pieces:
    """Unpacked as far as it can be; what follows is still asked for, `to_end`, to be counted."""
    reader = zlib.decompressobj()
    try:
        for piece in pieces:
            while piece and not reader.eof:
                yield reader.decompress(piece, _STEP)
                piece = reader.unconsumed_tail
            if reader.eof:
                break
    except zlib.error:
        pass
    if to_end:
        for _ in pieces:
            pass


def _ascii85(pieces: Pieces) -> Pieces:
    digits: list[int] = []
    for piece in pieces:
        out = bytearray()
        for sign in piece:
            if sign == 0x7A and not digits:
                out += b"\0\0\0\0"
            elif 0x21 <= sign <= 0x75:
                digits.append(sign - 0x21)
                if len(digits) == 5:
                    out += _word(digits)
                    digits.clear()
            elif sign == 0x7E:
                break
        yield bytes(out)
    if len(digits) > 1:
        yield _word([*digits, *[84] * (5 - len(digits))])[: len(digits) - 1]


def _word(digits: list[int]) -> bytes:
    number = 0
    for digit in digits:
        number = number * 85 + digit
    return (number & 0xFFFFFFFF).to_bytes(4, "big")


def _hex(pieces: Pieces) -> Pieces:
    left = b""
    for piece in pieces:
        digits = left + re.sub(rb"[^0-9A-Fa-f]", b"", piece.partition(b">")[0])
        even = len(digits) & ~1
        left = digits[even:]
        yield unhexlify(digits[:even])
    if left:
        yield unhexlify(left + b"0")


def _run_lengths(pieces: Pieces) -> Pieces:
    data = b"".join(pieces)
    at = 0
    while at < len(data) and data[at] != 128:
        length = data[at]
        if length < 128:
            yield data[at + 1 : at + 2 + length]
            at += length + 2
        else:
            yield data[at + 1 : at + 2] * (257 - length)
            at += 2


def _lzw(pieces: Pieces) -> Pieces:
    """LZW as ISO 32000-2, 7.4.4 has it, with the early change that is usual."""
    table: list[bytes] = [bytes([one]) for one in range(256)] + [b"", b""]
    width, bits, held = 9, 0, 0
    before = b""
    for piece in pieces:
        out: list[bytes] = []
        for byte in piece:
            held, bits = held << 8 | byte, bits + 8
            if bits < width:
                continue
            bits -= width
            code = held >> bits
            held &= (1 << bits) - 1
            if code == 256:
                del table[258:]
                width, before = 9, b""
                continue
            if code == 257 or code > len(table):
                yield b"".join(out)
                return
            said = table[code] if code < len(table) else before + before[:1]
            out.append(said)
            if before and len(table) < 4096:
                table.append(before + said[:1])
            before = said
            width = min(12, max(9, (len(table) + 1).bit_length()))
            if len(out) > 1000:
                yield b"".join(out)
                out = []
        yield b"".join(out)


_DECODERS: dict[bytes, Callable[[Pieces], Pieces]] = {
    b"ASCII85Decode": _ascii85,
    b"A85": _ascii85,
    b"ASCIIHexDecode": _hex,
    b"AHx": _hex,
    b"RunLengthDecode": _run_lengths,
    b"RL": _run_lengths,
    b"LZWDecode": _lzw,
    b"LZW": _lzw,
}
