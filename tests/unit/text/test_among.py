"""A quote looked for in many documents: the same places as looking in each, read once."""

import pytest

from answerable.adapters.formats.beir import document
from answerable.text.among import Among
from answerable.text.anchor import find

TEXTS = {
    "a": "The gate opens at 05:30.\n\nThe pump is checked.",
    "b": "The **gate** opens\nat 05:30. The gate opens at 05:30.",
    "c": "the gate, opens at 05 30",
    "d": "Nothing of it.",
}
DOCUMENTS = {name: document(name, "", text) for name, text in TEXTS.items()}


@pytest.mark.parametrize(
    "quote",
    [
        "The gate opens at 05:30.",
        "gate opens",
        "GATE  opens at",
        "“The gate” opens",
        "1. the gate opens",
        "nothing",
        "absent words",
        " ",
        "*",
    ],
)
def test_it_finds_what_looking_in_each_document_finds(quote):
    each = [(name, anchor) for name, one in DOCUMENTS.items() if (anchor := find(one, quote)).spans]
    assert list(Among(DOCUMENTS, DOCUMENTS.__getitem__).find(quote)) == each


def test_exact_is_character_for_character():
    among = Among(DOCUMENTS, DOCUMENTS.__getitem__)
    assert [name for name, _ in among.exact("The gate opens at 05:30.")] == ["a", "b"]
    assert [name for name, _ in among.exact("the gate opens")] == []
