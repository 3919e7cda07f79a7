"""Presentations made with python-pptx; what must come out is written by hand."""

import io

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.text.parsers.pptx import parse

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
BLANK, TITLE_AND_BODY, TITLE_ONLY = 6, 1, 5


def read(deck) -> Document:
    out = io.BytesIO()
    deck.save(out)
    return parse(RawDoc("kb/deck.pptx", out.getvalue()), NOTHING_KNOWN)


def box(slide, text: str, left: float, top: float, width: float = 3, height: float = 1):
    shape = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(width), Inches(height))
    shape.text_frame.text = text
    return shape


def test_a_slide_is_a_page_with_its_title_and_bulleted_levels() -> None:
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[TITLE_AND_BODY])
    first.shapes.title.text = "Pump\vcare"
    frame = first.placeholders[1].text_frame
    frame.text = "Check seals"
    deeper = frame.add_paragraph()
    deeper.text, deeper.level = "weekly", 1
    frame.add_paragraph().text = "Log it"
    second = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    second.shapes.title.text = "Costs"
    second.notes_slide.notes_text_frame.text = "Say it is an estimate."
    document = read(deck)
    assert document.text == (
        "# Pump care\n\n- Check seals\n  - weekly\n- Log it\n\n\f\n\n# Costs\n\n"
        "Notes: Say it is an estimate."
    )
    assert [b.level for b in document.blocks if b.kind == "page_break"] == [2]
    assert document.title == "Pump care"


def test_shapes_are_read_as_people_read_them_not_as_they_were_added() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    box(slide, "right, lower", 5, 3)
    box(slide, "left, lower", 1, 3.05)
    box(slide, "right, upper", 5, 2)
    box(slide, "left, upper", 1, 2.02)
    box(slide, "over both", 1, 0.5, width=7)
    assert read(deck).text.split("\n\n") == [
        "over both",
        "left, upper",
        "right, upper",
        "left, lower",
        "right, lower",
    ]


def test_columns_without_common_gaps_are_read_one_after_the_other() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    box(slide, "right tall", 5, 1, height=4)
    box(slide, "left first", 1, 1, height=1.5)
    box(slide, "left second", 1, 3, height=1.5)
    assert read(deck).text == "left first\n\nleft second\n\nright tall"


def test_groups_tables_charts_and_pictures() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(1), Inches(5), Inches(1)).table
    for row, line in enumerate((("Class", "", "Sum"), ("A", "1", "3"), ("", "2", "4"))):
        for column, words in enumerate(line):
            table.cell(row, column).text = words
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 0).merge(table.cell(2, 0))
    data = CategoryChartData()
    data.categories = ["2019", "2020"]
    data.add_series("Lakes", (120, 135.5))
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(3), Inches(4), Inches(2), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Ducks"
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_textbox(Inches(1), Inches(6), Inches(3), Inches(0.5))
    inner.text_frame.text = "In a group"
    document = read(deck)
    assert document.blocks[0].cells == (("Class", "Class", "Sum"), ("A", "1", "3"), ("A", "2", "4"))
    assert document.text[document.blocks[1].span.start : document.blocks[1].span.end] == "Ducks"
    assert document.blocks[2].cells == (("", "Lakes"), ("2019", "120"), ("2020", "135.5"))
    assert document.text.endswith("In a group")


def test_numbers_links_and_hidden_slides() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    frame = box(slide, "first", 1, 1).text_frame
    frame.add_paragraph().text = "second"
    for paragraph in frame.paragraphs:
        properties = paragraph._p.get_or_add_pPr()
        etree.SubElement(properties, f"{{{A}}}buAutoNum", type="arabicPeriod")
    run = box(slide, "", 1, 3).text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "the guide", "https://a.example/"
    slide._element.set("show", "0")
    document = read(deck)
    assert document.text == "1. first\n2. second\n\nthe guide"
    assert [link.target for link in document.links] == ["https://a.example/"]
    assert document.notes == ("hidden slides are among the text: 1",)


def test_slides_without_words_are_refused() -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[BLANK])
    with pytest.raises(InputError, match=r"no text in kb/deck\.pptx"):
        read(deck)
