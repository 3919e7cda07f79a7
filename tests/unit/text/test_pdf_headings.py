from io import BytesIO

import pypdf

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.outline import outline
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf

BODY = ["Here is the text of the handbook which goes", "over a few lines so that it is the body."]


def read(pages, title=""):
    return parse(RawDoc(uri="docs/room.pdf", body=made_pdf(pages, title)), NOTHING_KNOWN)


def headings(document):
    return [
        (b.level, document.text[b.inner.start : b.inner.end])
        for b in document.blocks
        if b.kind == "heading"
    ]


def test_levels_follow_size_then_weight_then_the_depth_of_numbers():
    page = Made().text(60, 60, "Pump handbook", 22, "b")
    page.text(60, 100, "1 Rooms", 15, "b").lines(60, 120, BODY)
    page.text(60, 160, "1.1 The lower room", 15, "b").lines(60, 180, BODY)
    page.text(60, 220, "Who is on duty", 10, "b").lines(60, 240, BODY)
    page.text(60, 280, "2 Gauges", 15, "b").lines(60, 300, BODY)
    document = read([page])
    assert headings(document) == [
        (1, "Pump handbook"),
        (2, "1 Rooms"),
        (3, "1.1 The lower room"),
        (4, "Who is on duty"),
        (2, "2 Gauges"),
    ]
    assert outline(document).sections()[2].path == (
        "Pump handbook",
        "1 Rooms",
        "1.1 The lower room",
    )


def test_a_heading_of_two_lines_is_one():
    page = Made().lines(60, 60, ["The long name of the", "handbook of pumps"], 18, "b", step=21)
    page.lines(60, 130, BODY)
    assert headings(read([page])) == [(1, "The long name of the handbook of pumps")]


def test_captions_bold_sentences_and_bold_words_are_no_headings():
    page = Made().lines(60, 60, BODY).text(60, 110, "Figure 3: The lower room", 10, "b")
    page.lines(60, 140, BODY).text(60, 190, "Nobody may enter alone.", 10, "b").lines(60, 220, BODY)
    assert headings(read([page])) == []


def test_many_sizes_come_to_six_levels_at_most():
    page = Made()
    for at, size in enumerate((30, 28, 26, 24, 22, 20, 18, 16, 14)):
        page.text(60, 60 + 60 * at, f"Size {size}", size).lines(60, 80 + 60 * at, BODY, 8)
    levels = [level for level, _ in headings(read([page]))]
    assert len(levels) == 9
    assert levels == sorted(levels)
    assert max(levels) <= 6


def test_the_title_that_a_file_declares_counts_where_the_page_shows_it():
    page = Made().text(60, 60, "Rules of the pump room", 18, "b").lines(60, 100, BODY)
    assert read([page], "Rules of the pump room").title == "Rules of the pump room"
    assert read([page], "Microsoft Word - draft7.doc").title == "Rules of the pump room"
    assert read([Made().lines(60, 100, BODY)]).title == "room"


def with_outline(pages, marks):
    writer = pypdf.PdfWriter(clone_from=BytesIO(made_pdf(pages)))
    above = {}
    for depth, title, page in marks:
        above[depth] = writer.add_outline_item(
            title=title, page_number=page, parent=above.get(depth - 1)
        )
    out = BytesIO()
    writer.write(out)
    return parse(RawDoc(uri="docs/room.pdf", body=out.getvalue()), NOTHING_KNOWN)


def two_pages():
    one = Made().text(60, 60, "Rules of the room", 20, "b").lines(60, 90, BODY)
    one.text(60, 140, "1 Keys").lines(60, 170, BODY).text(60, 220, "Who has them").lines(
        60, 250, BODY
    )
    two = Made().text(60, 60, "2 Pumps").lines(60, 90, BODY).text(60, 140, "Oil", 10, "b")
    return [one, two.lines(60, 170, BODY)]


def test_the_outline_of_the_file_names_headings_that_look_like_text():
    document = with_outline(
        two_pages(), [(1, "Keys", 0), (2, "Who has them", 0), (1, "2 Pumps", 1)]
    )
    assert headings(document) == [
        (1, "Rules of the room"),
        (2, "1 Keys"),
        (3, "Who has them"),
        (2, "2 Pumps"),
        (3, "Oil"),
    ]


def test_an_outline_that_the_pages_do_not_show_does_not_count():
    marks = [(1, "Keys", 1), (1, "Chapter nine", 0), (1, "Chapter ten", 1)]
    assert headings(with_outline(two_pages(), marks)) == [(1, "Rules of the room"), (2, "Oil")]
