"""The language of a text: by its script or function words where they tell, else by py3langid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from answerable.rank.stopwords import stop_words

SAMPLE = 4000
"""Characters looked at: more changes nothing but the time."""
FEWEST = 40
"""Characters below which a guess is worth nothing."""

_PLAIN: Final = ("de", "en", "fr")
"""Languages told by function words alone: none of their neighbours shares so many of them."""
_RIVALS: Final = (*_PLAIN, "da", "es", "fi", "it", "nl", "no", "pt", "sv")
_LEAST, _SHARE, _LEAD = 4, 0.2, 2.5
"""Function words there must be, their share of all words of two letters and more, and how many
times those of the next language.

On XQuAD, SciFact, NFCorpus and the handbooks they decide two thirds of the German and most of the
English texts, always as the classifier does where it is sure.
"""

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3041-\u30ff]"), re.compile(r"[\u3041-\u30ff\u3005\u4e00-\u9fff]"), 0.2),
    ("ko", re.compile(r"[\uac00-\ud7af]"), re.compile(r"[\uac00-\ud7af]"), 0.9),
    ("zh", re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\u4e00-\u9fff]"), 0.9),
    ("th", re.compile(r"[\u0e00-\u0e7f]"), re.compile(r"[\u0e00-\u0e7f]"), 0.9),
    ("el", re.compile(r"[\u0370-\u03ff]"), re.compile(r"[\u0370-\u03ff]"), 0.9),
)
"""Language, its own letters, all it is written in, and the least share of the former."""
_WHOLE = 0.9
"""Share of all letters that must be of the script."""


def detect(text: str) -> str:
    """ISO 639-1 code of the language of `text`, '' when it is short or the guess is weak."""
    sample = " ".join(text[:SAMPLE].split())
    if len(sample) < FEWEST:
        return ""
    words = [word.casefold() for word in _WORD.findall(sample)]
    return by_script("".join(words)) or by_function_words(words) or _classified(sample)


def by_script(letters: str) -> str:
    """The language that alone is written in the script of most letters; '' when none is."""
    if letters.isascii():
        return ""
    for code, own, written, least in _SCRIPTS:
        count = len(own.findall(letters))
        if count >= least * len(letters) and len(written.findall(letters)) >= _WHOLE * len(letters):
            return code
    return ""


def by_function_words(words: Sequence[str]) -> str:
    """The language whose function words are frequent, and those of no other nearly so; else ''."""
    words = [word for word in words if len(word) > 1]
    counts = {code: sum(word in stop_words(code) for word in words) for code in _RIVALS}
    best, next_best = sorted(counts, key=lambda code: -counts[code])[:2]
    found = counts[best]
    enough = found >= _LEAST and found >= _SHARE * len(words)
    return best if best in _PLAIN and enough and found >= _LEAD * counts[next_best] else ""


@cache
def _identifier() -> Any:
    # here and not above: what it loads takes 100 MB, which most collections never need
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _classified(sample: str) -> str:
    code, probability = _identifier().classify(sample)
    return str(code) if probability >= 0.9 else ""
