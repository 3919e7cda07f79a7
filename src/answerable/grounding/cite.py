"""Citation marks in a model's answer, and the answer that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answerable.language.sentences import sentences
from answerable.records.answers import Answer, Citation, Sentence
from answerable.records.docs import Span

_CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)(?!`).+?(?<!`)\2(?!`)", re.S)
_NUMBERS = r"\s*\d{1,4}(?:\s*[,，、;；–—-]\s*\d{1,4})*\s*"
# Behind a Latin letter, digit or closing bracket it is code (`arr[1]`), unless the sentence ends
# there (`red[1].`); before a bracket or colon it is the words of a link.
_MARK = re.compile(
    rf"(?:(?<![A-Za-z0-9_)\\!])|(?<=[a-z])(?=\[{_NUMBERS}\][.!?](?:\s|$)))"
    rf"\[({_NUMBERS})\](?![(:])|［({_NUMBERS})］|【({_NUMBERS})】"
)
_RANGE = re.compile(r"(\d+)\s*[–—-]\s*(\d+)")
_LARGEST_RANGE = 50


@dataclass(frozen=True, slots=True)
class Marks:
    """The source numbers cited in a text, ascending, and the marks' places.

    `unknown` are numbers that no given source has.
    """

    cited: tuple[int, ...]
    unknown: tuple[int, ...]
    spans: tuple[Span, ...]


def marks(text: str, sources: int) -> Marks:
    """The citation marks of `text` where sources 1 to `sources` were given.

    `[1]`, `[1, 3]`, `[1-3]`, `［1］` and `【1】` are marks; inside code, behind a word (`arr[1]`)
    or as the words of a link they are not.
    """
    plain = _CODE.sub(lambda match: " " * len(match[0]), text)
    cited: set[int] = set()
    unknown: set[int] = set()
    spans: list[Span] = []
    for match in _MARK.finditer(plain):
        spans.append(Span(match.start(), match.end()))
        for number in _numbers(match[1] or match[2] or match[3]):
            (cited if 1 <= number <= sources else unknown).add(number)
    return Marks(tuple(sorted(cited)), tuple(sorted(unknown)), tuple(spans))


def without_marks(text: str) -> str:
    """The text without its citation marks, spaces before them taken too."""
    parts: list[str] = []
    position = 0
    for span in marks(text, 0).spans:
        parts.append(text[position : span.start].rstrip(" "))
        position = span.end
    return "".join([*parts, text[position:]])


def cited(text: str, sources: Sequence[Citation]) -> Answer:
    """A model's text as an answer: each sentence with the sources that its marks name.

    An unknown number opens no source: its sentence is left without citations, so that the check
    withholds it.
    """
    found: list[Sentence] = []
    for span in sentences(text):
        part = text[span.start : span.end]
        named = marks(part, len(sources))
        citations = () if named.unknown else tuple(sources[n - 1] for n in named.cited)
        found.append(Sentence(span, part, citations))
    return Answer(text=text, value=None, sentences=tuple(found), refused=False)


def _numbers(inside: str) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"[,，、;；]", inside):
        span = _RANGE.fullmatch(part.strip())
        if span is None:
            numbers.append(int(part))
            continue
        first, last = int(span[1]), int(span[2])
        inner = range(first, last + 1)
        numbers.extend(inner if 0 < len(inner) <= _LARGEST_RANGE else (first, last))
    return numbers
