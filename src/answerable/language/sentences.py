"""Where sentences begin and end, in prose, lists, tables and code of canonical text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerable.language.abbreviations import (
    ALWAYS,
    BEFORE_NUMBER,
    BEFORE_ORDINAL,
    MONTHS,
    STARTERS,
    UNLESS_STARTER,
)
from answerable.records.docs import Span

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_RULER = re.compile(r"\s*\|(\s*:?-+:?\s*\|)+\s*")
_ALONE = re.compile(r"\s*(?:#{1,6}\s|\|.*\|\s*$)")
_ITEM = re.compile(r"\s*(?:>\s+)*(?:[-*+•‣–]|\d{1,9}[.)])\s+")
_MARKER = re.compile(r"(?:>\s*)*(?:(?:[-*+•‣–]|\d{1,9}[.)])\s+)?")
_FENCE_LINE = re.compile(r"(?:`{3,}|~{3,})[^\n]*")
_LAST_LINE = re.compile(r"(?:^|\n)\s*(?:[`]{3,}|~{3,}|\|(?:\s*:?-+:?\s*\|)+)\s*\Z")

_TICKS, _BARS, _MARKS = tuple("`~"), tuple("#|"), tuple("-*+•‣–>")

_CLOSERS = "\"'”’»›)\\]}*_`"
_STOP = re.compile(
    rf"(?P<wide>[。！？｡]+[」』）】〉》”’]*)"
    # A run is looked at once, whole, from its first mark: a line of dots is not quadratic.
    rf"|(?<![.!?…؟۔।])(?P<stop>[.!?…؟۔।]++)[{_CLOSERS}]*(?:[ ]?\[\d+(?:\s*,\s*\d+)*\])*(?=\s)"
)
_BREAK = re.compile(r"[\n.!?…؟۔।。！？｡]")
_OUTSIDE = re.compile(r"[^\w.'’\-]|_")
_NEXT = re.compile(r"\s*[\"'“‘„«‹(\[*_`¿¡]*(?:(?P<word>[^\W\d_]+)|(?P<number>\d))?")


def sentence_spans(
    text: str, start: int = 0, end: int | None = None, language: str = ""
) -> tuple[Span, ...]:
    """The sentences of `text[start:end]`, in order, as spans of `text` without outer space.

    They share no character and hold every non-space character. A heading, a table row (the header
    with its ruler line), a line of fenced code and each list item begin a sentence of their own.
    `language` (ISO 639-1) only sharpens German ordinals; abbreviations are of several languages.
    """
    stop = len(text) if end is None else end
    return tuple(span for span, _ in _parts(text, start, stop, language))


def sentences(text: str) -> tuple[Span, ...]:
    """As `sentence_spans`, without what only marks: list markers, ruler lines and code fences."""
    found: list[Span] = []
    for span, first in _parts(text, 0, len(text), ""):
        left, right = span.start, span.end
        if first and (marker := _MARKER.match(text, left, right)):
            left = marker.end()
        elif fence := _FENCE_LINE.match(text, left, right):
            left = fence.end()
        if ends := _LAST_LINE.search(text, left, right):
            right = ends.start()
        left, right = _trim(text, left, right)
        if left < right:
            found.append(Span(left, right))
    return tuple(found)


def _parts(text: str, start: int, stop: int, language: str) -> Iterator[tuple[Span, bool]]:
    """The sentences, each with whether it begins a run of prose."""
    if not _BREAK.search(text, start, stop):
        left, right = _trim(text, start, stop)
        if left < right:
            yield Span(left, right), True
        return
    for begin, finish, prose in _stretches(text, start, stop):
        cuts = _ends(text, begin, finish, language) if prose else iter(())
        first = prose
        for cut in [*cuts, finish]:
            left, right = _trim(text, begin, cut)
            if left < right:
                yield Span(left, right), first
                first = False
            begin = cut


def _stretches(text: str, start: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Runs of lines as (start, end, is prose); only prose is split further."""
    prose = -1  # where the open run of prose began
    fence = ""
    held = -1  # start of a fence line that waits for the code beside it
    last: tuple[int, int] | None = None  # a row or code line that the next line may belong to
    here = start
    while here < stop:
        cut = text.find("\n", here, stop)
        after = stop if cut < 0 else cut + 1
        line = text[here:after]
        head = line.lstrip()[:1]
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                begin = last[0] if last else (held if held >= 0 else here)
                yield begin, after, False
                fence, held, last = "", -1, None
            elif head:
                if last:
                    yield *last, False
                last, held = (held if held >= 0 else here, after), -1
        elif head in _TICKS and (opening := _FENCE.match(line)):
            for done in _open(last, prose, here):
                yield done
            fence, held, last, prose = opening[1], here, None, -1
        elif last and head == "|" and _RULER.fullmatch(line):
            yield last[0], after, False
            last = None
        elif not head or (alone := head in _BARS and _ALONE.match(line)) or _item(head, line):
            for done in _open(last, prose, here):
                yield done
            last = (here, after) if head and alone else None
            prose = here if head and not alone else -1
        else:
            if last:
                yield *last, False
                last = None
            prose = here if prose < 0 else prose
        here = after
    for done in _open(last, prose if not fence else held, stop):
        yield done


def _item(head: str, line: str) -> bool:
    return (head in _MARKS or head.isdecimal()) and _ITEM.match(line) is not None


def _open(last: tuple[int, int] | None, prose: int, here: int) -> Iterator[tuple[int, int, bool]]:
    if last:
        yield *last, False
    if prose >= 0:
        yield prose, here, True


def _ends(text: str, start: int, stop: int, language: str) -> Iterator[int]:
    """Offsets inside one run of prose after which a new sentence begins."""
    marker = _ITEM.match(text, start, stop)
    first = marker.end() if marker else start
    for found in _STOP.finditer(text, first, stop):
        if found["wide"] or _is_end(text, first, found, stop, language):
            yield found.end()


def _is_end(text: str, start: int, found: re.Match[str], stop: int, language: str) -> bool:
    ahead = _NEXT.match(text, found.end(), stop)
    after = (ahead["word"] if ahead else None) or ""
    number = bool(ahead and ahead["number"])
    if after[:1].islower():
        return False
    if found["stop"] != ".":
        return True
    at = found.start("stop")
    near = text[max(start, at - 40) : at]
    whole = _OUTSIDE.split(near)[-1].lstrip(".-'’")
    if not whole or not whole[-1].isalnum():
        return True
    word = whole.rsplit("-", 1)[-1]
    low = word.lower()
    if word.isdecimal():
        ordinal = len(word) <= 2 and not number
        german = language == "de" and after.lower() not in STARTERS
        if not ordinal or not after:
            return True
        earlier = near[: len(near) - len(whole)].split()[-1:]
        named = bool(earlier) and earlier[0].lower() in BEFORE_ORDINAL
        return not (german or named or after.lower() in MONTHS)
    if len(word) == 1:
        starts = word.isupper() and len(after) > 1 and after.lower() in STARTERS
        return word == "I" or starts or not (after or number)
    if low in ALWAYS:
        return False
    if number and (low in BEFORE_NUMBER or low.endswith("str")):
        return False
    # Inner points mark an abbreviation (U.S., a.m., Ph.D.) only when its parts are short.
    dotted = "." in word and all(len(part) <= 2 and part.isalpha() for part in word.split("."))
    if dotted or low in UNLESS_STARTER:
        return not (after or number) or after.lower() in STARTERS
    return True


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
