"""Unpacking what came packed, up to a limit."""

from __future__ import annotations

import zlib

_STEP = 1 << 16
_MOST_MEMBERS = 1000


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
    parts: list[bytes] = []
    made, members = 0, 1
    reader = zlib.decompressobj(_window(data))
    while True:
        try:
            part = reader.decompress(data, _STEP)
        except zlib.error as fault:
            raise NotPacked(str(fault)) from fault
        made += len(part)
        if made > limit:
            raise TooLarge
        parts.append(part)
        if reader.eof:
            data = reader.unused_data
            if data[:2] != b"\x1f\x8b":
                return b"".join(parts)
            members += 1
            if members > _MOST_MEMBERS:
                raise NotPacked(f"more than {_MOST_MEMBERS:,} parts")
            reader = zlib.decompressobj(_window(data))
            continue
        data = reader.unconsumed_tail
        if not data and len(part) < _STEP:
            raise NotPacked("it ends too early")


def _window(data: bytes) -> int:
    """How zlib is told what follows: gzip, zlib or bare deflate."""
    if data[:1] == b"\x1f":
        return 31
    sound = len(data) > 1 and data[0] & 15 == 8 and (data[0] * 256 + data[1]) % 31 == 0
    return 15 if sound else -15
