"""Rows in columns."""

from answerable.cli.columns import aligned


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [("name", "n", "said"), ("a", "100", "x"), ("longer", "7", "")]
    assert aligned(rows) == ["name      n  said", "a       100  x", "longer    7"]
    assert aligned(rows, left=(0,)) == ["name      n  said", "a       100     x", "longer    7"]
    assert aligned([("only",)]) == ["only"]
