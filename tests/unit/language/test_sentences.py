import time

import pytest

from answerable.language.sentences import sentence_spans, sentences


def split(text, language=""):
    return [text[span.start : span.end] for span in sentence_spans(text, language=language)]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Prof. Lee and Mrs. Jones at St. Mary.",
        "He paid 3.50 EUR for v1.2.3 at https://a.example/b.c?d=e.f today.",
        "See No. 5, Fig. 3 and pp. 12 ff. of it.",
        "Use a knife, e.g. the long one, i.e. not this.",
        "Das gilt z. B. für Autos, d. h. nach Abs. 2 Nr. 3 der Regel.",
        "Am 3. Oktober 2020 und vgl. Art. 5 GG.",
        "J. R. R. Tolkien wrote it.",
        "Wait... he said nothing.",
        '"Really?" he asked.',
        "M. Dupont habite rue X, cf. p. 5.",
        "It rose (approx. 5 percent) in the U.S. market.",
        "Open Settings > Users vs. Groups.",
        "An der Hauptstr. 5 ist es.",
    ],
)
def test_one_sentence_stays_one(text):
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("It was 2010. The year.", ["It was 2010.", "The year."]),
        ('He said "no." Then left.', ['He said "no."', "Then left."]),
        ("Bring pens, etc. The rest comes.", ["Bring pens, etc.", "The rest comes."]),
        ("At 5 p.m. The shop closes.", ["At 5 p.m.", "The shop closes."]),
        ("So do I. Then go.", ["So do I.", "Then go."]),
        ("Done [1]. Next [2].", ["Done [1].", "Next [2]."]),
        ("Done. [1] Next.", ["Done. [1]", "Next."]),
        ("He said no. Then 5 came.", ["He said no.", "Then 5 came."]),
        ("日本語です。はい！「そう。」と言う", ["日本語です。", "はい！", "「そう。」", "と言う"]),
        ("هل هذا؟ نعم.", ["هل هذا؟", "نعم."]),
        ("Ellipsis... The end", ["Ellipsis...", "The end"]),
        ("über\nzwei Zeilen. Und drei.", ["über\nzwei Zeilen.", "Und drei."]),
    ],
)
def test_ends_are_found(text, expected):
    assert split(text) == expected


def test_german_ordinals_need_the_language():
    text = "Es ist der 3. Versuch im Jahr."
    assert split(text, "de") == [text]
    assert split("Er kam als 3. Dann ging er.", "de") == ["Er kam als 3.", "Dann ging er."]


def test_lines_that_are_units():
    text = (
        "# A heading. With points\n"
        "- first item. More of it\n"
        "  goes on\n"
        "2. second\n\n"
        "| A. B | C |\n| --- | --- |\n| 1. X | 2 |\n\n"
        "```py\na = 1. b\n\n    c = 2\n```\n"
        "After. End."
    )
    assert split(text) == [
        "# A heading. With points",
        "- first item.",
        "More of it\n  goes on",
        "2. second",
        "| A. B | C |\n| --- | --- |",
        "| 1. X | 2 |",
        "```py\na = 1. b",
        "c = 2\n```",
        "After.",
        "End.",
    ]


@pytest.mark.parametrize(
    "text", ["", " \n ", "```", "```\n", "```\nx", "````\n```\n````", "| a", "...", ". . ."]
)
def test_odd_texts_are_covered_once(text):
    seen = [0] * len(text)
    for span in sentence_spans(text):
        for place in range(span.start, span.end):
            seen[place] += 1
    assert all(count == 1 for count, char in zip(seen, text, strict=True) if not char.isspace())


def test_a_range_gives_offsets_of_the_whole_text():
    text = "Zero. One. Two. Three."
    spans = sentence_spans(text, 6, 15)
    assert [text[span.start : span.end] for span in spans] == ["One.", "Two."]


def test_both_views_end_sentences_at_the_same_places():
    text = "> - See p.ej. 3. Then go.\n\nAm 3. Mai, np. Plan B. The rest: im 2. Quartal. End."
    quoted = [text[span.start : span.end] for span in sentences(text)]
    assert quoted == [
        "See p.ej. 3.",
        "Then go.",
        "Am 3. Mai, np. Plan B.",
        "The rest: im 2. Quartal.",
        "End.",
    ]
    assert split(text) == ["> - See p.ej. 3.", *quoted[1:]]


def test_a_line_of_marks_alone_is_read_in_one_go():
    text = "Name " + "." * 20_000 + "x and more. Then."
    begin = time.process_time()
    assert split(text) == [text[: -len(" Then.")], "Then."]
    assert time.process_time() - begin < 2


def test_a_run_of_marks_is_one_end():
    assert split("Really?! Yes... No!!") == ["Really?!", "Yes...", "No!!"]
