"""The default model and its tokenizer against the reference tokenizer and float32 arithmetic."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
import tokie
from tokenizers import Tokenizer

from answerable.adapters.models import fast_graph, onnx_file, wordpiece
from answerable.adapters.models.minilm import LIMIT, MiniLM
from answerable.errors import ConfigError, InputError, ServiceError

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[4] / "shared" / "data"))


@pytest.fixture(scope="module")
def reference():
    return Tokenizer.from_file(str(wordpiece.VOCABULARY))


@pytest.fixture(scope="module")
def pieces():
    return wordpiece.load()


def same(reference, pieces, text):
    expected = reference.encode(text, add_special_tokens=False)
    assert pieces.ids([text])[0].tolist() == expected.ids
    assert pieces.count(text) == len(expected.ids)
    spans = [tuple(span) for span in pieces.spans(text).tolist()]
    assert spans == expected.offsets


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "Hello, World! It's e-mail.",
        "x" * 100 + " " + "y" * 101 + " z",
        "na\u0303o \u00e9t\u00e9 \u0130stanbul",
        "a\u0000b\u200bc\ufffdd",
        "日本語 한국어 Ωμέγα",
        "①½ﬁ ẞ ß ª²",
        "\u0301abc",
        "अनुच्छेद ป่า",
        "tab\there\u00a0nb\u2028ls\u0085x\x1cy",
        "🎉🎉 𠀀𠀁 Ꭰ ǅ",
        "`^~ $5 ≠ \u037e",
    ],
)
def test_ids_and_spans_equal_the_reference(reference, pieces, text):
    same(reference, pieces, text)


@pytest.mark.data
@pytest.mark.parametrize("language", ["en", "de", "zh", "ar"])
def test_ids_and_spans_equal_the_reference_on_real_text(reference, pieces, language):
    lines = (DATA / "xquad" / language / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 100
    for line in lines:
        same(reference, pieces, json.loads(line)["text"])


@pytest.mark.data
def test_ids_and_spans_equal_the_reference_on_handbook_pages(reference, pieces):
    pages = sorted((DATA / "docs").rglob("*.md"))[:150]
    assert len(pages) == 150
    for page in pages:
        same(reference, pieces, page.read_text(encoding="utf-8", errors="replace"))


@pytest.mark.parametrize("first", ["", "a", "ab", "abc"])
def test_a_long_text_without_spaces_is_read_as_the_reference_reads_it(reference, pieces, first):
    for unit in ("這是一個句子。", "日本語の文章です。\n", "ひらがなだけ", "\u2028x"):
        text = first + unit * (70_000 // len(unit.encode()) + 1)
        assert len(text.encode()) > 65_536
        expected = reference.encode(text, add_special_tokens=False)
        if unit != "ひらがなだけ":  # a word without an end is cut somewhere, and is unknown anyway
            assert pieces.ids([text, "x"])[0].tolist() == expected.ids
            assert pieces.count(text) == len(expected.ids)
            assert pieces.counts(["x", text]) == [1, len(expected.ids)]
        else:
            assert 1 <= pieces.count(text) <= 10


def test_text_that_spells_a_control_token_is_ordinary(pieces):
    # 101 [CLS], 102 [SEP], 103 [MASK], 100 [UNK], 0 [PAD] in BERT's vocabulary
    for text in ("[SEP]", "[CLS] x", "a[MASK]b", "[UNK]", "[PAD]"):
        assert not set(pieces.ids([text])[0].tolist()) & {0, 100, 101, 102, 103}
    assert pieces.count("[SEP]") == 3  # a bracket, "sep", a bracket
    assert pieces.ids(["[SEP]"])[0][[0, -1]].tolist() == [1031, 1033]


def test_words_read_differently_by_the_tokenizer_still_have_spans(pieces):
    text = "before \ua7ce\u0378\U000105c0 after"
    spans = pieces.spans(text)
    assert len(spans) == pieces.count(text)
    assert text[slice(*spans[0])] == "before"
    assert text[slice(*spans[-1])] == "after"


def test_the_fast_graph_agrees_with_float32():
    texts = ["The cat sat on the mat.", "Refunds are paid within ten days of the return."]
    fast = MiniLM(threads=1).passages(texts)
    whole = MiniLM(graph="wheel", threads=1).passages(texts)
    assert ((fast * whole).sum(axis=1) > 0.98).all()
    assert MiniLM().fingerprint != MiniLM(graph="wheel").fingerprint


def test_meaning_is_found():
    near, far = MiniLM(threads=1).passages(["A dog barks at the postman.", "Interest rates rose."])
    asked = MiniLM(threads=1).questions(["Which animal makes noise?"])[0]
    assert asked @ near > asked @ far + 0.2


def test_over_tells_the_tokens_beyond_the_limit():
    assert MiniLM().over("cat " * (LIMIT + 7)) == 7
    assert MiniLM().over("cat " * LIMIT) == 0


def test_threads_change_nothing():
    texts = [f"chapter {n} of the handbook " * n for n in range(1, 6)]
    one, two = MiniLM(threads=1).passages(texts), MiniLM(threads=2).passages(texts)
    assert np.array_equal(one, two)


def test_what_cannot_be_opened_says_so(tmp_path):
    with pytest.raises(ServiceError, match="no model at"):
        MiniLM(graph=tmp_path / "none.onnx").fingerprint  # noqa: B018
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"\x08\x09nothing")
    with pytest.raises(ServiceError, match=r"broken\.onnx"):
        MiniLM(graph=broken).passages(["x"])
    with pytest.raises(ConfigError, match="-1"):
        MiniLM(threads=-1)


def test_quantised_columns_stay_within_seven_bits():
    matrix = np.array([[1.0, -4.0, 0.0], [-0.5, 2.0, 0.0]], np.float32)
    whole, scales = fast_graph.quantise(matrix)
    assert whole.tolist() == [[64, -64, 0], [-32, 32, 0]]
    assert scales.tolist() == [1 / 64, 4 / 64, 1.0]


def test_written_tensors_are_read_back():
    stored = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([-3, 300], dtype=np.int64),
        "c": np.array(7, dtype=np.int32),
    }
    data = onnx_file.model([], stored, {}, {}, {"": 18})
    back = onnx_file.tensors(data)
    assert back.keys() == stored.keys()
    for name, array in stored.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)
    with pytest.raises(InputError, match="not an ONNX model"):
        onnx_file.tensors(data[:-20][: len(data) // 2])


def test_the_saved_tokenizer_is_the_readable_one(tmp_path):
    saved = tmp_path / "again.tkz"
    tokie.Tokenizer.from_json(str(wordpiece.VOCABULARY)).save(str(saved))
    assert wordpiece.VOCABULARY.with_suffix(".tkz").read_bytes() == saved.read_bytes()
