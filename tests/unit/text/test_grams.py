"""Runs of characters as numbers: the same answers as looking through the text."""

import random

import pytest

from answerable.text.fold import fold_words
from answerable.text.grams import Grams, Sieve
from answerable.text.recent import CHARACTERS, Recent
from answerable.text.resemble import resembling

DRAW = random.Random(3)
WORDS = ["".join(DRAW.choices("abcdeäß水泵", k=DRAW.randint(2, 8))) for _ in range(400)]


def texts(count: int, words: int) -> list[str]:
    return [" ".join(DRAW.choices(WORDS, k=words)) for _ in range(count)]


def test_a_sieve_leaves_out_no_text_that_holds_the_string():
    many = [*texts(30, 40), *texts(10, 3000), "", "abc"]
    sieve = Sieve(many)
    for text in many:
        for size in (0, 1, 3, 4, 9, 60, 400):
            start = DRAW.randrange(len(text) + 1)
            wanted = text[start : start + size]
            may = sieve.may(wanted).tolist()
            assert all(known for known, one in zip(may, many, strict=True) if wanted in one)


def test_a_sieve_leaves_out_nearly_all_other_texts():
    many = texts(200, 60)
    sieve = Sieve(many)
    let_in = sum(int(sieve.may(absent).sum()) for absent in texts(200, 10))
    assert let_in < 0.02 * 200 * 200


@pytest.mark.parametrize("size", [3, 8])
def test_places_are_those_that_find_gives(size):
    text = " ".join(DRAW.choices(WORDS[:40], k=500))
    wanted = text[100:160] + "nowhere" + text[:50]
    offsets = range(0, len(wanted) - size + 1, 2)
    for offset, places in zip(offsets, Grams(text, size).places(wanted, offsets, 5), strict=True):
        run, naive, at = wanted[offset : offset + size], [], -1
        while len(naive) < 5 and (at := text.find(run, at + 1)) >= 0:
            naive.append(at)
        assert places == naive


def test_long_texts_outlive_many_short_ones():
    made: list[int] = []
    length = Recent(lambda text: made.append(len(text)) or len(text))
    long = "x" * (CHARACTERS // 2)
    length(long)
    for number in range(1000):
        length(f"short {number}")
    length(long)
    assert made.count(len(long)) == 1
    length("y" * (len(long) + 10_000))
    length(long)
    assert made.count(len(long)) == 2


def test_a_long_quote_is_compared_by_words():
    words = DRAW.choices(WORDS, k=300)
    changed = [word if at % 10 else "other" for at, word in enumerate(words)]
    text = f"Before it. {' '.join(changed)}. After it."
    found = resembling(text, " ".join(words))[0]
    ours, theirs = (fold_words(" ".join(some)).text.strip() for some in (words, changed))
    # Nine of ten words are the same, each with the space behind it.
    kept = [word for at, word in enumerate(ours.split()) if at % 10]
    same = 2 * sum(len(word) + 1 for word in kept) / (len(ours) + len(theirs))
    assert found.similarity == pytest.approx(same, abs=0.01)
