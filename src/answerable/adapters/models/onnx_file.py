"""ONNX files read and written without the `onnx` package: as much as one encoder needs."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError

Tensors = Mapping[str, NDArray[Any]]

# Field numbers of onnx.proto (IR version 9); wire types of Protocol Buffers.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MODEL_GRAPH, _GRAPH_TENSOR = 7, 5
_KINDS = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64, 9: np.bool_}
_NUMBERS = {np.dtype(kind): number for number, kind in _KINDS.items()}


def tensors(model: bytes) -> dict[str, NDArray[Any]]:
    """The stored tensors of a model by name, read-only; InputError when it is not one."""
    found = {}
    try:
        for graph in _all(memoryview(model), _MODEL_GRAPH):
            for part in _all(graph, _GRAPH_TENSOR):
                name, array = _tensor(part)
                found[name] = array
    except (IndexError, KeyError, TypeError, ValueError) as fault:
        raise InputError(f"not an ONNX model: {fault}", "fetch the model again") from fault
    return found


def node(
    kind: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    domain: str = "",
    **attributes: int | float,
) -> bytes:
    """One operation, named after its first output; an input '' is left out."""
    parts = [_text(1, name) for name in inputs]
    parts += [_text(2, name) for name in outputs]
    parts += [_text(3, outputs[0]), _text(4, kind)]
    for key, value in attributes.items():
        number = (
            _key(2, _FIXED32) + struct.pack("<f", value) + _number(20, 1)
            if isinstance(value, float)
            else _number(3, value) + _number(20, 2)
        )
        parts.append(_block(5, _text(1, key) + number))
    return b"".join([*parts, _text(7, domain)])


def model(
    nodes: Sequence[bytes],
    stored: Tensors,
    inputs: Mapping[str, tuple[type, Sequence[int | str]]],
    outputs: Mapping[str, tuple[type, Sequence[int | str]]],
    opsets: Mapping[str, int],
) -> bytes:
    """A whole model; inputs and outputs are (type, shape) by name, a word is a free dimension."""
    graph = [_block(1, part) for part in nodes]
    graph.append(_text(2, "graph"))
    # large arrays are copied once, when all parts are joined
    held: list[bytes | memoryview] = []
    for name, array in stored.items():
        body = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        head = b"".join(_number(1, size) for size in array.shape)
        head += _number(2, _NUMBERS[array.dtype]) + _text(8, name)
        head += _head(9, len(body))
        held += [_head(5, len(head) + len(body)) + head, body]
    tail = [_block(11, _value(name, *kind)) for name, kind in inputs.items()]
    tail += [_block(12, _value(name, *kind)) for name, kind in outputs.items()]
    used = b"".join(
        _block(8, _text(1, domain) + _number(2, version)) for domain, version in opsets.items()
    )
    parts = [*graph, *held, *tail]
    opening = _number(1, 9) + _text(2, "answerable") + _head(7, sum(map(len, parts)))
    return b"".join([opening, *parts, used])


def _value(name: str, kind: type, shape: Sequence[int | str]) -> bytes:
    sizes = b"".join(
        _block(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape
    )
    tensor = _number(1, _NUMBERS[np.dtype(kind)]) + _block(2, sizes)
    return _text(1, name) + _block(2, _block(1, tensor))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _number(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + _varint(value)


def _head(field: int, size: int) -> bytes:
    return _key(field, _BYTES) + _varint(size)


def _block(field: int, body: bytes) -> bytes:
    return _head(field, len(body)) + body


def _text(field: int, words: str) -> bytes:
    return _block(field, words.encode())


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at = 0
    while at < len(data):
        key, at = _read(data, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _read(data, at)
            yield key >> 3, value
            continue
        if wire == _BYTES:
            size, at = _read(data, at)
        elif wire in (_FIXED32, _FIXED64):
            size = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError(f"wire type {wire}")
        if at + size > len(data):
            raise ValueError("it ends too early")
        yield key >> 3, data[at : at + size]
        at += size


def _all(data: memoryview, wanted: int) -> Iterator[memoryview]:
    for field, value in _fields(data):
        if field == wanted and isinstance(value, memoryview):
            yield value


def _read(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _tensor(data: memoryview) -> tuple[str, NDArray[Any]]:
    shape: list[int] = []
    kind, name, raw = 0, "", memoryview(b"")
    for field, value in _fields(data):
        if field == 1 and isinstance(value, int):
            shape.append(value)
        elif field == 1 and isinstance(value, memoryview):  # the packed form of the same list
            at = 0
            while at < len(value):
                size, at = _read(value, at)
                shape.append(size)
        elif field == 2 and isinstance(value, int):
            kind = value
        elif field == 8 and isinstance(value, memoryview):
            name = str(value, "utf-8")
        elif field == 9 and isinstance(value, memoryview):
            raw = value
    return name, np.frombuffer(raw, dtype=_KINDS[kind]).reshape(shape)
