"""The layer and direction of every metric that is taken."""

import pytest

from answerable.measure.layers import base, higher_is_better, layer


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("nDCG@10", "retrieval"),
        ("MAP", "retrieval"),
        ("fused complete@5", "retrieval"),
        ("rerank complete in 300 words", "retrieval"),
        ("complete in 400 tokens", "retrieval"),
        ("complete sent", "retrieval"),
        ("token_iou@7", "retrieval"),
        ("words@5", "retrieval"),
        ("words sent", "retrieval"),
        ("citation_recall", "generation"),
        ("grounded", "generation"),
        ("strict", "end to end"),
        ("refused", "end to end"),
        ("my checker", "own"),
        ("", "own"),
    ],
)
def test_layers(metric: str, expected: str) -> None:
    assert layer(metric) == expected


def test_fewer_words_are_better_and_more_of_anything_else() -> None:
    assert not higher_is_better("words@5")
    assert not higher_is_better("words sent")
    assert higher_is_better("complete in 300 words")
    assert higher_is_better("my checker")


def test_the_base_of_a_name() -> None:
    assert base("lexical complete in 300 words") == "complete"
    assert base("dense") == "dense"
