"""Links of a PDF: where they lead, and the words that they lie over.

Imports nothing of pdfium: `pdf_glyphs.py` hands the links over.
"""

from __future__ import annotations

from collections.abc import Sequence

from answerable.text.canonical import Run
from answerable.text.parsers.pdf.page import Line, Link, Word


def put_links(words: Sequence[Word], links: Sequence[Link]) -> None:
    """Mark the words whose middle lies in the box of a link, given in the frame of the words."""
    for link in links:
        for word in words:
            if (
                link.x0 <= (word.x0 + word.x1) / 2 <= link.x1
                and link.top <= word.base - 0.3 * word.size <= link.bottom
            ):
                word.target = link.target


def linked(text: str, lines: Sequence[Line]) -> list[Run]:
    """Running text divided at its links; one that was not found again is words only."""
    out: list[Run] = []
    done = 0
    for words, target in (piece for line in lines for piece in line.links):
        at = text.find(words, done)
        if at < 0:
            continue
        if at > done:
            out.append(Run(text[done:at]))
        out.append(Run(words, target))
        done = at + len(words)
    if done < len(text) or not out:
        out.append(Run(text[done:]))
    return out
