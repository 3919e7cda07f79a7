"""Unpacking what came packed, up to a limit."""

from __future__ import annotations

import zlib

_STEP = 1 << 16
_MOST_MEMBERS = 100_000


class TooLarge(Exception):
    """More bytes than the limit."""


class NotPacked(Exception):
    """Bytes that are not what they are said to be, or end too early."""


def inflated(data: bytes, limit: int) -> bytes:
    """What a gzip (several members too), zlib or bare deflate stream holds.

    TooLarge before more than `limit` bytes and one step are unpacked; NotPacked when the stream is
    broken, cut, or of more members than anybody writes. What follows a finished stream and is no
    further one is left alone, as RFC 1952 readers do.
    """
    view = memoryview(data)
    parts: list[bytes] = []
    made = at = 0
    for _ in range(_MOST_MEMBERS):
        reader = zlib.decompressobj(_window(bytes(view[at : at + 2])))
        while not reader.eof:
            # A step at a time: what is left over is copied, and all of it for every member is much.
            piece = view[at : at + _STEP]
            try:
                part = reader.decompress(piece, _STEP)
            except zlib.error as fault:
                raise NotPacked(str(fault)) from fault
            at += len(piece) - len(reader.unused_data if reader.eof else reader.unconsumed_tail)
            made += len(part)
            if made > limit:
                raise TooLarge
            parts.append(part)
            if not reader.eof and at == len(view) and len(part) < _STEP:
                raise NotPacked("it ends too early")
        if bytes(view[at : at + 2]) != b"\x1f\x8b":
            return b"".join(parts)
    raise NotPacked(f"more than {_MOST_MEMBERS:,} parts")


def _window(data: bytes) -> int:
    """How zlib is told what follows: gzip, zlib or bare deflate."""
    if data[:1] == b"\x1f":
        return 31
    sound = len(data) > 1 and data[0] & 15 == 8 and (data[0] * 256 + data[1]) % 31 == 0
    return 15 if sound else -15
