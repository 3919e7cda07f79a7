from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf

BODY = [
    "of the pump room is written down here for",
    "all who work there at night and for those",
    "who come after them in the morning, so that",
    "nobody has to ask twice what has been done.",
]


def read(pages):
    return parse(RawDoc(uri="x.pdf", body=made_pdf(pages)), NOTHING_KNOWN)


def page(number, top=(), foot=()):
    made = Made()
    for x, words, size in top:
        made.text(x, 36, words, size)
    for x, words, size in foot:
        made.text(x, 812, words, size)
    return made.lines(60, 100, [f"Day {number * 3}: the story", *BODY])


def body(number):
    return f"Day {number * 3}: the story " + " ".join(BODY)


def without_breaks(document):
    return [part for part in document.text.split("\n\n") if part.strip("\f")]


def test_running_lines_and_page_numbers_are_left_out_and_counted():
    pages = [
        page(n, [(60, "Handbook, edition 4", 8)], [(290, f"- {n} -", 8), (480, f"{n} of 4", 8)])
        for n in range(1, 5)
    ]
    document = read(pages)
    assert without_breaks(document) == [body(n) for n in range(1, 5)]
    assert document.notes == ("12 running headers, footers and page numbers left out",)


def test_left_and_right_pages_may_differ_and_numbers_may_be_roman():
    numbers = ["iii", "iv", "v", "vi", "vii", "viii"]
    pages = [
        page(
            n,
            [(60, "Handbook", 8) if n % 2 else (400, "The pump room", 8)],
            [(60 if n % 2 else 500, roman, 8)],
        )
        for n, roman in enumerate(numbers)
    ]
    assert without_breaks(read(pages)) == [body(n) for n in range(6)]


def test_chapter_headings_at_one_place_stay():
    pages = [page(n).text(60, 60, f"Chapter {n}", 18, "b") for n in range(1, 4)]
    words = without_breaks(read(pages))
    assert [part for part in words if part.startswith("#")] == (
        ["# Chapter 1", "# Chapter 2", "# Chapter 3"]
    )


def test_text_that_repeats_next_to_the_text_stays():
    pages = [Made().lines(60, 60, ["Dear customer, this is your bill.", *BODY]) for _ in range(4)]
    words = without_breaks(read(pages))
    assert words == ["Dear customer, this is your bill. " + " ".join(BODY)] * 4


def test_years_that_differ_from_page_to_page_stay():
    pages = [page(n, [(60, f"Figures of {year}", 8)]) for n, year in enumerate((1990, 1999, 2004))]
    assert "Figures of 1999" in read(pages).text


def test_one_page_has_no_running_lines():
    document = read([page(1, [(60, "Handbook", 8)], [(290, "1", 8)])])
    assert document.text.startswith("Handbook")
    assert document.notes == ()


def test_what_stands_in_one_line_with_the_page_number_runs_with_it():
    heads = ["Keys", "Pumps and gauges", "Oil", "Nights"]
    pages = [
        page(n, [(60, f"Chapter {head}", 8), (520, str(n), 8)]) for n, head in enumerate(heads, 1)
    ]
    assert without_breaks(read(pages)) == [body(n) for n in range(1, 5)]


def test_numbers_of_chapters_that_begin_with_the_pages_stay():
    pages = [
        page(n).text(60, 60, str(n), 18).text(90, 60, head, 18)
        for n, head in enumerate(("Keys", "Pumps", "Oil"), 1)
    ]
    words = without_breaks(read(pages))
    assert [part for part in words if part.startswith("#")] == ["# 1 Keys", "# 2 Pumps", "# 3 Oil"]
