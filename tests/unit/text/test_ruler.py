import re

import numpy as np
import pytest

from answerable.text.ruler import Characters, Remembering, Tokens, Words, measured, word_spans


def pairs(text):
    """A token is two characters of one word."""
    found = [
        (at, min(at + 2, word.end()))
        for word in re.finditer(r"\S+", text)
        for at in range(word.start(), word.end(), 2)
    ]
    return np.array(found, np.int64).reshape(-1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        " a  b ",
        "a\u3000b",
        "x\x1cy\x85z",
        "😀 a\u200bb\n",
        "\u2028q\u00a0",
        "ü\tß\fé",
    ],
)
def test_words_are_runs_of_non_space_as_python_knows_it(text):
    expected = [found.span() for found in re.finditer(r"\S+", text)]
    assert [tuple(row) for row in word_spans(text).tolist()] == expected
    assert Words().count(text) == len(expected)


def test_between_fit_and_back_by_hand():
    # abc de f: words begin at 0, 4, 7
    words = measured("abc de f", Words())
    assert words.between(0, 8) == 3
    assert words.between(1, 7) == 1
    assert words.fit(0, 1) == 4
    assert words.fit(0, 2) == 7
    assert words.fit(0, 3) == 8
    assert words.back(8, 1) == 7
    assert words.back(8, 2) == 4
    assert words.back(8, 9) == 0
    assert words.back(8, 0) == 8


def test_characters_count_the_line_feed_after_a_lead():
    measure = measured("abc de f", Characters())
    assert measure.count("Title", 0, 3) == len("Title\nabc")
    assert measure.cost("") == 0


def test_a_cut_inside_a_word_is_counted_anew():
    # abcde is ab|cd|e; its tail bcde is bc|de: 2 tokens, where 2 of the whole begin (cd, e);
    # its tail cde is cd|e. abc alone is ab|c.
    tokens = Tokens(lambda text: len(pairs(text)), pairs, additive=True)
    measure = measured("abcde fg", tokens)
    assert measure.count("", 0, 8) == 4
    assert measure.count("", 1, 8) == 3
    assert measure.count("", 0, 3) == 2
    assert measure.between(1, 8) == 3
    assert not measure.exact(1, 8)
    assert measure.count("T U", 6, 8) == 3


def test_control_characters_are_no_safe_edge():
    # WordPiece drops U+001C, which joins the words beside it: never trust sums there
    measure = measured("a\x1cb c", Words())
    assert not measure.exact(0, 1)
    assert measure.exact(0, 3)


def test_remembering_measures_a_text_once():
    calls = []

    def spans(text):
        calls.append(text)
        return pairs(text)

    ruler = Remembering(Tokens(lambda text: len(pairs(text)), spans), characters=4)
    first = measured("abc", ruler)
    assert measured("abc", ruler) is first
    measured("d", ruler)
    measured("e", ruler)
    assert list(measured("abc", ruler).starts) == [0, 2]
    assert calls == ["abc", "d", "e", "abc"]
    assert (ruler.unit, ruler.additive, ruler.count("abc")) == ("tokens", False, 2)
