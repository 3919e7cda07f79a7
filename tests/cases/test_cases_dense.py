"""Cases H01, H02, H05 and H07: vectors, fusion, long texts, and the identity of a model."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from answerable.adapters.models.minilm import LIMIT, MiniLM
from answerable.errors import InputError
from answerable.flow.embed import embed_chunks
from answerable.rank import dense
from answerable.rank.fuse import rrf
from answerable.records.index import Hit
from fakes import HashEmbedder

LONG = Path(__file__).parents[1] / "fixtures" / "cases" / "H05_long_chunk.md"


def test_h01_zero_and_non_finite_vectors():
    vectors = np.array([[1, 0], [0.5, 0.5], [0, 0], [0, 1]], np.float32)
    segment = dense.build(vectors, np.arange(4))
    live = [np.ones(4, bool)]
    found = dense.search([segment], live, np.array([1.0, 0.0]), 2)
    assert [f"V{ordinal + 1}" for _, ordinal, _ in found] == ["V1", "V2"]
    assert [score for _, _, score in found] == pytest.approx([1.0, 0.70710678], abs=1e-6)
    assert all(math.isfinite(score) for _, _, score in dense.search([segment], live, vectors[1], 9))
    assert dense.search([segment], live, np.array([0.0, 0.0]), 2) == []
    with pytest.raises(InputError, match=r"vector 4 .* not finite"):
        dense.build(np.concatenate((vectors, [[np.nan, 1]])), np.arange(5))


def test_h02_reciprocal_rank_fusion():
    lists = {
        "dense": [(f"d{n}", 1.0) for n in (4, 1, 7)],
        "lexical": [(f"d{n}", 1.0) for n in (2, 9, 7, 5, 2)],
    }
    rankings = {
        name: tuple(Hit(chunk, score, name) for chunk, score in hits)
        for name, hits in lists.items()
    }
    fused = rrf(rankings, 60)
    assert [hit.chunk_id for hit in fused] == ["d7", "d2", "d4", "d1", "d9", "d5"]
    assert {hit.chunk_id: hit.score for hit in fused} == pytest.approx(
        {
            "d7": 0.031746031746031744,
            "d2": 0.01639344262295082,
            "d4": 0.01639344262295082,
            "d1": 0.016129032258064516,
            "d9": 0.016129032258064516,
            "d5": 0.015625,
        },
        abs=1e-9,
    )
    weighted = rrf(rankings, 60, {"dense": 0.7, "lexical": 0.3})
    assert {hit.chunk_id: hit.score for hit in weighted} == pytest.approx(
        {
            "d7": 0.015873015873015872,
            "d4": 0.011475409836065573,
            "d1": 0.01129032258064516,
            "d2": 0.0049180327868852455,
            "d9": 0.004838709677419355,
            "d5": 0.0046875,
        },
        abs=1e-9,
    )


def test_h05_the_end_of_a_long_chunk_is_found_and_the_cut_is_counted():
    model = MiniLM()
    long = LONG.read_text(encoding="utf-8")
    others = [
        "The warehouse opens at seven and closes at six.",
        "Travel costs are refunded within thirty days.",
        "Passwords must have at least twelve characters.",
        "The canteen serves soup on Mondays.",
    ]
    assert model.over(long) > 0
    done = embed_chunks(model, [long, *others], "windows")
    assert done.over == 1
    assert done.cut == 0
    segment = dense.build(done.vectors, np.array(done.owners))
    asked = model.questions(["what colour must the emergency lever have?"])[0]
    top = dense.search([segment], [np.ones(5, bool)], asked, 3)
    assert 0 in [ordinal for _, ordinal, _ in top]
    windows = done.vectors[[owner == 0 for owner in done.owners]]
    assert int(np.argmax(windows @ asked)) == len(windows) - 1
    head = embed_chunks(model, [long], "head")
    assert float(head.vectors[0] @ asked) < float(windows[-1] @ asked) - 0.1
    assert (head.over, head.cut) == (1, model.count(long) - LIMIT)
    whole, half = model.passages([long[-1500:], long[-1500:-750]])
    assert float(whole @ half) < 0.999


@pytest.mark.parametrize(
    "changed",
    [
        HashEmbedder("stub-b", "1", 8),
        HashEmbedder("stub-b", "1", 6),
        HashEmbedder("stub-a", "2", 8),
        HashEmbedder("stub-a", "1", 8, query_prefix="query: "),
    ],
)
def test_h07_every_change_of_model_changes_the_fingerprint(changed):
    assert changed.fingerprint != HashEmbedder("stub-a", "1", 8).fingerprint


def test_h07_the_default_model_names_all_that_its_vectors_depend_on():
    fingerprint = MiniLM().fingerprint
    for part in ("provider", "model", "revision", "width", "prefixes", "normalisation"):
        assert f'"{part}":' in fingerprint
    assert MiniLM(threads=1).fingerprint == fingerprint
    assert MiniLM(graph="wheel").fingerprint != fingerprint
