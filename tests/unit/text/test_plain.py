from __future__ import annotations

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.plain import parse


def read(text: str):
    document = parse(RawDoc("notes/pump log.txt", text.encode()), NOTHING_KNOWN)
    return document, [
        (b.kind, b.level, b.parent, document.text[b.inner.start : b.inner.end])
        for b in document.blocks
    ]


def test_paragraphs_stand_between_blank_lines_and_keep_their_lines():
    document, blocks = read("One line\nand next.\r\n \r\n\r\nSecond.\n")
    assert blocks == [("paragraph", 0, -1, "One line\nand next."), ("paragraph", 0, -1, "Second.")]
    assert (document.title, document.type) == ("pump log", "plain")


def test_a_form_feed_begins_a_page():
    _, blocks = read("first\n\fsecond\n\f\fthird")
    assert blocks == [
        ("paragraph", 0, -1, "first"),
        ("page_break", 2, -1, "\f"),
        ("paragraph", 0, -1, "second"),
        ("page_break", 3, -1, "\f"),
        ("page_break", 4, -1, "\f"),
        ("paragraph", 0, -1, "third"),
    ]


def test_underlined_and_dotted_numbers_are_headings():
    document, blocks = read(
        "Pump manual\n===========\nIntro.\n\nStart\n-----\n\n2.3 Cold start\n\nGo."
    )
    assert blocks == [
        ("heading", 1, -1, "Pump manual"),
        ("paragraph", 0, -1, "Intro."),
        ("heading", 2, -1, "Start"),
        ("heading", 2, -1, "2.3 Cold start"),
        ("paragraph", 0, -1, "Go."),
    ]
    assert document.title == "Pump manual"


def test_what_might_be_something_else_stays_a_paragraph():
    for text in ("total\n---------------", "3.5 bar is the limit.", "2.3 Cold start\nand more",
                 "12\n==", "1.1.2024"):  # fmt: skip
        assert [kind for kind, *_ in read(text)[1]] == ["paragraph"], text


def test_list_lines_are_items_with_depth_and_parent():
    _, blocks = read("- one\n  goes on\n  - deeper\n- two\n\n7. seven\n8) eight")
    assert blocks == [
        ("list_item", 1, -1, "one\ngoes on"),
        ("list_item", 2, 0, "deeper"),
        ("list_item", 1, -1, "two"),
        ("list_item", 1, -1, "seven"),
        ("list_item", 1, -1, "eight"),
    ]


def test_columns_keep_their_spacing():
    _, blocks = read("   name    pressure\n   north   5 bar")
    assert blocks == [("paragraph", 0, -1, "name    pressure\nnorth   5 bar")]


def test_an_empty_file_has_no_blocks():
    assert read(" \n\n")[1] == []
