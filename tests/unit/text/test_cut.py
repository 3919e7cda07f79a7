from dataclasses import replace
from hashlib import sha256

import pytest

from answerable.errors import ConfigError
from answerable.records.docs import RawDoc
from answerable.records.recipe import CutRule
from answerable.text.canonical import Canvas
from answerable.text.cut import cut, rule_for, searched
from answerable.text.cutters.headings import Headings
from answerable.text.cutters.words import Words
from answerable.text.dress import lead_for, shortened
from answerable.text.outline import outline
from answerable.text.ruler import Characters
from answerable.text.ruler import Words as CountWords

RULERS = {"words": CountWords(), "characters": Characters()}


def build(rule):
    kinds = {"headings": Headings, "words": Words}
    return kinds[rule.by](rule.size, rule.overlap)


def handbook():
    canvas = Canvas()
    canvas.heading(1, "Handbook")
    canvas.paragraph("Welcome.")
    canvas.heading(2, "Travel")
    canvas.paragraph("Book early.")
    canvas.heading(3, "Trains")
    canvas.table([["From", "To"], ["A", "B"], ["C", "D"]])
    return canvas.finish(RawDoc("policies/travel.md", b""), "markdown", "Handbook")


def by_headings(**options):
    return CutRule(**{"by": "headings", "size": 50, "unit": "words", **options})


def test_chunks_carry_lead_path_kind_and_counts():
    document = handbook()
    chunks = cut(document, [by_headings()], build, RULERS)
    assert [(c.lead, c.path, c.kind) for c in chunks] == [
        ("", ("Handbook",), "heading"),  # its own heading is the title: nothing to repeat
        ("Handbook", ("Handbook", "Travel"), "paragraph"),
        ("Handbook > Travel", ("Handbook", "Travel", "Trains"), "table"),
    ]
    assert searched(chunks[0], document) == "# Handbook\n\nWelcome."
    assert searched(chunks[1], document) == "Handbook\n## Travel\n\nBook early."
    # Handbook > Travel ### Trains, then rows of 5 words, of which one is the ruler line
    assert [c.words for c in chunks] == [3, 5, 3 + 2 + 4 * 5]
    assert [c.tokens for c in chunks] == [0, 0, 0]


def test_ids_hash_document_span_and_lead():
    document = handbook()
    chunks = cut(document, [by_headings()], build, RULERS)
    for chunk in chunks:
        name = f"{document.id}\n{chunk.span.start}\n{chunk.span.end}\n{chunk.lead}"
        assert chunk.id == sha256(name.encode()).hexdigest()[:16]
    bare = cut(document, [by_headings(lead="none")], build, RULERS)
    assert [c.span for c in bare] == [c.span for c in chunks]
    assert [c.id == other.id for c, other in zip(bare, chunks, strict=True)] == [True, False, False]


def test_the_lead_of_a_cut_table_stacks_title_headings_and_header():
    document = handbook()
    table = [c for c in cut(document, [by_headings(size=20)], build, RULERS) if c.kind == "table"]
    assert table[1].lead == "Handbook > Travel > Trains\n| From | To |\n| --- | --- |"
    assert searched(table[1], document).endswith("| --- | --- |\n| C | D |")
    assert table[1].words == 5 + 10 + 5


@pytest.mark.parametrize(
    ("how", "at_heading", "inside"),
    [
        ("none", "", ""),
        ("title", "Handbook", "Handbook"),
        ("headings", "Handbook > Travel", "Handbook > Travel > Trains"),
        ("title+headings", "Handbook > Travel", "Handbook > Travel > Trains"),
    ],
)
def test_leads(how, at_heading, inside):
    document = handbook()
    start = document.text.index("### Trains")
    assert lead_for(document, outline(document), start, how) == at_heading
    assert lead_for(document, outline(document), start + 12, how) == inside


def test_a_heading_equal_to_the_title_is_said_once():
    document = replace(handbook(), title="Guide")
    start = document.text.index("| From")
    found = outline(document)
    assert (
        lead_for(document, found, start, "title+headings") == "Guide > Handbook > Travel > Trains"
    )
    other = replace(document, title="HANDBOOK")
    assert lead_for(other, found, start, "title+headings") == "HANDBOOK > Travel > Trains"


def test_long_leads_lose_outer_headings_then_title_then_words():
    parts = ["Title", "Outer one", "Middle", "Inner a b c d"]
    words = CountWords()
    assert shortened(parts, words, 12) == " > ".join(parts)
    assert shortened(parts, words, 11) == "Title > Middle > Inner a b c d"
    assert shortened(parts, words, 7) == "Title > Inner a b c d"
    assert shortened(parts, words, 6) == "Inner a b c d"
    assert shortened(parts, words, 2) == "c d"
    assert shortened(parts[1:], words, 9, titled=False) == "Middle > Inner a b c d"
    assert shortened(["x" * 50], Characters(), 10) == ""


def test_a_lead_takes_at_most_half_the_size_unless_it_is_not_counted():
    document = replace(handbook(), title="one two three four five six")
    short = cut(document, [by_headings(size=8, lead="title")], build, RULERS)
    assert {c.lead.split("\n")[0] for c in short[1:2]} == {"three four five six"}
    assert all(c.words <= 8 for c in short)
    windows = cut(document, [by_headings(by="words", size=8, lead="title")], build, RULERS)
    assert {c.lead for c in windows} == {"one two three four five six"}
    assert {c.words for c in windows[:-1]} == {6 + 8}


def test_the_last_matching_rule_wins():
    document = handbook()
    rules = [
        by_headings(),
        by_headings(match="type:html", size=1),
        by_headings(match="uri:policies/*", size=2),
        by_headings(match="uri:*.txt", size=3),
    ]
    assert rule_for(document, rules).size == 2
    assert rule_for(document, [*rules, by_headings(match="type:markdown", size=4)]).size == 4


def test_rules_that_cannot_be_followed_are_named():
    document = handbook()
    with pytest.raises(ConfigError, match=r"no cut rule matches 'policies/travel\.md'"):
        rule_for(document, [by_headings(match="type:html")])
    with pytest.raises(ConfigError, match="match 'glob:x'"):
        rule_for(document, [by_headings(match="glob:x")])
    with pytest.raises(ConfigError, match=r"'tokens'.*characters, words"):
        cut(document, [by_headings(unit="tokens")], build, RULERS)
    with pytest.raises(ConfigError, match=r"lead 'all'.*none, title"):
        cut(document, [by_headings(lead="all")], build, RULERS)
