"""Pieces pooled from the token vectors of the document around them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.flow.late import late_vectors
from answerable.records.docs import Span
from fakes import HashEmbedder

WORDS = [f"w{number}" for number in range(40)]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=120), st.data())
def test_without_context_a_piece_of_a_long_text_is_what_it_is_alone(words, data):
    # The fake's token vectors know no neighbours, so pooling late or early is the same, however
    # the document falls into windows.
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, min(first + 9, len(words) - 1)))
    start = len(" ".join(words[:first])) + (1 if first else 0)
    end = len(" ".join(words[: last + 1]))
    embedder = HashEmbedder()
    rows = late_vectors(embedder, text, [Span(start, end)])
    alone = embedder.passages([text[start:end]])
    np.testing.assert_allclose(rows, alone, atol=1e-6)


def test_a_span_without_tokens_has_a_row_of_zeros():
    rows = late_vectors(HashEmbedder(), "a b   c", [Span(3, 5), Span(0, 3)])
    assert not rows[0].any()
    assert abs(np.linalg.norm(rows[1]) - 1) < 1e-6


def test_a_token_is_read_where_it_has_most_context():
    class Counting(HashEmbedder):
        """A token's vector is its distance to the nearer end of its window."""

        def token_vectors(self, texts):
            found = []
            for text in texts:
                count = len(self.spans(text))
                margin = np.minimum(np.arange(count), count - 1 - np.arange(count))
                found.append(np.stack([margin + 1.0, np.ones(count)], axis=1).astype(np.float32))
            return found

    embedder = Counting(dimensions=2, limit=16)
    text = " ".join(WORDS[:30])
    spans = [Span(place, place + len(word)) for word in WORDS[:30] for place in [_find(text, word)]]
    rows = late_vectors(embedder, text, spans)
    margins = rows[:, 0] / rows[:, 1] - 1
    # Windows of 16 tokens that share 4: only the document's own ends stand at a window's end.
    assert margins[0] == margins[-1] == 0
    assert (margins[1:-1] >= 1 - 1e-6).all()


def _find(text, word):
    return f" {text} ".index(f" {word} ")
