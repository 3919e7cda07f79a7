import os
from pathlib import Path

import pytest

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from answerable.text.parsers.pdf.page import Glyph, Style, Word
from answerable.text.parsers.pdf.said import said
from answerable.text.parsers.pdf.words import words

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).resolve().parents[4] / "shared/data"))
SOURCES = DATA / "docs" / "docling-files" / "pdf" / "sources"


def row(*texts):
    """Words from the left, as they stand on the page, a blank apart."""
    return [
        Word(text, 50.0 * at, 50.0 * at + 40, 0.0, 10.0, Style(), True)
        for at, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        # Unicode Standard Annex 9: logical order of what stands from left to right.
        (("\u05d2", "\u05d1", "\u05d0"), "\u05d0 \u05d1 \u05d2"),
        (("\u05d1", "New", "York", "\u05d0"), "\u05d0 New York \u05d1"),
        (("\u05d1", "2026", "-", "2024", "\u05d0"), "\u05d0 2024 - 2026 \u05d1"),
        (("\u05d1", "Python", "3.12", "\u05d0"), "\u05d0 Python 3.12 \u05d1"),
    ],
)
def test_a_line_from_the_right_with_runs_from_the_left(seen, read):
    assert said(row(*seen), True) == read


def test_brackets_of_a_line_from_the_right_are_mirrored():
    left, number, right = row("(", "2024", ")")
    number.x0, number.x1, right.x0, right.x1 = 40.5, 80.0, 80.5, 85.0
    assert said([left, number, right, *row("x", "x", "\u05d0")[2:]], True) == "\u05d0 (2024)"


def test_a_line_from_the_left_with_a_run_from_the_right():
    assert said(row("one", "\u05d1", "\u05d0", "two"), False) == "one \u05d0 \u05d1 two"


def test_a_ligature_that_was_turned_round_is_turned_back():
    style = Style()
    lam_alef = [Glyph("\u0627", 20, 30, 0, 10, style, 0), Glyph("\u0644", 20, 30, 0, 10, style, 0)]
    first = Glyph("\u0645", 30, 38, 0, 10, style, 0)
    assert [word.text for word in words([first, *lam_alef])] == ["\u0645\u0644\u0627"]


@pytest.mark.data
@pytest.mark.skipif(not SOURCES.is_dir(), reason="needs docling-files under ANSWERABLE_DATA")
def test_an_arabic_page_is_read_in_its_logical_order():
    path = SOURCES / "right_to_left_01.pdf"
    page = parse(RawDoc(uri=path.name, body=path.read_bytes()), NOTHING_KNOWN)
    for words_ in (
        "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R",
        "علاوة على ذلك، توفر كل من R و Python مكتبات وأدوات غنية",
        "مكتبة pandas في Python لإدارة البيانات بكفاءة",
    ):
        assert words_ in page.text
