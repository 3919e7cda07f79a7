from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations
from pathlib import Path

import pytest

_FILE = Path(__file__).resolve().parents[3] / "benchmarks" / "studies" / "recovery.py"


@pytest.fixture(scope="module")
def recovery():
    import sys

    spec = spec_from_file_location("recovery_study", _FILE)
    module = module_from_spec(spec)
    sys.modules["recovery_study"] = module
    spec.loader.exec_module(module)
    return module


def test_words_are_told_without_marks_links_and_comments(recovery):
    text = "## Héllo *wor*ld\n\n<!-- image -->[te xt](http://a.b/c_(d)) a&amp;b c<br>d ﬁn 12a\\_b"
    assert recovery.words(text) == (
        ["héllo", "wor", "ld", "te", "xt", "a", "b", "c", "d", "fin", "12a", "b"]
    )


def test_han_and_hangul_count_by_character_and_marks_stay_with_their_letter(recovery):
    assert recovery.words("abc東京 이슈 हिन्दी e\u0301") == (
        ["abc", "東", "京", "이", "슈", "हिन्दी", "é"]
    )


def test_tables_are_read_with_escaped_pipes_and_not_out_of_fences(recovery):
    text = "a | b\n\n| x | y\\|z |\n| - | :-: |\n| 1 | |\n\n```\n| q | r |\n|---|---|\n```\n"
    assert recovery.tables(text) == [[("x", "y z"), ("1", "")]]


@pytest.mark.parametrize(
    ("one", "two"), [("abcbdab", "bdcaba"), ("", "ab"), ("aaaa", "aa"), ("abcdef", "fedcba")]
)
def test_common_subsequence_is_the_longest_there_is(recovery, one, two):
    subsequences = {
        tuple(one[at] for at in picked)
        for size in range(len(one) + 1)
        for picked in combinations(range(len(one)), size)
    }
    others = {
        tuple(two[at] for at in picked)
        for size in range(len(two) + 1)
        for picked in combinations(range(len(two)), size)
    }
    longest = max(map(len, subsequences & others))
    assert recovery.common_subsequence(list(one), list(two)) == longest


def test_recovery_by_hand(recovery):
    truth = "one two three four\n\n| x | y |\n|---|---|\n| 1 | 2 |\n"
    found = "two one three five five\n\n| x | y |\n|---|---|\n| 2 | 1 |\n"
    got = recovery.recover(truth, found)
    assert (got.words.shared, got.words.true, got.words.found) == (7, 8, 9)
    assert got.words.recall == 7 / 8
    assert got.words.precision == 7 / 9
    assert got.in_order == 5  # one of (one, two), three, x, y, one of (1, 2)
    assert got.order == 5 / 7
    assert (got.cells.shared, got.cells.true, got.cells.found) == (4, 4, 4)
    assert (got.neighbours.shared, got.neighbours.true) == (1, 4)  # only (row, x, y)


def test_nothing_to_recover_is_not_zero(recovery):
    got = recovery.recover("", "")
    assert got.words.recall is None
    assert got.words.precision is None
    assert got.order is None
    assert (got.cells + recovery.Share(1, 2, 4)).recall == 0.5
