"""Nearly equal questions."""

import random

from answerable.flow.alike import alike, plain

LETTERS = "abcde "


def by_comparing_all(texts: list[str], least: float) -> list[tuple[int, int]]:
    sets = []
    for text in texts:
        padded = f" {plain(text)} "
        sets.append(
            {padded[at : at + 3] for at in range(len(padded) - 2)} if plain(text) else set()
        )
    return [
        (i, j)
        for j in range(len(sets))
        for i in range(j)
        if sets[i] | sets[j] and len(sets[i] & sets[j]) / len(sets[i] | sets[j]) >= least - 1e-9
    ]


def test_finds_exactly_what_comparing_all_pairs_finds() -> None:
    chosen = random.Random(5)
    texts = []
    for _ in range(60):
        text = "".join(chosen.choice(LETTERS) for _ in range(chosen.randint(0, 40)))
        texts.append(text)
        for _ in range(2):
            at = chosen.randint(0, len(text))
            texts.append(text[:at] + chosen.choice(LETTERS) + text[at + 1 :])
    for least in (0.5, 0.7, 0.8, 0.9, 1.0):
        found = sorted((i, j) for i, j, _ in alike(texts, least))
        assert found == sorted(by_comparing_all(texts, least)), least
    assert len(by_comparing_all(texts, 0.7)) > 20


def test_the_share_by_hand() -> None:
    # " abcd " has " ab" "abc" "bcd" "cd "; " abce " shares two of four: 2 / 6.
    assert alike(["abcd", "abce"], 0.3) == ((0, 1, 2 / 6),)
    assert alike(["abcd", "abce"], 0.34) == ()


def test_case_marks_and_scripts_without_spaces() -> None:
    assert alike(["What is it?", "what is  IT"]) == ((0, 1, 1.0),)
    # 11 and 10 triples once padded, 9 of them the same: 9 / 12.
    pairs = alike(["水泵每三个月检查一次吗", "水泵每三个月检查一次", "别的"], 0.7)
    assert pairs == ((0, 1, 0.75),)


def test_plain_keeps_letters_and_digits() -> None:
    assert plain("  Größe: 10 m² (Äpfel) ") == "grösse 10 m2 äpfel"


def test_questions_of_one_pattern_have_a_limited_number_of_pairs() -> None:
    texts = [f"What is the value of parameter {n} in the manual of the gate?" for n in range(200)]
    pairs = alike(texts, most=5)
    of = [sum(second == n for _, second, _ in pairs) for n in range(200)]
    assert of[0] == 0
    assert of[1:6] == [1, 2, 3, 4, 5]
    assert max(of) == 5
    assert set(pairs) <= set(alike(texts))


def test_a_limit_leaves_other_pairs_as_they_are() -> None:
    texts = ["the gate opens at five", "the gate opens at five!", "who paints the yard green"]
    assert alike(texts, most=1) == alike(texts) == ((0, 1, 1.0),)
