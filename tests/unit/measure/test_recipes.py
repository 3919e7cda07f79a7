"""What arms differ in, and when one sends another number of pieces than was asked for."""

from dataclasses import replace

from answerable.measure.recipes import keys, other_depth
from made_runs import made_run


def arm(name: str, **recipe: str):
    made = made_run(name, {"m": {"a": 1.0}}, depth=3)
    return replace(made, recipe=tuple((key.replace("_", "."), v) for key, v in recipe.items()))


def test_keys_that_differ_and_keys_that_are_the_same() -> None:
    one = arm("one", cut_size="64", cut_by='"words"', mode='"hybrid"')
    two = arm("two", cut_size="64", cut_by='"headings"', mode='"hybrid"', extra="1")
    assert keys([one, two]) == (["cut.by", "extra"], ["cut.size", "mode"])
    assert keys([one]) == ([], ["cut.by", "cut.size", "mode"])
    assert keys([]) == ([], [])


def test_another_number_of_pieces_is_said() -> None:
    said = other_depth(arm("azure", ask_context_passages="5"))
    assert said.startswith("azure sends 5 pieces where the experiment's depth is 3")
    assert other_depth(arm("azure", ask_context_passages="3")) == ""
    assert other_depth(arm("azure")) == ""
