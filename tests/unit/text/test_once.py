from __future__ import annotations

from answerable.records.docs import RawDoc
from answerable.text import once
from answerable.text.canonical import Canvas


def document(text: str):
    canvas = Canvas()
    canvas.paragraph(text)
    return canvas.finish(RawDoc("a", b""), "plain", "")


def test_a_document_is_worked_out_once_and_an_equal_one_again():
    made = []

    @once.Once
    def length(document):
        made.append(document)
        return len(document.text)

    first, equal = document("some words"), document("some words")
    assert length(first) == length(first) == 10
    assert length(equal) == 10
    assert len(made) == 2
    length.forget()
    assert length(first) == 10
    assert len(made) == 3


def test_the_oldest_goes_when_there_is_too_much_text():
    made = []
    length = once.Once(lambda document: made.append(document.text))
    half = once.CHARACTERS // 2
    first, second, third = document("a" * half), document("b" * half), document("c")
    for one in (first, second, first, third, second, third):
        length(one)
    assert [text[0] for text in made] == ["a", "b", "c"]
    length(first)
    assert len(made) == 4
