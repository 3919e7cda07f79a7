from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf

ROWS = [
    ("Part", "Stock", "Place"),
    ("Bolt", "1,280", "north yard"),
    ("Washer", "90", "south yard"),
    ("Seal", "7", "locker nineteen"),
]


def read(page):
    return parse(RawDoc(uri="x.pdf", body=made_pdf([page])), NOTHING_KNOWN)


def cells(document):
    return [block.cells for block in document.blocks if block.kind == "table"]


def placed(page, rows, xs, y, step=16.0):
    for number, row in enumerate(rows):
        for x, words in zip(xs, row, strict=True):
            page.text(x, y + number * step, words)
    return page


def grid(page, xs, ys):
    for x in xs:
        page.line(x, ys[0], x, ys[-1])
    for y in ys:
        page.line(xs[0], y, xs[-1], y)
    return page


def test_a_table_with_all_its_lines():
    page = placed(Made(), ROWS, (64, 164, 264), 111)
    grid(page, (60, 160, 260, 380), (100, 116, 132, 148, 164))
    page.text(60, 90, "What we have:").text(60, 190, "That was all.")
    document = read(page)
    assert cells(document) == [tuple(ROWS)]
    assert [b.kind for b in document.blocks] == ["paragraph", "table", "paragraph"]


def test_cells_of_boxes_with_two_lines_of_text_each():
    page = Made()
    for row in range(2):
        for column in range(2):
            page.box(60 + 150 * column, 100 + 40 * row, 150, 40)
            page.text(65 + 150 * column, 115 + 40 * row, f"cell {row}{column} has a")
            page.text(65 + 150 * column, 127 + 40 * row, "second line")
    assert cells(read(page)) == [
        (
            ("cell 00 has a second line", "cell 01 has a second line"),
            ("cell 10 has a second line", "cell 11 has a second line"),
        )
    ]


def test_a_merged_cell_stands_in_all_its_spots():
    page = Made().text(64, 111, "Name").text(164, 111, "Size of it")
    placed(page, [("Bolt", "3", "9"), ("Nut", "4", "8")], (64, 164, 264), 127)
    grid(page, (60, 160, 360), (100, 116, 132, 148))
    page.line(260, 116, 260, 148)
    assert cells(read(page)) == [
        (("Name", "Size of it", "Size of it"), ("Bolt", "3", "9"), ("Nut", "4", "8"))
    ]


def test_a_table_with_level_lines_only():
    page = placed(Made(), ROWS, (64, 164, 264), 111)
    for y in (98, 116, 166):
        page.line(60, y, 380, y)
    assert cells(read(page)) == [tuple(ROWS)]


def test_a_table_without_lines():
    page = placed(Made(), ROWS, (64, 164, 264), 140)
    page.lines(
        60, 100, ["Here is a paragraph of text over the table, and it", "has a second line."]
    )
    document = read(page)
    assert cells(document) == [tuple(ROWS)]
    assert document.text.startswith("Here is a paragraph of text over the table, and it has a")


def test_a_header_set_to_the_left_of_its_figures_belongs_to_the_table():
    page = Made().text(60, 100, "Year").text(130, 100, "Freshwater ducks")
    placed(page, [("2019", "120"), ("2020", "135"), ("2021", "150")], (102, 205), 113, 13)
    assert cells(read(page)) == [
        (("Year", "Freshwater ducks"), ("2019", "120"), ("2020", "135"), ("2021", "150"))
    ]


def test_a_frame_around_text_and_a_line_under_a_heading_are_no_tables():
    page = Made().box(50, 80, 400, 100).text(60, 100, "Warning", 14, "b").line(60, 106, 300, 106)
    page.lines(
        60, 125, ["Nobody enters alone, whatever the gauge says", "and whoever asks for it."]
    )
    document = read(page)
    assert cells(document) == []
    assert "Nobody enters alone, whatever the gauge says and whoever asks" in document.text


def test_boxes_of_a_drawing_are_no_table():
    page = Made()
    for x, y, wide, high, words in (
        (60, 100, 300, 200, "Yard"),
        (80, 130, 90, 60, "Pump one"),
        (200, 150, 120, 40, "Pump two"),
        (130, 220, 150, 50, "Basin"),
    ):
        page.box(x, y, wide, high).text(x + 5, y + 12, words)
    document = read(page)
    assert cells(document) == []
    assert sorted(document.text.split()) == sorted(["Yard", "Pump", "one", "Pump", "two", "Basin"])


def test_two_columns_of_text_are_no_table():
    left = ["the valve is open when the", "handle points at the wall", "and shut when it does not,"]
    right = [
        "which nobody believes who",
        "has not seen the handle of",
        "the other valve next to it.",
    ]
    page = Made().lines(60, 100, left * 2, 9).lines(320, 100, right * 2, 9)
    assert cells(read(page)) == []


def test_pipes_in_cells_are_kept():
    rows = [("Key", "Value"), ("mode", "red|blue"), ("way", "in|out")]
    page = placed(Made(), rows, (64, 164), 111)
    grid(page, (60, 160, 260), (100, 116, 132, 148))
    assert cells(read(page)) == [tuple(rows)]
