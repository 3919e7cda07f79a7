"""Headings by the outline that a PDF carries (its bookmarks), where the pages show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answerable.text.parsers.pdf.blocks import Block

_SHOWN = 0.5
"""The share of the outline that must be found on its pages for it to count."""
_MOST_LINES = 4


class Mark(NamedTuple):
    """An entry of the outline: its depth from 1, its words, its page from 1."""

    depth: int
    title: str
    page: int


def mark_outlined(pages: Sequence[Sequence[Block]], outline: Sequence[Mark]) -> None:
    """Give the blocks that the outline names its levels; other headings go under them.

    A heading before the first of them (the title) stays, and they go one deeper.
    """
    found: dict[int, int] = {}
    for mark in outline:
        wanted = _letters(mark.title)
        page = pages[mark.page - 1] if 0 < mark.page <= len(pages) else []
        for block in page:
            if wanted and id(block) not in found and _names(block, wanted):
                found[id(block)] = mark.depth
                break
    if not found or len(found) < _SHOWN * len(outline):
        return
    deeper = 0
    level = 0
    for block in (block for page in pages for block in page):
        if id(block) in found:
            level = min(6, found[id(block)] + deeper)
            block.kind, block.level = "heading", level
        elif block.kind == "heading":
            if not level:
                deeper = 1
            block.level = min(6, max(block.level, level + 1)) if level else 1


def _names(block: Block, wanted: str) -> bool:
    if block.kind not in ("heading", "paragraph", "list_item"):
        return False
    if len(block.lines) > _MOST_LINES:
        return False
    shown = _letters(" ".join(line.text for line in block.lines))
    return wanted in (shown, shown.lstrip("0123456789")) or (
        shown != "" and shown == wanted.lstrip("0123456789")
    )


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
