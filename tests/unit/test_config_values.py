"""A recipe from plain values: what each kind of key takes, and how a wrong value is named."""

from __future__ import annotations

import pytest

from answerable.config import read_recipe
from answerable.errors import ConfigError
from answerable.records.codec import to_plain
from answerable.records.recipe import CutRule, Recipe


def read(half, part, **values):
    return read_recipe({half: {part: values}}, "FILE")


def test_nothing_given_is_the_default():
    assert read_recipe({}, "FILE") == Recipe()


def test_whole_numbers_stand_for_numbers_and_hash_alike():
    whole = read("ask", "search", k1=1)
    assert whole.ask.search.k1 == 1.0
    assert isinstance(whole.ask.search.k1, float)
    assert whole.hash() == read("ask", "search", k1=1.0).hash()


def test_a_recipe_comes_back_from_its_plain_form():
    recipe = read_recipe(
        {
            "ingest": {
                "cut": [{"size": 9, "options": {"b": 2, "a": "x"}}, {"by": "whole"}],
                "embedder": {"long": "head", "options": {"graph": "wheel"}},
            },
            "ask": {"route": {"need_value": False}},
        },
        "FILE",
    )
    assert recipe.ingest.cut == (CutRule(size=9, options=(("a", "x"), ("b", 2))), CutRule("whole"))
    assert read_recipe(to_plain(recipe), "FILE") == recipe


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"ask": {"search": {"k1": "1"}}}, "FILE: ask.search.k1 = '1' is no number"),
        ({"ask": {"search": {"k1": True}}}, "FILE: ask.search.k1 = True is no number"),
        ({"ask": {"search": {"depth": True}}}, "ask.search.depth = True is no whole number"),
        ({"ask": {"search": {"depth": 2.5}}}, "ask.search.depth = 2.5 is no whole number"),
        ({"ask": {"search": {"exact": 1}}}, "ask.search.exact = 1 is no truth value"),
        ({"ask": {"search": {"mode": ["lexical"]}}}, "ask.search.mode = ['lexical'] is not known"),
        ({"ingest": {"embedder": {"name": 3}}}, "ingest.embedder.name = 3 is no text"),
        ({"ingest": {"embedder": {"options": 3}}}, "ingest.embedder.options = 3 is no table"),
        (
            {"ingest": {"embedder": {"options": {"a": [1]}}}},
            "ingest.embedder.options.a = [1]",
        ),
        ({"ingest": {"cut": {"size": 3}}}, "ingest.cut = {'size': 3} is no list"),
        ({"ingest": {"cut": [{}, {"size": "x"}]}}, "ingest.cut[1].size = 'x' is no whole number"),
        ({"ingest": {"cut": [{"seize": 1}]}}, "unknown key ingest.cut[0].seize = 1"),
        ({"ingest": {"cut": [3]}}, "[ingest.cut[0]] is 3"),
        ({"ask": {"search": {"b": float("nan")}}}, "ask.search.b = nan is out of range"),
        ({"ask": 3}, "[ask] is 3"),
    ],
)
def test_a_wrong_value_is_named_with_its_key_and_its_place(table, message):
    with pytest.raises(ConfigError) as caught:
        read_recipe(table, "FILE")
    assert caught.value.message.startswith("FILE: ")
    assert message in caught.value.message
    assert caught.value.hint
