"""Inline text of office files: runs as written made into runs as drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from answerable.text.canonical import Inlines, Run

_SPACE = re.compile(r"[ \t\r\f\v\u00a0]+")
_BREAK = re.compile(r" ?\n ?")
# Soft hyphens and zero-width spaces are hints for line ends; inside words they hide them.
_HINTS = str.maketrans("", "", "\u00ad\u200b\ufeff")
_DEAD = re.compile(r"\s*(?:javascript|data|vbscript|file)\s*:", re.IGNORECASE)


def tidy(written: Iterable[Run]) -> Inlines:
    """Runs joined where they lead to the same place, white space made one; line feeds are kept.

    Text without links comes back as a string, '' for no words.
    """
    joined: list[tuple[list[str], str | None]] = []
    for text, target in written:
        if joined and joined[-1][1] == target:
            joined[-1][0].append(text)
        elif text:
            joined.append(([text], target))
    found: list[Run] = []
    gap = ""
    for parts, target in joined:
        text = "".join(parts).translate(_HINTS)
        text = _BREAK.sub("\n", _SPACE.sub(" ", text))
        words = text.strip(" \n")
        if not words:
            gap = gap or text[:1]
            continue
        gap = gap or (text[0] if text[0] in " \n" else "")
        if gap and found:
            if target is None:
                words = gap + words
            elif found[-1].target is None:
                found[-1] = Run(found[-1].text + gap)
            else:
                found.append(Run(gap))
        found.append(Run(words, target))
        gap = text[-1] if text[-1] in " \n" else ""
    if all(run.target is None for run in found):
        return "".join(run.text for run in found)
    return found


def runs(content: Inlines) -> list[Run]:
    """Content as runs; none for no words."""
    if isinstance(content, str):
        return [Run(content)] if content else []
    return list(content)


def words_of(content: Inlines) -> str:
    """The words alone."""
    return content if isinstance(content, str) else "".join(run.text for run in content)


def flat(content: Inlines) -> Inlines:
    """Content on one line."""
    if isinstance(content, str):
        return content.replace("\n", " ")
    return [Run(run.text.replace("\n", " "), run.target) for run in content]


def spread(contents: Sequence[Inlines], between: str) -> list[Run]:
    """Contents one after another with words between those that have any."""
    found: list[Run] = []
    for content in contents:
        if words_of(content):
            found += [Run(between), *runs(content)] if found else runs(content)
    return found


def target_of(address: str) -> str | None:
    """Where a link leads, as it is stored: None for one that leads nowhere a reader can go."""
    address = "".join(address.split("\n")).strip()
    return None if not address or _DEAD.match(address) else address
