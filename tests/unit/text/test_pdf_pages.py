from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf

FULL = "words that fill the line up to its very end and"


def read(*pages):
    return parse(RawDoc(uri="x.pdf", body=made_pdf(pages)), NOTHING_KNOWN)


def test_a_sentence_stands_whole_on_the_page_where_it_begins():
    one = Made().lines(60, 100, ["First page has " + FULL, "then a sentence that main-"])
    two = Made().lines(60, 100, ["tains its way to an end. And this is the next,", "which stays."])
    document = read(one, two)
    before, after = document.text.split("\f")
    assert before.strip().endswith("then a sentence that maintains its way to an end.")
    assert after.strip() == "And this is the next, which stays."


def test_a_footnote_does_not_keep_a_sentence_from_going_on():
    one = Made().lines(60, 100, ["First page has " + FULL, "then a sentence without"])
    one.text(60, 300, "1 A note at the foot of the page, which is set smaller.", 7)
    two = Made().lines(60, 100, ["an end until here. And this is the next,", "which stays."])
    before, after = read(one, two).text.split("\f")
    assert "then a sentence without an end until here." in before
    assert after.strip() == "And this is the next, which stays."


def test_what_begins_anew_stays_on_its_page():
    one = Made().lines(60, 100, ["First page has " + FULL, "then no end"])
    two = Made().lines(60, 100, ["Here begins something of its own that has", "its own end."])
    before, after = read(one, two).text.split("\f")
    assert before.strip().endswith("then no end")
    assert after.strip().startswith("Here begins")


def test_every_page_has_its_break_with_its_number_even_an_empty_one():
    pages = [Made().text(60, 100, "One."), Made(), Made().text(60, 100, "Three.")]
    document = read(*pages)
    assert [b.level for b in document.blocks if b.kind == "page_break"] == [2, 3]
    assert document.notes == ("page 2 has no text layer",)
    assert [part.strip() for part in document.text.split("\f")] == ["One.", "", "Three."]
