import pytest

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf


def text_of(*pages):
    return parse(RawDoc(uri="x.pdf", body=made_pdf(pages)), NOTHING_KNOWN).text


def column(name, last="stops here at its foot."):
    return [
        f"{name} begins up here and its text goes",
        "on from line to line until the words of",
        f"column {name} have filled what there is of",
        "room on the way down and the reader at",
        f"the end of {name} {last}",
    ]


def joined(name, last="stops here at its foot."):
    return " ".join(column(name, last))


def test_two_columns_whose_lines_do_not_stand_side_by_side():
    page = Made().lines(60, 100, column("alpha"), 9).lines(320, 106, column("beta"), 9)
    assert text_of(page).split("\n\n") == [joined("alpha"), joined("beta")]


def test_three_columns_with_headings_across_between_them():
    page = Made().text(60, 60, "All about harbours", 20, "b")
    for at, name in enumerate(("alpha", "beta", "gamma")):
        page.lines(40 + 180 * at, 100, column(name), 8.5, step=10)
    page.text(60, 175, "The second part", 14, "b")
    for at, name in enumerate(("delta", "epsilon", "zeta")):
        page.lines(40 + 180 * at, 200, column(name), 8.5, step=10)
    names = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
    parts = [joined(name) for name in names]
    assert text_of(page).split("\n\n") == (
        ["# All about harbours", *parts[:3], "## The second part", *parts[3:]]
    )


def test_a_short_heading_across_two_columns_belongs_to_neither():
    page = Made().lines(60, 100, column("alpha"), 9).lines(320, 100, column("beta"), 9)
    page.text(60, 180, "Part two", 13, "b")
    page.lines(60, 210, column("gamma"), 9).lines(320, 210, column("delta"), 9)
    assert text_of(page).split("\n\n") == [
        joined("alpha"),
        joined("beta"),
        "# Part two",
        joined("gamma"),
        joined("delta"),
    ]


def test_a_sentence_goes_on_from_column_to_column():
    first = column("alpha", "has no end and therefore")
    page = Made().lines(60, 100, first, 9).lines(320, 100, ["goes over.", *column("beta")], 9)
    assert f"{' '.join(first)} goes over." in text_of(page).replace("\n", " ")


def test_a_longer_left_column_is_read_to_its_end_first():
    long = [*column("alpha")[:-1], *column("gamma")]
    page = Made().lines(60, 100, long, 9).lines(320, 100, column("beta"), 9)
    found = text_of(page)
    assert found.index("the end of gamma") < found.index("beta begins")


def test_full_width_text_over_columns_and_under_them():
    wide = [
        "This introduction is set over the whole width of the page and so it has to be read before",
        "the columns that stand below it, whatever the order of the file may be.",
    ]
    after = [line.replace("introduction", "afterword") for line in wide]
    page = Made().lines(60, 260, after, 10)
    page.lines(320, 130, column("beta"), 9).lines(60, 130, column("alpha"), 9)
    page.lines(60, 80, wide, 10)
    assert text_of(page).split("\n\n") == [
        " ".join(wide),
        joined("alpha"),
        joined("beta"),
        " ".join(after),
    ]


@pytest.mark.parametrize(
    ("turn", "start", "step"),
    [(90, (100, 700), (12, 0)), (270, (400, 100), (-12, 0)), (180, (500, 700), (0, -12))],
)
def test_turned_pages_read_as_those_upright(turn, start, step):
    page = Made()
    for number, words in enumerate(column("alpha")):
        page.text(start[0] + step[0] * number, start[1] + step[1] * number, words, 9, turn=turn)
    assert text_of(page) == joined("alpha")


def test_words_at_an_angle_come_after_the_text():
    page = Made().text(150, 400, "DRAFT", 60, turn=45).lines(60, 100, column("alpha"), 9)
    assert text_of(page).split("\n\n") == [joined("alpha"), "DRAFT"]


def test_what_stands_outside_the_page_is_not_read():
    page = Made().lines(60, 100, column("alpha"), 9).text(700, 100, "printer's marks", 9)
    assert text_of(page) == joined("alpha")


def test_a_shadow_is_not_read_twice():
    page = (
        Made()
        .text(60, 100, "Beware of the dog", 14, "b")
        .text(60.8, 100.6, "Beware of the dog", 14)
    )
    assert text_of(page).strip("# ") == "Beware of the dog"


def test_a_heading_beside_a_table_of_the_other_column_stays_in_its_own():
    page = Made().lines(60, 100, column("alpha"), 9).text(60, 178, "Part two", 13, "b")
    page.lines(60, 200, column("gamma"), 9).lines(320, 100, column("beta"), 9)
    for y in (160, 174, 202):
        page.line(320, y, 520, y)
    for at, row in enumerate((("Town", "Pumps"), ("Bergen", "9"), ("Arbroath", "12"))):
        page.text(324, 170 + 13 * at, row[0], 9).text(440, 170 + 13 * at, row[1], 9)
    page.lines(320, 225, column("delta"), 9)
    words = text_of(page)
    places = [words.index(mark) for mark in ("alpha", "Part two", "gamma", "beta", "Town", "delta")]
    assert places == sorted(places)


def test_blocks_side_by_side_over_two_columns_are_read_before_them():
    page = Made().text(60, 60, "Ann Author", 11).text(60, 73, "University of Here", 9)
    page.text(320, 60, "Bob Builder", 11).text(320, 73, "Institute of There", 9)
    page.lines(60, 110, column("alpha"), 9).lines(320, 110, column("beta"), 9)
    words = text_of(page)
    marks = ("Ann", "Here", "Bob", "There", "alpha", "beta")
    assert [words.index(mark) for mark in marks] == sorted(words.index(mark) for mark in marks)
