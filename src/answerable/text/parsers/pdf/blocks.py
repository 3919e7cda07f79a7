"""Lines to blocks: paragraphs, list items, code and tables of one page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from answerable.text.parsers.pdf.page import Item, Line, Table
from answerable.text.parsers.pdf.words import is_mark

_NUMBER = re.compile(r"(\(?(?:\d{1,3}|[A-Za-z]|[ivxlc]{1,6})[.)])\s+(?=\S)")
_DASH = re.compile(r"([-–—*])\s+(?=\S)")
_ENDED = re.compile(r"[.!?:;。！？؟…][\"'”’»)\]]*(?:\s?\d{1,3})?$")
_ENTRY = re.compile(r"… \S{1,12}$")
"""A line of a table of contents."""
_ROOM = 0.5
"""In sizes: how much more room than its width the next word must have had on the line before."""
_INDENT = 0.7
_LARGER = 1.08
_LOOSER = 1.25
_COMMON_STEP, _MONO_STEP = 1.2, 3.2


@dataclass(slots=True)
class Block:
    """Lines that belong together. `breaks` marks the lines after which a line feed stays."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    breaks: list[bool] = field(default_factory=list)
    marker: str = ""
    level: int = 0
    table: Table | None = None
    page: int = 0

    @property
    def size(self) -> float:
        return self.lines[0].size if self.lines else 0.0


def usual_steps(lines: Sequence[Line]) -> dict[float, float]:
    """For every size, the usual step between baselines of one column, in sizes."""
    seen: dict[float, Counter[float]] = {}
    for last, line in pairwise(lines):
        if (last.column, last.page, last.size) == (line.column, line.page, line.size):
            step = round((line.base - last.base) / line.size, 1)
            if 0.7 < step < 2.5:
                seen.setdefault(line.size, Counter())[step] += 1
    return {
        size: min(counts, key=lambda step: (-counts[step], step)) for size, counts in seen.items()
    }


def blocks(items: Iterable[Item], steps: dict[float, float]) -> list[Block]:
    """The blocks of one page in reading order."""
    out: list[Block] = []
    open_: Block | None = None
    for item in items:
        if isinstance(item, Table):
            out.append(Block("table", table=item))
            open_ = None
            continue
        mark = marker(item)
        if open_ is not None and not mark:
            link = _linked(open_, item, steps)
            if link is not None:
                open_.breaks.append(link)
                open_.lines.append(item)
                continue
        kind = "list_item" if mark else "code" if item.mono else "paragraph"
        open_ = Block(kind, [item], marker=mark, page=item.page)
        out.append(open_)
    return list(_settled(out))


def marker(line: Line) -> str:
    """The mark of a list item at the beginning of a line: `-`, or a number; '' without."""
    text = line.text
    if len(text) > 1 and is_mark(text[0]):
        return "-"
    found = _DASH.match(text)
    if found:
        return "-"
    found = _NUMBER.match(text)
    return found.group(1) if found else ""


def unmarked(text: str, mark: str) -> str:
    """The words of a list item without its mark."""
    return text[1 if mark == "-" else len(mark) :].lstrip()


def _linked(block: Block, line: Line, steps: dict[float, float]) -> bool | None:
    """Whether `line` goes on in `block` (True: after a line feed); None where it does not."""
    last = block.lines[-1]
    if max(last.size, line.size) > _LARGER * min(last.size, line.size):
        return None
    if last.mono != line.mono:
        return None
    ended = bool(_ENDED.search(last.text))
    if last.column != line.column or line.base <= last.base:
        full = last.right - last.end <= max(line.first + line.size, 0.12 * (last.right - last.left))
        goes_on = line.text[:1].islower() or last.text[-1:] in "-\u00ad"
        return False if full and goes_on and not ended and last.bold == line.bold else None
    if line.mono and line.base - last.base <= _MONO_STEP * line.size:
        return True
    usual = max(steps.get(line.size, _COMMON_STEP), 1.0)
    if line.base - last.base > _LOOSER * usual * line.size:
        return None
    if _ENTRY.search(last.text):
        return True
    room = last.right - last.end > line.first + _ROOM * line.size
    if (last.bold, last.italic) != (line.bold, line.italic) and (
        room or (block.kind == "list_item" and line.bold)
    ):
        return None
    if block.kind == "list_item":
        return _item_goes_on(block, line, room=room, ended=ended)
    indent = line.start - last.start
    if abs(indent) > _INDENT * line.size:
        first = block.lines[0]
        hanging = len(block.lines) > 1 and last.start - first.start > _INDENT * line.size
        if indent > 0 and (ended or len(block.lines) > 1):
            return None
        if indent < 0 and hanging and abs(line.start - first.start) < _INDENT * line.size:
            return None
    if not room or line.text[:1].islower():
        return False
    return None if ended else True


def _item_goes_on(block: Block, line: Line, *, room: bool, ended: bool) -> bool | None:
    first = block.lines[0]
    hangs = line.start >= first.start + 0.3 * line.size
    if hangs and abs(line.start - first.inner) <= 1.2 * line.size:
        return False
    if room or line.start < first.start - _INDENT * line.size:
        return None
    return False if not ended or line.text[:1].islower() else None


def _settled(found: list[Block]) -> Iterable[Block]:
    """Numbers that no list goes on from are words: `4. Results` alone, an initial, a year."""
    for at, block in enumerate(found):
        if block.kind == "list_item" and block.marker[-1:] in ".)" and block.marker != "-":
            near = [
                other
                for other in found[max(0, at - 3) : at + 4]
                if other is not block and other.kind in ("list_item", "paragraph") and other.marker
            ]
            if not any(_sequel(block.marker, other.marker) for other in near):
                block.kind = "paragraph"
        yield block


def _sequel(one: str, two: str) -> bool:
    a, b = one.strip("()."), two.strip("().")
    if a.isdigit() and b.isdigit():
        return 0 < abs(int(a) - int(b)) <= 3
    if len(a) == len(b) == 1:
        return 0 < abs(ord(a) - ord(b)) <= 3
    return a.isalpha() and b.isalpha() and a != b
