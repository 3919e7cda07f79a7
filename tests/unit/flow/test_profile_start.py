"""The start recipe by the language of the documents, and what a query then weighs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from answerable.flow.profile import Percentiles, Profile, start
from answerable.rank.fuse import convex
from answerable.records.index import Hit
from answerable.records.recipe import Recipe

LENGTHS = Percentiles(10, 20, 30, 40)
ENGLISH = Profile(
    documents=10,
    words=LENGTHS,
    tokens=LENGTHS,
    limit=254,
    over_limit=0,
    heading_coverage=1.0,
    section_words=LENGTHS,
    tables=0.0,
    code=0.0,
    languages=(("en", 8), ("de", 2)),
    types=(("markdown", 10),),
)


@pytest.mark.parametrize(
    ("languages", "weight"),
    [
        ((("en", 8), ("de", 2)), None),
        ((("", 8), ("en", 2)), None),
        ((("", 10),), None),
        ((), None),
        ((("de", 8), ("en", 2)), 0.2),
        ((("", 6), ("zh", 3), ("en", 1)), 0.2),
    ],
)
def test_meaning_weighs_less_where_the_model_reads_another_language(languages, weight):
    recipe, reasons = start(replace(ENGLISH, languages=languages))
    usual = Recipe().ask.fusion
    assert recipe.ask.fusion == (usual if weight is None else replace(usual, weight=weight))
    said = [reason for reason in reasons if "ask.fusion.weight" in reason]
    assert len(said) == (weight is not None)
    if said:
        assert repr(next(code for code, _ in languages if code)) in said[0]
        assert "meaning 0.2" in said[0]


def test_the_weight_is_that_of_the_dense_list():
    # the best by words must win against the best by meaning when words count 0.8
    weight = start(replace(ENGLISH, languages=(("de", 1),)))[0].ask.fusion.weight
    lists = {"lexical": (Hit("words", 1.0, "lexical"),), "dense": (Hit("sense", 1.0, "dense"),)}
    shares = {"lexical": 1 - weight, "dense": weight}
    found = convex(lists, shares, {"lexical": (0.0, 1.0), "dense": (0, 1)})
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in found] == [
        ("words", 0.8),
        ("sense", 0.2),
    ]
