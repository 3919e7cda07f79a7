"""The one packing walk: as many whole atoms into each piece as fit, smaller ones if need be."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Literal

from answerable.records.docs import Span
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom
from answerable.text.cutters.frame import Frame
from answerable.text.cutters.window import word_start

Repeat = Literal["sentences", "words", "either"]
"""What an overlap is made of: whole sentences (rows, lines), whole words, or words of prose where
no sentence is short enough."""

_TORN = {"table": "row split", "code": "line split"}


def pack(frame: Frame, atoms: Iterable[Atom], repeat: Repeat = "either") -> Iterator[Piece]:
    """Pieces over `atoms` (in order, apart), each as long as the frame's limit lets it be.

    A whole atom that fits no piece is divided into its rows, lines or sentences, one of those at
    word ends, a word between characters. Every piece holds text that no piece before held, so
    the walk ends.
    """
    todo = list(atoms)
    ends = [atom.end for atom in todo]
    index, torn = 0, -1
    start = todo[0].start if todo else 0
    while index < len(todo):
        fresh = todo[index].start
        own = frame.own_lead(start, todo[index].end)
        after = _last_fitting(frame, todo, ends, index, start, own)
        if after == index and start < fresh and not _moves_on(frame, todo[index], start, own):
            start = fresh
            continue
        body = after
        while body > index and todo[body - 1].glue:
            body -= 1
        if body == index and after < len(todo):
            # Nothing, or only headings, fit: the next atom gives way, unless it fits alone.
            following = todo[after]
            parts = frame.layout.fine(following)
            if len(parts) > 1:
                todo[after : after + 1] = parts
                ends[after : after + 1] = [part.end for part in parts]
                continue
            alone = after > index and following.end <= frame.reach(following.start)
            while frame.text[start].isspace():  # indentation is no text to fill a piece with
                start += 1
            cut = frame.window(start, following.end, own)
            if not alone and cut > following.start:
                yield Piece(Span(start, cut), own, _why(frame, start, cut, own, following, torn))
                index = after + 1
                if cut < following.end:
                    torn = cut
                    while frame.text[torn].isspace():
                        torn += 1
                    todo[after] = Atom(torn, following.end, following.block)
                    index = after
                start = _next_start(frame, todo, index, start, cut, repeat)
                continue
        if body == index or after == len(todo):
            body = after
        end = todo[body - 1].end
        over = _TORN.get(frame.layout.kind(todo[index]), "") if fresh == torn else ""
        yield Piece(Span(start, end), own, over)
        index = body
        start = _next_start(frame, todo, index, start, end, repeat)


def _last_fitting(
    frame: Frame, todo: list[Atom], ends: list[int], index: int, start: int, own: str
) -> int:
    """The index after the last atom that fits a piece at `start`, counted exactly."""
    after = bisect_right(ends, frame.reach(start, own), index)
    while after > index and not frame.fits(start, todo[after - 1].end, own):
        after -= 1
    return after


def _why(frame: Frame, start: int, cut: int, own: str, atom: Atom, torn: int) -> str:
    """What is not as it should be with a piece that was cut inside an atom."""
    count = frame.count(start, cut, own)
    if count > frame.size:
        return f"{count} {frame.measure.ruler.unit}: its lead leaves no room"
    return _TORN.get(frame.layout.kind(atom), "") if cut < atom.end or atom.start == torn else ""


def _next_start(
    frame: Frame, todo: list[Atom], index: int, before: int, end: int, repeat: Repeat
) -> int:
    """Where the next piece starts: as far back as the overlap and the next atom allow."""
    if index >= len(todo):
        return end
    following = todo[index]
    if not frame.overlap:
        return following.start
    divided = not following.whole and (
        repeat == "words" or following.end > frame.reach(following.start)
    )
    earliest = max(frame.measure.back(end, frame.overlap), before + 1)
    for start in _starts(frame, earliest, end, repeat):
        own = frame.own_lead(start, following.end)
        if following.end <= frame.reach(start, own):
            return start
        if divided and _moves_on(frame, following, start, own):
            return start
    return following.start


def _moves_on(frame: Frame, atom: Atom, start: int, own: str) -> bool:
    """Whether a window from `start`, before a divided atom, reaches into that atom."""
    return not atom.whole and frame.window(start, atom.end, own) > atom.start


def _starts(frame: Frame, earliest: int, end: int, repeat: Repeat) -> Iterator[int]:
    """Offsets in [earliest, end) where an overlap may begin, in order."""
    layout = frame.layout
    last = layout.atoms[layout.at(end - 1)]
    if repeat != "words":
        found = [
            part.start
            for atom in layout.atoms[layout.at(earliest) : layout.at(end - 1) + 1]
            for part in layout.fine(atom)
            if earliest <= part.start < end
        ]
        yield from found
        if found or repeat == "sentences" or layout.kind(last) in _TORN:
            return
    start = word_start(frame.text, earliest, end)
    if start < end:
        yield start
