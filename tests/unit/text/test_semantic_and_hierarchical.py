"""Where sentences drop in similarity, and small pieces inside larger ones."""

import pytest

from answerable.errors import ConfigError
from answerable.records.docs import RawDoc, Span
from answerable.text.canonical import Canvas
from answerable.text.cutters.hierarchical import Hierarchical
from answerable.text.cutters.semantic import Semantic
from answerable.text.expand import expand
from answerable.text.ruler import Words

CATS = ["The cat sleeps.", "The cat eats fish.", "A cat hunts at night."]
TAX = ["Tax is due in May.", "Pay the tax online.", "Late tax costs a fee."]


def document(*paragraphs):
    canvas = Canvas()
    for text in paragraphs:
        if text.startswith("# "):
            canvas.heading(1, text[2:])
        else:
            canvas.paragraph(text)
    return canvas.finish(RawDoc("a.md", b""), "markdown", "")


def by_topic(before, after):
    """1 where both sides speak of the same of the two topics alone, else less."""

    def topics(text):
        return {word for word in ("cat", "tax") if word in text.lower()}

    return [
        1.0
        if topics(a) == topics(b) and len(topics(a)) == 1
        else 0.2
        if topics(a) & topics(b)
        else 0
        for a, b in zip(before, after, strict=True)
    ]


def texts(found, pieces):
    return [found.text[piece.span.start : piece.span.end] for piece in pieces]


def test_a_cut_falls_where_the_topic_changes_inside_a_paragraph():
    read = document(" ".join(CATS + TAX))
    pieces = Semantic(by_topic, size=100, percentile=80, around=1)(read, Words(), lambda at: "")
    assert texts(read, pieces) == [" ".join(CATS), " ".join(TAX)]


def test_a_part_of_one_topic_that_is_too_long_is_divided_between_sentences():
    read = document(" ".join(CATS + TAX))
    pieces = Semantic(by_topic, size=8, percentile=80, around=1)(read, Words(), lambda at: "")
    assert texts(read, pieces) == [
        "The cat sleeps. The cat eats fish.",
        "A cat hunts at night.",
        "Tax is due in May.",
        "Pay the tax online.",
        "Late tax costs a fee.",
    ]


def test_a_heading_stays_with_its_text_though_it_is_unlike_it():
    read = document(" ".join(CATS), "# Money", " ".join(TAX))
    pieces = Semantic(by_topic, size=100, percentile=50, around=1)(read, Words(), lambda at: "")
    assert any(text.startswith("# Money\n\nTax is due") for text in texts(read, pieces))


@pytest.mark.parametrize("options", [{"percentile": 0}, {"percentile": 100}, {"around": 0}])
def test_semantic_options_out_of_range_are_refused(options):
    with pytest.raises(ConfigError, match="semantic"):
        Semantic(by_topic, **options)


def test_small_pieces_name_the_parent_they_lie_in():
    read = document("a b c d e f", "g h i", "j k l m")
    pieces = Hierarchical(size=3, parent=9)(read, Words(), lambda at: "")
    assert [
        (text, read.text[p.parent.start : p.parent.end])
        for text, p in zip(texts(read, pieces), pieces, strict=True)
    ] == [
        ("a b c", "a b c d e f\n\ng h i"),
        ("d e f", "a b c d e f\n\ng h i"),
        ("g h i", "a b c d e f\n\ng h i"),
        ("j k l", "j k l m"),
        ("m", "j k l m"),
    ]


def test_parents_must_be_larger():
    with pytest.raises(ConfigError, match="300 must be larger than pieces of 300"):
        Hierarchical(size=300, parent=300)


def test_a_parent_is_shown_for_its_piece_and_the_piece_where_it_does_not_fit():
    read = document("a b c d e f", "g h i", "j k l m")
    piece, parent = Span(0, 5), Span(0, 18)
    assert expand(read, [piece], "parent", 9, [parent]) == (Span(0, 18),)
    assert expand(read, [piece], "parent", 8, [parent]) == (piece,)
    assert expand(read, [piece], "parent", 9, [None]) == (piece,)
