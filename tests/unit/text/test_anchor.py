from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc, Span
from answerable.text.anchor import find, reanchor
from answerable.text.parsers.markdown import parse


def page(source: str) -> Document:
    return parse(RawDoc("a.md", source.encode()), NOTHING_KNOWN)


def bare(text: str) -> Document:
    return replace(page("x"), text=text)


def shown(document: Document, quote: str) -> tuple[str | None, str, int]:
    anchor = find(document, quote)
    span = anchor.span
    return (document.text[span.start : span.end] if span else None), anchor.how, anchor.places


def test_exact_places_are_all_counted_in_order():
    anchor = find(bare("ab ab ab"), "ab")
    assert anchor.spans == (Span(0, 2), Span(3, 5), Span(6, 8))
    assert (anchor.how, anchor.places) == ("exact", 3)


def test_white_space_may_differ():
    assert shown(bare("Close the\n  red valve."), "the red\n\nvalve") == (
        "the\n  red valve", "spaces", 1)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("Close the red valve now.", "the **red** `valve`", "the red valve"),
        ("Close the red valve now.", "THE RED", "the red"),
        ("See the guide for more.", "See [the guide](./g.md) for", "See the guide for"),
        ("It’s “hot” – very", 'It\'s "hot" - very', "It’s “hot” – very"),
        ("the caf\u00e9 here", "cafe\u0301", "caf\u00e9"),
        ("the cafe\u0301 here", "caf\u00e9", "cafe\u0301"),
        ("the \ufb01re door", "fire door", "\ufb01re door"),
        ("| Gate | Key |\n| --- | --- |\n| north | K7 |", "north K7", "north | K7"),
        (
            "| Gate | Key |\n| --- | --- |\n| north | K7 |",
            "key north",
            "Key |\n| --- | --- |\n| north",
        ),
        ("- one\n- two", "* one\n* two", "one\n- two"),
        ("한국어 문서", "한국어 문서".encode().decode(), "한국어 문서"),
        ("soft\u00adware bug", "software bug", "soft\u00adware bug"),
    ],
)
def test_marks_and_typography_may_differ(text, quote, found):
    assert shown(bare(text), quote)[0] == found


def test_punctuation_may_differ_but_words_are_not_cut():
    assert shown(bare("Stop, then (wait) 5 min."), "stop then wait: 5") == (
        "Stop, then (wait) 5", "words", 1)  # fmt: skip
    assert shown(bare("a concatenation."), "a (cat") == (None, "missing", 0)


def test_what_is_not_there_is_missing():
    for quote in ("green valve", "", "  ", "**"):
        assert find(bare("the red valve"), quote).span is None


def test_a_quote_of_markdown_source_is_found_in_the_parsed_page():
    document = page("# A\n\n1. Open the **main** valve\n   and [wait](w.md).\n2. Call `ops`\n")
    assert shown(document, "1. Open the **main** valve\n   and [wait](w.md).")[0] == (
        "Open the main valve and wait."
    )


def test_a_thousand_quotes_on_a_hundred_thousand_characters():
    words = [f"w{n % 977}x{n % 89}" for n in range(14_000)]
    text = " ".join(words)
    assert len(text) > 100_000
    document = bare(text)
    rng = random.Random(7)
    starts = [rng.randrange(len(words) - 9) for _ in range(1000)]
    begin = time.process_time()
    for start in starts:
        quote = "*" + ", ".join(words[start : start + 9]) + "*"
        span = find(document, quote).span
        assert span and text[span.start : span.end].split() == words[start : start + 9]
    assert time.process_time() - begin < 5


OLD = "Intro. The limit is 5 bar for the north pump. Then close it.\n\nElsewhere 5 bar."


def old_span(quote: str) -> Span:
    start = OLD.index(quote)
    return Span(start, start + len(quote))


def carried(quote: str, new: str) -> tuple[str, str] | None:
    anchor = reanchor(OLD, old_span(quote), bare(new))
    return anchor and (new[anchor.span.start : anchor.span.end], anchor.how)


def test_a_place_moves_with_text_put_in_front():
    assert carried("Then close it.", "New line.\n\n" + OLD) == ("Then close it.", "exact")


def test_of_equal_places_the_one_with_the_old_context_is_first():
    new = "Elsewhere 5 bar. " + OLD
    anchor = reanchor(OLD, old_span("5 bar"), bare(new))
    assert anchor.places == 3
    assert new[anchor.span.start :].startswith("5 bar for the north")


def test_edited_words_are_found_between_their_neighbours():
    new = OLD.replace(
        "The limit is 5 bar for the north pump.", "The limit is 6.5 bar for the pump."
    )
    assert carried("The limit is 5 bar for the north pump.", new) == (
        "The limit is 6.5 bar for the pump.", "near")  # fmt: skip


def test_edited_words_that_moved_are_found_by_the_runs_they_kept():
    new = "Other page.\n\nSo the limit is 5 bar for every north pump here, always.\n\nEnd."
    found = carried("The limit is 5 bar for the north pump.", new)
    assert found == ("the limit is 5 bar for every north pump", "near")


def test_a_passage_that_is_gone_is_none():
    assert carried("The limit is 5 bar for the north pump.", "Nothing of it is left here.") is None
    assert carried("Then close it.", OLD.replace("Then close it.", "")) is None


def test_reanchoring_in_a_long_text_is_quick():
    lines = [f"Line {n} of the log says {n * 7919 % 10007} units." for n in range(5000)]
    old = "\n".join(lines)
    new = bare("\n".join(line.replace("says", "told") for line in lines))
    begin = time.process_time()
    for n in range(100, 4900, 100):
        start = old.index(lines[n] + "\n" + lines[n + 1])
        span = Span(start, start + len(lines[n]))
        anchor = reanchor(old, span, new)
        assert anchor and new.text[anchor.span.start : anchor.span.end].startswith(f"Line {n} of")
    assert time.process_time() - begin < 5
