import re
from dataclasses import replace

import pytest

from answerable.errors import ConfigError
from answerable.records.docs import RawDoc
from answerable.text.canonical import Canvas
from answerable.text.cutters.headings import Headings
from answerable.text.cutters.pages import Pages
from answerable.text.cutters.paragraphs import Paragraphs
from answerable.text.cutters.recursive import Recursive
from answerable.text.cutters.sentences import Sentences
from answerable.text.cutters.tokens import Tokens
from answerable.text.cutters.whole import Whole
from answerable.text.cutters.words import Words
from answerable.text.ruler import Characters
from answerable.text.ruler import Words as CountWords

WORDS = CountWords()


def document(draw):
    canvas = Canvas()
    draw(canvas)
    return canvas.finish(RawDoc("a.md", b""), "markdown", "T")


def cut(draw, cutter, ruler=WORDS, lead=""):
    read = document(draw)
    return [
        (piece.lead, read.text[piece.span.start : piece.span.end], piece.over)
        for piece in cutter(read, ruler, lambda offset: lead)
    ]


def texts(draw, cutter, ruler=WORDS, lead=""):
    return [text for _, text, _ in cut(draw, cutter, ruler, lead)]


def prose(words):
    return lambda canvas: canvas.paragraph(words)


@pytest.mark.parametrize("kind", [Words, Tokens, Recursive, Sentences, Paragraphs, Headings, Pages])
@pytest.mark.parametrize(("size", "overlap"), [(50, 50), (50, 60), (50, -5), (-1, 0), (0, 3)])
def test_limits_that_cannot_work_are_refused_with_both_numbers(kind, size, overlap):
    with pytest.raises(ConfigError, match=f"size {size} and overlap {overlap}"):
        kind(size, overlap)


def test_no_limit_is_only_for_cutters_with_structure():
    for kind in (Words, Tokens, Recursive, Sentences):
        with pytest.raises(ConfigError, match="size 0 and overlap 0"):
            kind(0, 0)
    for kind in (Whole, Paragraphs, Headings, Pages):
        kind(0, 0)
    with pytest.raises(ConfigError, match="merge_under cannot be -1"):
        Headings(50, 0, -1)


@pytest.mark.parametrize(
    ("count", "size", "overlap", "windows"),
    [
        (10, 4, 0, [(0, 4), (4, 8), (8, 10)]),
        (8, 4, 0, [(0, 4), (4, 8)]),
        (17, 10, 5, [(0, 10), (5, 15), (10, 17)]),
        (15, 10, 5, [(0, 10), (5, 15)]),
        (3, 10, 5, [(0, 3)]),
        (5, 3, 2, [(0, 3), (1, 4), (2, 5)]),
    ],
)
def test_word_windows_begin_every_step_and_end_once(count, size, overlap, windows):
    words = [f"w{n}" for n in range(count)]
    expected = [" ".join(words[a:b]) for a, b in windows]
    assert texts(prose(" ".join(words)), Words(size, overlap), lead="T T T") == expected
    assert texts(prose(" ".join(words)), Words(size, overlap, count_lead=True)) == expected
    assert texts(prose(" ".join(words)), Tokens(size, overlap)) == expected


def test_a_counted_lead_takes_its_room():
    assert texts(prose("a b c d e"), Tokens(4), lead="T T") == ["a b", "c d", "e"]


def test_windows_of_characters_end_at_word_ends_and_cut_only_long_words():
    assert texts(prose("abc de fghijklmnop q"), Tokens(6), Characters()) == [
        "abc de",
        "fghijk",
        "lmnop",
        "q",
    ]


def test_east_asian_text_is_cut_between_letters_and_clusters_stay_whole():
    assert texts(prose("漢字漢字漢"), Tokens(2), Characters()) == ["漢字", "漢字", "漢"]
    family = "👨‍👩‍👧"  # five code points
    assert texts(prose(family * 3), Tokens(12), Characters()) == [family * 2, family]


def test_whole_is_one_piece_and_nothing_of_nothing():
    assert texts(prose("  a\n\nb  "), Whole(200)) == ["a\n\nb"]
    assert texts(lambda canvas: None, Whole()) == []
    assert texts(prose(" \n\t "), Headings()) == []


def test_recursive_packs_blocks_and_divides_at_sentences():
    def draw(canvas):
        canvas.heading(1, "H")
        canvas.paragraph("a b c d.")
        canvas.paragraph("e f g. Then h i j k. Now l m n o p q r s.")

    # the heading keeps to its paragraph; the long paragraph begins anew and breaks at a sentence
    assert texts(draw, Recursive(8)) == [
        "# H\n\na b c d.",
        "e f g. Then h i j k.",
        "Now l m n o p q r",
        "s.",
    ]


def test_overlap_is_made_of_whole_sentences():
    words = "Aa be. Ce de ef. Fa ga ha. Ia jo."
    assert texts(prose(words), Sentences(6, 3)) == [
        "Aa be. Ce de ef.",
        "Ce de ef. Fa ga ha.",
        "Fa ga ha. Ia jo.",
    ]
    assert texts(prose(words), Sentences(6, 2)) == ["Aa be. Ce de ef.", "Fa ga ha. Ia jo."]
    assert texts(prose(words), Recursive(6, 2)) == [
        "Aa be. Ce de ef.",
        "de ef. Fa ga ha.",
        "ga ha. Ia jo.",
    ]


def test_paragraphs_keep_lists_whole_and_headings_with_what_follows():
    def draw(canvas):
        canvas.heading(1, "H")
        canvas.heading(2, "S")
        canvas.paragraph("one two three.")
        canvas.item(1, "-", "x")
        item = canvas.item(2, "-", "y")
        canvas.code("run", parent=item)
        canvas.item(1, "-", "z")
        canvas.paragraph("end")

    assert texts(draw, Paragraphs(50)) == [
        "# H\n\n## S\n\none two three.",
        "- x\n  - y\n\n```\nrun\n```\n\n- z",
        "end",
    ]


def test_paragraphs_use_word_windows_inside_a_long_one():
    def draw(canvas):
        canvas.paragraph("a b. c d e f")
        canvas.paragraph("g h")

    assert texts(draw, Paragraphs(4, 2)) == ["a b. c d", "c d e f", "g h"]


def test_headings_cut_at_every_heading():
    def draw(canvas):
        canvas.paragraph("intro")
        canvas.heading(1, "A")
        canvas.heading(2, "B")
        canvas.paragraph("b text")
        canvas.heading(2, "C")
        canvas.heading(2, "D")
        canvas.paragraph("d text")

    # A holds only its sub-section, C holds nothing: no piece takes D's text under C's name
    assert texts(draw, Headings(50)) == [
        "intro",
        "# A\n\n## B\n\nb text",
        "## C",
        "## D\n\nd text",
    ]


def test_small_siblings_merge_only_when_asked():
    def draw(canvas):
        for name in "AB":
            canvas.heading(1, name)
            canvas.paragraph(name.lower())
            for sub in "12":
                canvas.heading(2, name + sub)
                canvas.paragraph("x y z")

    assert len(texts(draw, Headings(50))) == 6
    assert texts(draw, Headings(50, merge_under=6)) == [
        "# A\n\na",
        "## A1\n\nx y z\n\n## A2\n\nx y z",
        "# B\n\nb",
        "## B1\n\nx y z\n\n## B2\n\nx y z",
    ]
    assert len(texts(draw, Headings(9, merge_under=6))) == 6


ROWS = [["Part", "Stock"], ["P1", "1"], ["P2", "2"], ["P3", "3"]]


def test_a_long_table_is_cut_between_rows_with_its_header_repeated():
    # header row and ruler line are 5 words each, a data row is 5
    found = cut(lambda canvas: canvas.table(ROWS), Headings(15))
    header = "| Part | Stock |\n| --- | --- |"
    assert found == [
        ("", f"{header}\n| P1 | 1 |", ""),
        (header, "| P2 | 2 |", ""),
        (header, "| P3 | 3 |", ""),
    ]


def test_a_table_header_gives_up_its_ruler_line_then_itself_to_keep_rows_whole():
    found = cut(lambda canvas: canvas.table(ROWS), Headings(10))
    assert [lead for lead, _, _ in found] == [
        "",
        "| Part | Stock |",
        "| Part | Stock |",
        "| Part | Stock |",
    ]
    found = cut(lambda canvas: canvas.table(ROWS), Headings(5))
    assert [text for lead, text, _ in found if not lead][-3:] == [
        "| P1 | 1 |",
        "| P2 | 2 |",
        "| P3 | 3 |",
    ]


def test_a_row_over_the_limit_is_cut_at_words_and_says_so():
    rows = [["K", "V"], ["k", "one two three four five six seven eight"], ["l", "x"]]
    found = cut(lambda canvas: canvas.table(rows), Headings(10))
    row = [text for _, text, over in found if over == "row split"]
    assert " ".join(row) == "| k | one two three four five six seven eight |"
    assert found[-1][1:] == ("| l | x |", "")


def test_code_is_cut_between_lines_with_its_fence_repeated():
    code = "def a():\n    return 1\n\ndef b():\n    return 2"
    found = cut(lambda canvas: canvas.code(code, "python"), Headings(5))
    # the last line keeps the closing fence, which makes it one word too long for the second piece
    assert found == [
        ("", "```python\ndef a():\n    return 1", ""),
        ("```python", "def b():", ""),
        ("```python", "    return 2\n```", ""),
    ]


def test_a_heading_is_not_left_alone_at_the_end():
    def draw(canvas):
        canvas.paragraph("a b c")
        canvas.heading(2, "H")
        canvas.paragraph("d e f g")

    assert texts(draw, Recursive(8)) == ["a b c", "## H\n\nd e f g"]


def test_pages_are_cut_at_breaks_and_documents_without_at_headings():
    def paged(canvas):
        canvas.paragraph("a b c")
        canvas.page_break(2)
        canvas.heading(1, "H")
        canvas.paragraph("d e f g h")

    def plain(canvas):
        canvas.paragraph("a")
        canvas.heading(1, "H")
        canvas.paragraph("b")

    assert texts(paged, Pages(50)) == ["a b c", "# H\n\nd e f g h"]
    assert texts(plain, Pages(50)) == ["a", "# H\n\nb"]


def test_text_outside_every_block_is_not_lost():
    read = document(prose("middle"))
    odd = replace(read, text="before middle after", blocks=())
    for cutter in (Headings(2), Recursive(2), Sentences(2), Paragraphs(2), Pages(2)):
        pieces = cutter(odd, WORDS, lambda offset: "")
        joined = " ".join(odd.text[p.span.start : p.span.end] for p in pieces)
        assert re.split(r"\s+", joined) == ["before", "middle", "after"]
