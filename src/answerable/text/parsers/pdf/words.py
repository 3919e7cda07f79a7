"""Glyphs to words, words to rows and segments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from unicodedata import bidirectional, normalize

from answerable.text.parsers.pdf.page import Glyph, Row, Segment, Word

_BREAK, _BACK, _DRIFT = 0.3, 0.45, 0.12
"""In sizes: a gap that ends a word, an overlap that does, and a step off the baseline."""
_BLANK = 0.55
"""In sizes: a gap wider than any blank between words, except in badly stretched lines."""
_MARKED = 3.0
BULLETS = frozenset("•◦▪▫●○■□◆◇▸▹►▻‣⁃∙·✓✔❖➢➤➔→☐☑☒➣❑❒")
_ENUMERATES = re.compile(r"[-–—*o]|\(?\w{1,3}[.)]")
LEADERS = re.compile(r"(?:\s?[.·_]){5,}\s*")
"""Dots that lead the eye to a page number, or a line to write on."""
_LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_HYPHENS = "\x02\ufffe\uffff"
"""What pdfium puts for a hyphen at a line end."""
_DROPPED = dict.fromkeys(
    (*range(0x02), *range(0x03, 0x20), *range(0x7F, 0xA0), 0x200B, 0x2060, 0xFEFF)
)
_CLEAN = {**_DROPPED, **_LIGATURES, **dict.fromkeys(map(ord, _HYPHENS), "-")}


def words(glyphs: Iterable[Glyph]) -> list[Word]:
    """The words in the order of the stream; glyphs are all of one quarter turn."""
    out: list[Word] = []
    run: list[Glyph] = []
    near = far = 0.0
    rtl = spaced = False
    for glyph in glyphs:
        text, x0, x1, base, size, _, _ = glyph
        if not size or text.isspace() or text == "\xa0":
            if run:
                out.append(_word(run, near, far, rtl, spaced))
                run = []
            if out:
                out[-1].trailed = True
            spaced = True
            continue
        letter_rtl = text >= "\u0590" and bidirectional(text) in ("R", "AL", "NSM")
        if run:
            last = run[-1]
            if x0 == last.x1 and not x1 > x0:
                joined = True
            elif abs(base - last.base) > _DRIFT * size or not 0.8 < size / last.size < 1.25:
                joined = False
            elif x0 == last.x0 and x1 == last.x1:
                joined = True  # two characters of one ligature
            elif letter_rtl or rtl:
                joined = -_BACK * size <= near - x1 <= _BREAK * size
                joined = joined and (rtl or not any(g.text.isalnum() for g in run))
            else:
                joined = -_BACK * size <= x0 - far <= _BREAK * size
            if not joined:
                out.append(_word(run, near, far, rtl, spaced))
                run, spaced = [], False
        if not run:
            rtl = False
            near, far = x0, x1
        rtl = rtl or letter_rtl
        near, far = min(near, x0), max(far, x1)
        run.append(glyph)
    if run:
        out.append(_word(run, near, far, rtl, spaced))
    return [word for word in out if word.text]


def _word(run: list[Glyph], near: float, far: float, rtl: bool, spaced: bool) -> Word:
    first = run[0]
    if rtl:
        # pdfium turns the characters of one ligature round with the line.
        parts = [list(same) for _, same in groupby(run, attrgetter("x0", "x1"))]
        text = "".join(
            glyph.text for same in parts for glyph in (reversed(same) if _inked(same) else same)
        )
    else:
        text = "".join([glyph.text for glyph in run])
    clean = text.translate(_CLEAN)
    if not clean and len(text) == 1 and first.x1 > first.x0:
        clean = "•"  # a sign without a meaning of its own: in practice a bullet
    return Word(
        clean,
        near,
        far,
        first.base,
        first.size,
        first.style,
        spaced,
    )


def _inked(same: Sequence[Glyph]) -> bool:
    return len(same) > 1 and same[0].x1 > same[0].x0


def rows(found: Sequence[Word]) -> list[list[Word]]:
    """Words that stand side by side, from the top; each row from left to right."""
    out: list[list[Word]] = []
    leads: list[Word] = []
    for word in sorted(found, key=attrgetter("base", "x0")):
        at = len(out) - 1
        best = -1
        while at >= 0 and at > len(out) - 5:
            if _beside(leads[at], word):
                best = at
                break
            at -= 1
        if best < 0:
            out.append([word])
            leads.append(word)
        else:
            out[best].append(word)
            if word.size > leads[best].size:
                leads[best] = word
    return [_once(sorted(row, key=attrgetter("x0"))) for row in out]


def _once(row: list[Word]) -> list[Word]:
    """A row without words that are printed over themselves, as shadows are."""
    out: list[Word] = []
    for word in row:
        hidden = False
        for last in out[-2:]:
            shared = min(last.x1, word.x1) - max(last.x0, word.x0)
            if shared > 0.7 * (word.x1 - word.x0) and word.text in last.text:
                hidden = True
            elif shared > 0.7 * (last.x1 - last.x0) and last.text in word.text:
                out.remove(last)
        if not hidden:
            out.append(word)
    return out


def _beside(one: Word, two: Word) -> bool:
    small, large = sorted((one.size, two.size))
    if large > 2.1 * small:
        return abs(one.base - two.base) < 0.25 * small
    shared = min(one.bottom, two.bottom) - max(one.top, two.top)
    # Raised and lowered figures stand beside their line by a part of their height.
    return shared >= (0.15 if small < 0.8 * large else 0.5) * 0.95 * small


def segments(row: Sequence[Word]) -> Row:
    """A row divided where more than a blank stands between two words.

    The mark of a list item stays with its words.
    """
    out: Row = []
    for word in row:
        last = out[-1] if out else None
        if last:
            size = max(word.size, last.words[-1].size)
            lone = len(last.words) == 1 and (
                is_mark(last.words[0].text)
                or (len(out) == 1 and _ENUMERATES.fullmatch(last.words[0].text) is not None)
            )
            if word.x0 - last.x1 <= (_MARKED if lone else _BLANK) * size:
                last.words.append(word)
                last.x1 = max(last.x1, word.x1)
                last.top, last.bottom = min(last.top, word.top), max(last.bottom, word.bottom)
                continue
        out.append(Segment([word], word.x0, word.x1, word.top, word.bottom))
    return out


def is_mark(text: str) -> bool:
    """Whether a word can only be the mark of a list item."""
    return len(text) == 1 and (text in BULLETS or "\ue000" <= text <= "\uf8ff")


def body_size(found: Sequence[Word]) -> float:
    """The size of most characters, to a quarter point; 0 without words."""
    weights: dict[float, int] = {}
    for word in found:
        size = round(word.size * 4) / 4
        weights[size] = weights.get(size, 0) + len(word.text)
    return max(weights, key=lambda size: (weights[size], size)) if weights else 0.0
