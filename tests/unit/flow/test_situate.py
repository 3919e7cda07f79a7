"""A written line in front of each piece: what is sent, what it costs, what it changes."""

import pytest

from answerable.errors import ConfigError, ServiceError
from answerable.flow.situate import MOST_DOCUMENT, PROMPT, fitted, roomier, situate
from answerable.records.docs import RawDoc
from answerable.records.recipe import CutRule, SituateRule
from answerable.text.canonical import Canvas
from answerable.text.cut import cut
from answerable.text.cutters.words import Words as WordWindows
from answerable.text.ruler import Words
from fakes import ScriptedChat

RULERS = {"words": Words()}
RULE = SituateRule(by="scripted", line=5)


def document(*paragraphs, title="Leave"):
    canvas = Canvas()
    for text in paragraphs:
        canvas.paragraph(text)
    return canvas.finish(RawDoc("leave.md", b""), "markdown", title)


def chunks_of(read, size=4):
    rule = CutRule(by="words", size=size, unit="words", lead="title")
    return cut(read, [rule], lambda one: WordWindows(one.size), RULERS)


def test_the_line_stands_above_the_lead_and_is_counted_and_changes_the_id():
    read = document("It may be carried over once.")
    plain = chunks_of(read)
    chat = ScriptedChat(["Carrying over annual leave of staff\nsecond line"])
    made = situate(read, plain, chat, RULE, "words", RULERS)
    assert [chunk.lead for chunk in made] == ["Carrying over annual leave of\nLeave"] * 2
    assert [chunk.words for chunk in made] == [5 + 1 + 4, 5 + 1 + 2]
    assert [chunk.span for chunk in made] == [chunk.span for chunk in plain]
    assert not {chunk.id for chunk in made} & {chunk.id for chunk in plain}


def test_document_and_excerpt_are_sent_and_nothing_else():
    read = document("First part here now.", "Second part comes after.")
    chat = ScriptedChat(["x"])
    situate(read, chunks_of(read), chat, RULE, "words", RULERS)
    system, user = chat.sent[1]
    assert (system.role, system.text, user.role) == ("system", PROMPT, "user")
    assert user.text == (
        "Title: Leave\n\n<document>\nFirst part here now.\n\nSecond part comes after.\n</document>"
        "\n\n<excerpt>\nSecond part comes after.\n</excerpt>"
    )


def test_a_long_document_is_sent_around_the_excerpt():
    read = document("a " * MOST_DOCUMENT, "the excerpt", "b " * MOST_DOCUMENT)
    chat = ScriptedChat(["x"])
    chunk = next(c for c in chunks_of(read, 1) if read.text[c.span.start] == "t")
    situate(read, [chunk], chat, RULE, "words", RULERS)
    inside = chat.sent[0][1].text.split("<document>\n")[1].split("\n</document>")[0]
    assert len(inside) == MOST_DOCUMENT
    assert "the excerpt" in inside


def test_a_reply_without_words_leaves_the_piece_as_it_is():
    read = document("It may be carried over once.")
    assert situate(read, chunks_of(read), ScriptedChat([" \n "]), RULE, "words", RULERS) == (
        chunks_of(read)
    )


def test_a_model_that_fails_is_not_passed_over():
    class Down(ScriptedChat):
        def reply(self, messages, *, most_tokens):
            raise ServiceError("no answer", "try later")

    read = document("It may be carried over once.")
    with pytest.raises(ServiceError):
        situate(read, chunks_of(read), Down([]), RULE, "words", RULERS)


def test_the_first_line_with_words_is_cut_to_its_limit():
    assert fitted("\n  Here it   is:\nmore", Words(), 2) == "Here it"


def test_the_room_of_the_line_is_taken_off_the_size():
    rules = (CutRule(size=100), CutRule(size=0, match="type:html"))
    assert [rule.size for rule in roomier(rules, SituateRule(by="m", line=40))] == [60, 0]
    assert roomier(rules, SituateRule(line=40)) == rules
    with pytest.raises(ConfigError, match="takes half or more of pieces of 80"):
        roomier((CutRule(size=80),), SituateRule(by="m", line=40))


def test_a_reply_of_very_many_words_is_not_shortened_one_by_one():
    counted = []

    class Counting(Words):
        def count(self, text):
            counted.append(len(text))
            return super().count(text)

    assert fitted("word " * 100_000, Counting(), 5) == "word word word word word"
    assert sum(counted) < 1000
