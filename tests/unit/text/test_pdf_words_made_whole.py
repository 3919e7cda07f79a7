import pytest

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from answerable.text.parsers.pdf.hyphens import Joiner
from answerable.text.parsers.pdf.page import Line
from made_pdf import Made, made_pdf


def line(text, trailed=False):
    return Line(text, 0, 100, 0, 10, 0, 100, 1, 0, trailed=trailed)


def joined(*texts, seen=()):
    lines = [line(text) for text in texts]
    return Joiner([*lines, *map(line, seen)]).joined(lines)


@pytest.mark.parametrize(
    ("first", "second", "seen", "expected"),
    [
        ("quarterly mainte-", "nance by two", (), "quarterly maintenance by two"),
        ("this is read-", "only memory", ("a read-only disk",), "this is read-only memory"),
        ("this is read-", "only memory", ("you read", "it only"), "this is read-only memory"),
        (
            "they under-",
            "stand it",
            ("under it all", "we stand", "understand"),
            "they understand it",
        ),
        ("it is well-", "known", ("a well-known case", "wellknown wellknown"), "it is wellknown"),
        ("state-of-the-", "art pumps", (), "state-of-the-art pumps"),
        ("COVID-", "19 came", (), "COVID-19 came"),
        ("Jean-", "Pierre came", (), "Jean-Pierre came"),
        ("pre-", "and postwar", (), "pre- and postwar"),
        ("Ein-", "und Ausgang", (), "Ein- und Ausgang"),
        ("a dash -", "not a hyphen", (), "a dash - not a hyphen"),
        ("soft\u00adened mainte\u00ad", "nance", (), "softened maintenance"),
        ("1990–", "1995 were dry", (), "1990–1995 were dry"),
        ("ten –", "twelve", (), "ten – twelve"),
        ("東京", "大阪", (), "東京大阪"),
        ("plain", "words", (), "plain words"),
        ("MAINTE-", "NANCE PLAN", (), "MAINTENANCE PLAN"),
        ("DNA-", "based tests", (), "DNA-based tests"),
        ("Straßenbau-", "ämter planen", (), "Straßenbauämter planen"),
    ],
)
def test_line_ends(first, second, seen, expected):
    assert joined(first, second, seen=seen) == expected


def test_korean_lines_without_a_blank_end_inside_a_word_where_others_end_in_one():
    lines = [line("국내 확", False), line("진자는 많다 ", True)]
    others = [line("지난해 이", True), line("그 사람이", True)]
    assert Joiner([*lines, *others]).joined(lines) == "국내 확진자는 많다 "
    assert Joiner(lines).joined([line("국내 확"), line("진자는")]) == "국내 확 진자는"


def test_a_very_long_line_of_hyphens_takes_no_time():
    long = line("a-" * 200_000)
    assert len(Joiner([long]).joined([long, line("b")])) > 400_000


def read(page):
    return parse(RawDoc(uri="x.pdf", body=made_pdf([page])), NOTHING_KNOWN)


def test_paragraphs_by_space_by_indent_and_by_a_short_last_line():
    page = Made()
    page.lines(60, 100, ["The first paragraph has a first line and then", "ends here."])
    page.lines(
        60, 124, ["The second one follows at once in the same gap", "and it ends as well so"]
    )
    page.lines(60, 148, ["far out on the right hand of the whole column."])
    page.text(74, 160, "A third is indented and it has its own two")
    page.lines(60, 172, ["lines of text to show."])
    page.lines(60, 200, ["The fourth stands below a wider gap."])
    assert read(page).text.split("\n\n") == [
        "The first paragraph has a first line and then ends here.",
        "The second one follows at once in the same gap and it ends as well so "
        "far out on the right hand of the whole column.",
        "A third is indented and it has its own two lines of text to show.",
        "The fourth stands below a wider gap.",
    ]


def test_lists_with_bullets_and_numbers_and_lines_that_hang():
    page = Made()
    page.lines(60, 100, ["What to do:"])
    page.text(60, 112, "• Open the valve that stands beside the door and").text(72, 124, "wait.")
    page.text(60, 136, "• Read the gauge:").text(80, 148, "– above two bar, go on")
    page.text(80, 160, "– below it, stop")
    page.text(60, 180, "1. Write it down.").text(60, 192, "2. Go home.")
    found = read(page)
    assert [
        (b.level, b.marker, found.text[b.inner.start : b.inner.end])
        for b in found.blocks
        if b.kind == "list_item"
    ] == [
        (1, "-", "Open the valve that stands beside the door and wait."),
        (1, "-", "Read the gauge:"),
        (2, "-", "above two bar, go on"),
        (2, "-", "below it, stop"),
        (1, "1.", "Write it down."),
        (1, "2.", "Go home."),
    ]


def test_code_keeps_its_lines_and_indents():
    page = Made().lines(60, 100, ["This is the program that they run every day:"])
    page.text(60, 130, "def stop():", 10, "m").text(84, 142, "return 7", 10, "m")
    page.text(60, 166, "stop()", 10, "m")
    found = read(page)
    code = next(b for b in found.blocks if b.kind == "code")
    assert found.text[code.inner.start : code.inner.end] == "def stop():\n    return 7\n\nstop()"


def test_links_lie_on_their_words():
    page = Made().text(60, 100, "See the handbook of pumps for more, or ask the yard.")
    page.links.append((95, 91, 142, 103, "https://yard.example/handbook"))
    page.links.append((95, 91, 142, 103, "javascript:alert(1)"))
    document = read(page)
    assert document.text == "See the handbook of pumps for more, or ask the yard."
    assert [(document.text[k.span.start : k.span.end], k.target) for k in document.links] == (
        [("handbook", "https://yard.example/handbook")]
    )


def test_a_table_of_contents_is_lines_without_its_dots():
    page = Made()
    for at, (words, number) in enumerate((("1 Keys", "3"), ("2 Pumps", "17"), ("3 Oil", "iv"))):
        page.text(60, 100 + 14 * at, words).text(120, 100 + 14 * at, ". " * 40)
        page.text(400, 100 + 14 * at, number)
    assert read(page).text == "1 Keys … 3\n2 Pumps … 17\n3 Oil … iv"


@pytest.mark.parametrize("size", [0.01, 0.12, 1.13, 90])
def test_text_of_any_size_is_read(size):
    page = (
        Made().text(60, 500, "Tiny", size).text(60, 700, "or large", size).lines(60, 100, ["Text."])
    )
    assert sorted(read(page).text.replace("#", "").split()) == ["Text.", "Tiny", "large", "or"]
