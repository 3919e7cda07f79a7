import pytest

from answerable.errors import ConfigError
from answerable.records.docs import RawDoc, Span
from answerable.text.canonical import Canvas
from answerable.text.expand import expand


def drawn():
    canvas = Canvas()
    canvas.heading(1, "Top")
    canvas.paragraph("one two three")
    canvas.heading(2, "Left")
    canvas.paragraph("a b c d")
    canvas.paragraph("e f g h")
    canvas.paragraph("i j k l")
    canvas.heading(2, "Right")
    canvas.paragraph("m n o p")
    return canvas.finish(RawDoc("a.md", b""), "markdown", "")


DOCUMENT = drawn()


def place(words):
    start = DOCUMENT.text.index(words)
    return Span(start, start + len(words))


def shown(spans, how, budget):
    found = expand(DOCUMENT, [place(words) for words in spans], how, budget)
    return [DOCUMENT.text[span.start : span.end] for span in found]


def test_each_way_and_its_fall_back():
    # words: Top 2, its text 3, Left 2, three paragraphs of 4, Right 2, its text 4: 25 in all
    assert shown(["e f g h"], "piece", 99) == ["e f g h"]
    assert shown(["e f g h"], "window", 99) == ["a b c d\n\ne f g h\n\ni j k l"]
    assert shown(["e f g h"], "section", 99) == ["## Left\n\na b c d\n\ne f g h\n\ni j k l"]
    assert shown(["e f g h"], "document", 25) == [DOCUMENT.text]
    assert shown(["e f g h"], "document", 24) == ["## Left\n\na b c d\n\ne f g h\n\ni j k l"]
    assert shown(["e f g h"], "section", 13) == ["a b c d\n\ne f g h\n\ni j k l"]
    assert shown(["e f g h"], "section", 11) == ["e f g h"]


def test_a_section_holds_its_subsections_when_they_fit():
    assert shown(["one two three"], "section", 25) == [DOCUMENT.text]
    assert shown(["one two three"], "section", 24) == ["# Top\n\none two three"]


def test_pieces_that_meet_become_one_in_the_place_of_the_best():
    assert shown(["m n o p", "e f g h", "i j k l"], "window", 99) == [
        "a b c d\n\ne f g h\n\ni j k l\n\n## Right\n\nm n o p"
    ]
    assert shown(["m n o p", "a b"], "piece", 99) == ["m n o p", "a b"]


def test_pieces_come_before_expansions_and_the_budget_holds():
    assert shown(["m n o p", "a b c d"], "window", 8) == ["m n o p", "a b c d"]
    assert shown(["m n o p", "a b c d"], "window", 7) == ["## Right\n\nm n o p"]
    assert shown(["m n o p", "a b"], "piece", 5) == ["m n o p"]


def test_a_piece_over_the_budget_shows_its_beginning():
    assert shown(["a b c d"], "window", 3) == ["a b c"]
    assert shown(["a b c d"], "window", 0) == []


def test_an_unknown_way_names_the_known_ones():
    with pytest.raises(ConfigError, match=r"sideways.*piece, window, parent, section, document"):
        expand(DOCUMENT, [], "sideways", 5)
