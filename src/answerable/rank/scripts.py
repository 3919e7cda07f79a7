"""Scripts written without spaces between words: character pairs in place of words."""

from __future__ import annotations

import itertools
import re
import unicodedata

# Hangul (jamo, compatibility jamo, syllables), Han with its marks of repetition, kana (also
# half-width), Thai and Lao, Myanmar, Khmer: ranges for use inside a character class.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa"
    r"\u30fc-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\uff66-\uff9f\U00020000-\U0003134f"
)

# Characters that only change the one before them: they never stand alone in a term. Half-width
# sound marks and the vowels and finals of written-out Hangul have no combining class of their own.
_CLUSTER = re.compile(
    r"[^\u1100-\u115f](?:[\u0300-\u036f\u3099\u309a\uff9e\uff9f\u0e31\u0e33-\u0e3a\u0e47-\u0e4e"
    r"\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u17dd\ufe00-\ufe0f])*"
    r"|[\u1100-\u115f][\u1160-\u11ff]*"
)


def letters(run: str) -> list[tuple[str, int]]:
    """The written characters of a run, each with its marks, normalised (NFKC), with its offset."""
    return [
        (unicodedata.normalize("NFKC", found[0]).casefold(), found.start())
        for found in _CLUSTER.finditer(run)
    ]


def grams(run: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Every character of a run and every pair of neighbours, with offsets in the run.

    Pairs stand in for words; single characters are there so that a question of one finds them.
    Overlapping pairs are the usual remedy where no word list is at hand (Nie, Gao, Zhang & Zhou,
    "On the use of words and n-grams for Chinese information retrieval", IRAL 2000).
    """
    units = letters(run)
    words: list[str] = []
    starts: list[int] = []
    for number, (unit, start) in enumerate(units):
        words.append(unit)
        starts.append(start)
        if number + 1 < len(units):
            words.append(unit + units[number + 1][0])
            starts.append(start)
    return tuple(words), tuple(starts)


def asked(run: str) -> tuple[str, ...]:
    """What a question asks for of a run: its pairs, or its one character."""
    units = [unit for unit, _ in letters(run)]
    if len(units) < 2:
        return tuple(units)
    return tuple(left + right for left, right in itertools.pairwise(units))
