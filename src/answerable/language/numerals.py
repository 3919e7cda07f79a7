"""Number words to numbers: English and German with compounds, small ones in five languages."""

from __future__ import annotations

import re

_EN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EN_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
)
_DE = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn"
)
_DE_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_OTHERS = (
    # French, Spanish, Italian, Polish, Dutch: from two up, what is not also another word.
    "_ _ deux trois quatre cinq _ sept huit neuf dix onze douze treize quatorze quinze seize",
    "_ _ dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    "_ _ due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici "
    "quindici sedici",
    "_ _ dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście "
    "trzynaście czternaście piętnaście szesnaście",
    "_ _ twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien "
    "zestien",
)
_KANJI = {c: n for n, c in enumerate("〇一二三四五六七八九")}


def _listed(words: str, first: int = 0, step: int = 1) -> dict[str, int]:
    return {word: first + step * n for n, word in enumerate(words.split()) if word != "_"}


_SIMPLE: dict[str, int] = {}
for _line in reversed(_OTHERS):
    _SIMPLE |= _listed(_line)
_SIMPLE |= _listed(_DE) | _listed(_DE_TENS, 20, 10) | {"eins": 1, "hundert": 100, "tausend": 1000}
_SIMPLE |= {"zwo": 2, "dreissig": 30}
_SIMPLE |= _listed(_EN) | _listed(_EN_TENS, 20, 10) | _listed(_EN_ORDINALS)
_SIMPLE |= {"hundred": 100, "thousand": 1000, "million": 10**6, "twice": 2, "dozen": 12}
# "ein" is an article far more often than a number; "once", "second" are not numbers by themselves.
for _word in ("ein", "once", "second", "sei", "null", "tre"):
    _SIMPLE.pop(_word, None)

_DE_UNITS = _listed(_DE) | {"eins": 1}
_DE_TENS_OF = _listed(_DE_TENS, 20, 10) | {"dreissig": 30}
_DE_PAIR = re.compile(rf"({'|'.join(_DE.split())})und({'|'.join(_DE_TENS_OF)})")
_EN_PAIR = re.compile(rf"({'|'.join(_EN_TENS.split())})-({'|'.join(_EN.split()[1:10])})")


def number_word(word: str) -> int | None:
    """The number that one case-folded word means, None if it is none.

    `vierzehn` 14, `twenty-five` 25, `zweihundertfünfzig` 250, `dreißigtausend` 30000.
    """
    if word in _SIMPLE:
        return _SIMPLE[word]
    if pair := _EN_PAIR.fullmatch(word):
        return _SIMPLE[pair[1]] + _SIMPLE[pair[2]]
    return _german(word) if word not in _DE_UNITS else None


def _german(word: str) -> int | None:
    for mark, worth in (("tausend", 1000), ("hundert", 100)):
        if mark in word:
            before, _, after = word.partition(mark)
            left = _german(before) if before else 1
            right = _german(after.removeprefix("und")) if after else 0
            return None if left is None or right is None else left * worth + right
    if pair := _DE_PAIR.fullmatch(word):
        return _DE_UNITS[pair[1]] + _DE_TENS_OF[pair[2]]
    return _DE_UNITS.get(word, _DE_TENS_OF.get(word))


def kanji_number(run: str) -> int | None:
    """The number of a run of Chinese or Japanese number signs up to 9999 (`十四` is 14)."""
    total, digit = 0, -1
    for sign in run:
        if sign in _KANJI:
            digit = 10 * max(digit, 0) + _KANJI[sign]
        elif sign in "十百千":
            total += max(digit, 1) * {"十": 10, "百": 100, "千": 1000}[sign]
            digit = -1
        else:
            return None
    return total + max(digit, 0)


_SPELLED = _listed(_EN) | _listed(_EN_TENS, 20, 10) | _listed(_DE.replace(" ein ", " eins "))
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}


def spelled(words: list[str]) -> list[str]:
    """Number words (English, and German to nineteen) as digits: `two hundred and five` as `205`."""
    found: list[str] = []
    at = 0
    while at < len(words):
        value, after = _number(words, at)
        if after > at:
            found.append(str(value))
            at = after
        else:
            found.append(words[at])
            at += 1
    return found


def _number(words: list[str], at: int) -> tuple[int, int]:
    """The value spelled from word `at` on and the place after it; the same place if none."""
    total = group = 0
    after = at
    last = 0
    while after < len(words):
        word = words[after]
        if word in _SPELLED:
            value = _SPELLED[word]
            # `one two` are two numbers; only tens take ones, and hundreds anything below.
            if after > at and not (
                last in _SCALES.values() or (20 <= last <= 90 and 0 < value < 10)
            ):
                break
            group += value
            last = value
        elif word in _SCALES and (after > at or _digits(words, at - 1) is None):
            scale = _SCALES[word]
            if after == at:
                break
            if scale == 100:
                group *= 100
            else:
                total, group = total + group * scale, 0
            last = scale
        elif (
            word == "and"
            and last in _SCALES.values()
            and after + 1 < len(words)
            and words[after + 1] in _SPELLED
        ):
            pass
        else:
            break
        after += 1
    return total + group, after


def _digits(words: list[str], at: int) -> str | None:
    return words[at] if 0 <= at < len(words) and words[at].isdigit() else None
