"""Sentences: abbreviations, ordinals, decimals, other scripts, lists, tables and code."""

from __future__ import annotations

from itertools import pairwise

import pytest

from answerable.language.sentences import sentences


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One here. Two there! Three?", ["One here.", "Two there!", "Three?"]),
        ("It costs 3.50 EUR. Pay Dr. Meyer.", ["It costs 3.50 EUR.", "Pay Dr. Meyer."]),
        (
            "See Abs. 2 Nr. 3 z. B. für Geräte. Ende.",
            ["See Abs. 2 Nr. 3 z. B. für Geräte.", "Ende."],
        ),
        ("Use it, e.g. Fridays. Then stop.", ["Use it, e.g. Fridays.", "Then stop."]),
        ("Am 3. Mai ist zu. Danach offen.", ["Am 3. Mai ist zu.", "Danach offen."]),
        ("It began in 2024. The end.", ["It began in 2024.", "The end."]),
        ("Pumps, hoses, etc. The rest waits.", ["Pumps, hoses, etc.", "The rest waits."]),
        ("点検は9時です。鍵はある。", ["点検は9時です。", "鍵はある。"]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("It is red. [1] It is blue [2].", ["It is red. [1]", "It is blue [2]."]),
        ("One line\nwith a feed. Two.", ["One line\nwith a feed.", "Two."]),
        ("No mark\n\nanother paragraph", ["No mark", "another paragraph"]),
        ("- first item\n- second. With more.", ["first item", "second.", "With more."]),
        ("1. Lift it.\n2. Turn it.", ["Lift it.", "Turn it."]),
        ("| a | b |\n| --- | --- |\n| 1 | 2. 3 |", ["| a | b |", "| 1 | 2. 3 |"]),
        ("Run:\n```sh\nls -l. Ab\n\ncat x\n```\nDone.", ["Run:", "ls -l. Ab", "cat x", "Done."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_are_parted_where_a_reader_would(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_spans_are_in_order_and_lose_no_letter() -> None:
    text = "A. B. Ltd. co. 3. Mai 4.5 (e.g. x). 「は。」と。\n- x\n|a|b|\n```\nq\n```\nEnd"
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    kept = "".join(text[s.start : s.end] for s in spans)
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]
