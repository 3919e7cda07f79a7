"""Which blocks are headings, and of which level: by size and weight beside the body text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from answerable.text.parsers.pdf.blocks import Block

_LARGER = 1.12
_LONGEST, _LONGEST_BOLD, _LONGEST_ITALIC, _MOST_LINES = 250, 120, 80, 4
_MOST_CLASSES = 4
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|listing|abb(?:ildung|\.)|tabelle|tableau|figura|tabla)\s*\d",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;,]$")
_ENTRY = re.compile(r"… \S{1,12}$")
"""A line of a table of contents."""
_ENDS = re.compile(r"[.;,:!?]$")


def mark_headings(found: Sequence[Block]) -> None:
    """Turn paragraphs that head others into headings of level 1 to 6.

    Larger than most of the document's text, or as large and bold, short, and not ended like a
    sentence. Levels follow size, then weight, then the depth of a number (`2.1`).
    """
    body, bold_body = _body(found)
    if not body:
        return
    heads = [
        block
        for before, block, after in zip([None, *found], found, [*found[1:], None], strict=False)
        if (_heads(block, body, bold_body) and not _listed(block, before, after))
        or _set_apart(block, after, body)
    ]
    classes = _classes(heads)
    keys = sorted({(classes[_look(block)], _depth(block)) for block in heads})
    for block in heads:
        block.kind = "heading"
        block.level = min(6, keys.index((classes[_look(block)], _depth(block))) + 1)


def _listed(block: Block, before: Block | None, after: Block | None) -> bool:
    """Whether a numbered block is one of several in a row."""
    near = [other for other in (before, after) if other is not None]
    return block.kind == "list_item" and any(other.kind == "list_item" for other in near)


def _set_apart(block: Block, after: Block | None, body: float) -> bool:
    """A short line in italics, over text that is not."""
    if block.kind != "paragraph" or len(block.lines) != 1 or after is None:
        return False
    line, text = block.lines[0], block.lines[0].text
    return (
        line.italic
        and not line.aside
        and after.kind == "paragraph"
        and not after.lines[0].italic
        and after.page == block.page
        and line.size >= 0.95 * body
        and 2 < len(text) <= _LONGEST_ITALIC
        and text[0].isupper()
        and not _ENDS.search(text)
        and not _CAPTION.match(text)
        and line.end < line.right - 0.2 * (line.right - line.left)
    )


def _classes(heads: Sequence[Block]) -> dict[tuple[float, bool], int]:
    """Ranks of sizes and weights; where there are many, the rarest are one with the next larger."""
    counts = Counter(_look(block) for block in heads)
    groups = [[look] for look in sorted(counts)]
    while len(groups) > _MOST_CLASSES:
        weights = [sum(counts[look] for look in group) for group in groups]
        rarest = min(range(len(groups)), key=lambda at: (weights[at], at))
        near = max(rarest, 1)
        groups[near - 1] += groups.pop(near)
    return {look: at for at, group in enumerate(groups) for look in group}


def _body(found: Sequence[Block]) -> tuple[float, bool]:
    weights: Counter[float] = Counter()
    bold = total = 0
    for block in found:
        for line in block.lines:
            weights[round(line.size * 2) / 2] += len(line.text)
            bold += len(line.text) * line.bold
            total += len(line.text)
    if not weights:
        return 0.0, False
    return max(weights, key=lambda size: (weights[size], size)), bold > total / 2


def _heads(block: Block, body: float, bold_body: bool) -> bool:
    numbered = block.kind == "list_item" and block.marker[:1].isalnum()
    if block.kind != "paragraph" and not numbered:
        return False
    if len(block.lines) > _MOST_LINES or block.lines[0].aside:
        return False
    text = " ".join(line.text for line in block.lines)
    letters = sum(char.isalpha() for char in text)
    if letters < 2 or _CAPTION.match(text) or _ENTRY.search(text):
        return False
    if block.size >= _LARGER * body and block.size >= body + 0.9:
        return len(text) <= _LONGEST and letters >= 0.3 * len(text.replace(" ", ""))
    bold = all(line.bold for line in block.lines) and not bold_body
    return (
        bold
        and block.size >= 0.95 * body
        and len(text) <= _LONGEST_BOLD
        and len(block.lines) <= 2
        and not _SENTENCE.search(text)
    )


def _look(block: Block) -> tuple[float, bool]:
    return -round(block.size * 2) / 2, not block.lines[0].bold


def _depth(block: Block) -> int:
    numbered = _NUMBERED.match(block.lines[0].text)
    return numbered.group(1).count(".") + 1 if numbered else 1
