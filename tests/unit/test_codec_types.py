"""Stored records are read back only when every field is of its type."""

import pytest

from answerable.errors import InputError
from answerable.records.codec import from_plain, to_plain
from answerable.records.runs import Standing

STANDING = Standing("q", 3, "cut", (("a.md", 7),), "a.md", "markdown", 90, 2, ("word",))


def test_a_record_comes_back_as_it_was():
    assert from_plain(Standing, to_plain(STANDING)) == STANDING


@pytest.mark.parametrize(
    "change",
    [
        {"item_id": 5},
        {"item_id": []},
        {"rank": "3"},
        {"words": "many"},
        {"absent": "word"},
        {"absent": [1]},
        {"cuts": [["a.md"]]},
        {"cuts": [["a.md", "7"]]},
        {"uri": None},
    ],
)
def test_a_field_of_another_type_is_a_named_fault(change):
    with pytest.raises(InputError, match="not a stored Standing"):
        from_plain(Standing, to_plain(STANDING) | change)
