"""What every embedder owes the flow, whichever model is behind it."""

from __future__ import annotations

import numpy as np
import pytest

from answerable.adapters.models.minilm import MiniLM
from answerable.flow.embed import embed_chunks, windows
from fakes import HashEmbedder

TEXTS = [
    "The emergency lever is painted teal.",
    "",
    "   \n\t ",
    "Rückgabe binnen 30 Tagen – kostenlos!",
    "日本語のテキスト",
    "don't [SEP] <|endoftext|> [CLS]",
    "a\ud800b \x00 \u0301",
    "word " * 700,
]


@pytest.fixture(params=[HashEmbedder(), MiniLM(threads=1)], ids=["hash", "minilm"])
def embedder(request):
    return request.param


def test_rows_are_unit_or_zero_and_never_nan(embedder):
    for rows in (embedder.passages(TEXTS), embedder.questions(TEXTS)):
        assert rows.shape == (len(TEXTS), embedder.dimensions)
        assert rows.dtype == np.float32
        norms = np.linalg.norm(rows.astype(np.float64), axis=1)
        empty = np.array([embedder.count(text) == 0 for text in TEXTS])
        assert np.allclose(norms[~empty], 1, atol=1e-5)
        assert not rows[empty].any()


def test_nothing_gives_no_rows(embedder):
    assert embedder.passages([]).shape == (0, embedder.dimensions)


def test_a_vector_does_not_depend_on_its_neighbours(embedder):
    together = embedder.passages(TEXTS)
    alone = np.concatenate([embedder.passages([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_spans_are_the_tokens_in_order(embedder):
    for text in TEXTS:
        spans = embedder.spans(text)
        assert spans.shape == (embedder.count(text), 2)
        assert spans.dtype == np.int64
        if len(spans):
            assert (spans[:, 0] < spans[:, 1]).all()
            assert (np.diff(spans[:, 0]) >= 0).all()
            assert spans[0, 0] >= 0
            assert spans[-1, 1] <= len(text)


def test_text_beyond_the_limit_counts_only_in_windows(embedder):
    head = "alpha beta gamma delta " * embedder.limit
    text = head + "the lever is teal"
    assert np.array_equal(embedder.passages([text]), embedder.passages([head]))
    parts = windows(text, embedder)
    assert all(embedder.count(part) <= embedder.limit for part in parts)
    assert parts[-1].endswith("the lever is teal")
    assert text.startswith(parts[0])


def test_windows_leave_nothing_out(embedder):
    text = " ".join(f"w{number}" for number in range(3 * embedder.limit))
    parts = windows(text, embedder)
    end = 0
    for part in parts:
        start = text.find(part)
        assert 0 <= start <= end
        end = start + len(part)
    assert end == len(text)


def test_chunks_report_what_was_over(embedder):
    long = "alpha " * (embedder.limit + 10)
    done = embed_chunks(embedder, ["short", long, ""], "windows")
    assert done.owners[0] == 0
    assert done.owners[-1] == 2
    assert done.owners.count(1) >= 2
    assert (done.over, done.cut) == (1, 0)
    assert len(done.vectors) == len(done.owners)
    cut = embed_chunks(embedder, ["short", long, ""], "head")
    assert cut.owners == (0, 1, 2)
    assert (cut.over, cut.cut) == (1, 10)


def test_a_word_longer_than_the_window_ends(embedder):
    for text in ("x" * 20_000, "x-" * 5_000, "語" * 3_000):
        parts = windows(text, embedder)
        assert all(embedder.count(part) <= embedder.limit for part in parts)


def test_the_fingerprint_is_stable_and_names_the_width(embedder):
    assert embedder.fingerprint == embedder.fingerprint
    assert str(embedder.dimensions) in embedder.fingerprint
