"""Whether what a sentence claims stands in its quotes, by rule: figures, names, words, negation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from answerable.grounding.figures import Figure, figures
from answerable.grounding.function_words import CARRIERS, FUNCTION, NEGATIONS, PLEASANTRIES
from answerable.grounding.names import identifiers, stands_in
from answerable.language.sentences import sentences

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CJK = re.compile(r"[\u3400-\u9fff\u30a0-\u30ff\uf900-\ufaff]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_STEM = 4


def is_claim(text: str) -> bool:
    """Whether a sentence states something: not a question, a greeting or bare punctuation."""
    bare = text.strip()
    if not any(map(str.isalnum, bare)) or bare.rstrip("\"'”’»)").endswith(("?", "？")):
        return False
    return not PLEASANTRIES.fullmatch(bare.rstrip(" .!。！…"))


def against(claim: str, quotes: Sequence[str]) -> tuple[str, str]:
    """The verdict on one claim and the reason where it is not supported.

    Unsupported: a figure with another value or unit, an identifier or a negation that the quotes
    do not have. Not checked: words of the claim that stand in no quote, which rules cannot judge.
    """
    source = "\n".join(quotes)
    have = figures(source)
    for figure in figures(claim):
        if not _stands(figure, have):
            written = claim[figure.span.start : figure.span.end]
            return "unsupported", f"{written!r} is not in the cited text"
    for name in identifiers(claim):
        if not stands_in(name, source):
            return "unsupported", f"{name!r} is not in the cited text"
    if negated(claim) != negated(_closest(claim, quotes)):
        return (
            "unsupported",
            "it says the opposite of the cited text, or one of the two has a 'not'",
        )
    lost = sorted(_content(claim) - _content(source))
    lost = [word for word in lost if not _kin(word, source)]
    if lost:
        return "not_checked", f"{lost[0]!r} is not in the cited text; rules cannot judge it"
    return "supported", ""


def negated(text: str) -> bool:
    """Whether a text denies something, by the negation words of several languages."""
    return len(NEGATIONS.findall(text)) % 2 == 1


def _stands(figure: Figure, have: Sequence[Figure]) -> bool:
    for other in have:
        if not figure.readings & other.readings or {figure.kind, other.kind} == {"time", "number"}:
            continue
        if figure.unit == other.unit or not figure.unit or not other.unit:
            return True
    return False


def _closest(claim: str, quotes: Sequence[str]) -> str:
    """The sentence of the quotes that shares most words with the claim."""
    words = _content(claim)
    parts = [quote[s.start : s.end] for quote in quotes for s in sentences(quote)]
    return max(parts, key=lambda part: len(words & _content(part)), default="")


def _content(text: str) -> set[str]:
    """What a text is about: its words without function words, and its runs of ideographs."""
    plain = unicodedata.normalize("NFKC", text)
    number_words = {plain[f.span.start : f.span.end].casefold() for f in figures(plain)}
    gone = {word for phrase in number_words for word in phrase.split()}
    words = {
        word.casefold()
        for word in _WORD.findall(plain)
        if not _UNSPACED.search(word) and len(word) > 1
    }
    ideographs = set(_CJK.findall(plain))
    return {w for w in words if w not in FUNCTION | CARRIERS and w not in gone} | ideographs


def _kin(word: str, source: str) -> bool:
    """Whether a form of `word` stands in the source: the same beginning, endings apart."""
    folded = unicodedata.normalize("NFKC", source).casefold()
    if _CJK.fullmatch(word):
        return word in folded
    least = max(_STEM, len(word) - 3)
    stem = word[:least]
    return len(word) >= _STEM and any(
        other.startswith(stem) and abs(len(other) - len(word)) <= 3
        for other in _WORD.findall(folded)
    )
