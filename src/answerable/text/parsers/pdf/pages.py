"""Sentences that go on over a page end stand whole on the page where they begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answerable.text.parsers.pdf.blocks import Block

_ENDED = re.compile(r"[.!?:;。！？؟][\"'”’»)\]]*(?:\s?\d{1,3})?$")
_STOP = re.compile(r"[.!?。！？؟][\"'”’»)\]]*(?=\s)")


def over_pages(pages: Sequence[list[Block]]) -> None:
    """Move the end of a sentence to the page where it begins; all of it, never a line's half.

    The first paragraph of a page goes on from the last of the page before if both are of one size,
    the earlier has no end, and the later begins in lower case or inside a word.
    """
    before: Block | None = None
    for page in pages:
        first = next((b for b in page if b.kind != "table"), None)
        if before is not None and first is not None and _goes_on(before, first):
            _move(before, first, page)
        last = [b for b in page if b.kind in ("paragraph", "list_item")]
        largest = max((b.size for b in last), default=0.0)
        # Footnotes stand under the text that goes on.
        before = next((b for b in reversed(last) if b.size >= 0.95 * largest), None)


def _goes_on(before: Block, first: Block) -> bool:
    if first.kind != "paragraph" or abs(first.size - before.size) > 0.05 * before.size:
        return False
    end, begin = before.lines[-1].text, first.lines[0].text
    return not _ENDED.search(end) and (begin[:1].islower() or end[-1:] in "-\u00ad")


def _move(before: Block, first: Block, page: list[Block]) -> None:
    for at, line in enumerate(first.lines):
        stop = _STOP.search(line.text + " ")
        if not stop:
            continue
        head, rest = line.text[: stop.end()], line.text[stop.end() :].lstrip()
        before.breaks += [False, *first.breaks[:at]]
        before.lines += [*first.lines[:at], replace(line, text=head)]
        first.lines = [*([replace(line, text=rest)] if rest else []), *first.lines[at + 1 :]]
        first.breaks = first.breaks[at + (0 if rest else 1) :]
        break
    else:
        before.breaks += [False, *first.breaks]
        before.lines += first.lines
        first.lines = []
    if not first.lines:
        page.remove(first)
