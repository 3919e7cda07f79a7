"""The numbers and bullets in front of paragraphs of Word documents (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from answerable.text.parsers.ooxml.parts import (
    Element,
    Office,
    child,
    children,
    number,
    path,
    value,
)

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_PLAIN = re.compile(r"%[1-9][.)]?")
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: first number, format, text with `%1` for numbers; restart after."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    legal: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """What stands in front of a paragraph: `text` ('' for a bullet); its `number` if only that."""

    text: str = ""
    number: int | None = None


@dataclass(slots=True)
class Numbers:
    """Counts the numbered paragraphs of a document, asked in their order."""

    lists: Mapping[str, Mapping[int, Level]] = field(default_factory=dict)
    roots: Mapping[str, str] = field(default_factory=dict)
    restarts: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)

    def next(self, id: str, level: int) -> Label | None:
        """The label of the next paragraph of a list; None if there is no such list or no mark."""
        levels = self.lists.get(id)
        if levels is None:
            return None
        counts = self._counts.setdefault(self.roots[id], {})
        if id not in self._begun:
            self._begun.add(id)
            for at, start in self.restarts.get(id, {}).items():
                counts[at] = start - 1
        shape = levels.get(level, Level())
        counts[level] = counts.get(level, shape.start - 1) + 1
        for deeper in [at for at in counts if at > level]:
            restart = levels.get(deeper, Level()).restart
            if restart is None or level < restart:
                del counts[deeper]
        if shape.format == "bullet":
            return Label()
        if shape.format == "none" or not shape.text.strip():
            return None
        text = _PLACE.sub(lambda found: _count(levels, counts, shape, found), shape.text).strip()
        plain = _PLAIN.fullmatch(shape.text.strip()) and shape.format == "decimal"
        return Label(text, counts[level] if plain else None)


def _count(
    levels: Mapping[int, Level], counts: Mapping[int, int], shape: Level, found: re.Match[str]
) -> str:
    at = int(found.group(1)) - 1
    inner = levels.get(at, Level())
    return written(counts.get(at, inner.start), "decimal" if shape.legal else inner.format)


def read_numbers(office: Office) -> Numbers:
    """The numbering part of a document."""
    root = office.tree(office.related(office.main, "numbering"))
    abstract: dict[str, dict[int, Level]] = {}
    linked: dict[str, str] = {}
    styled: dict[str, str] = {}
    for entry in children(root, "w:abstractNum"):
        id = value(entry, "abstractNumId")
        abstract[id] = {
            number(value(level, "ilvl")): _level(level) for level in children(entry, "w:lvl")
        }
        linked[id] = value(child(entry, "w:numStyleLink"), "val")
        styled[value(child(entry, "w:styleLink"), "val")] = id
    lists: dict[str, Mapping[int, Level]] = {}
    roots: dict[str, str] = {}
    restarts: dict[str, dict[int, int]] = {}
    for entry in children(root, "w:num"):
        id, base = value(entry, "numId"), value(child(entry, "w:abstractNumId"), "val")
        if linked.get(base) in styled and not abstract.get(base):
            base = styled[linked[base]]
        levels = dict(abstract.get(base, {}))
        for override in children(entry, "w:lvlOverride"):
            at = number(value(override, "ilvl"))
            own, start = child(override, "w:lvl"), child(override, "w:startOverride")
            if own is not None:
                levels[at] = _level(own)
            if start is not None:
                restarts.setdefault(id, {})[at] = number(value(start, "val"), 1)
        lists[id], roots[id] = levels, base
    return Numbers(lists, roots, restarts)


def _level(written: Element) -> Level:
    restart = child(written, "w:lvlRestart")
    return Level(
        number(value(child(written, "w:start"), "val"), 0),
        value(child(written, "w:numFmt"), "val") or "decimal",
        value(child(written, "w:lvlText"), "val"),
        number(value(restart, "val")) if restart is not None else None,
        path(written, "w:isLgl") is not None,
    )


def written(count: int, format: str) -> str:
    """A number in one of Word's formats; those that are not known here are written in digits."""
    if format == "decimalZero":
        return f"{count:02d}"
    if not 0 < count < _MOST:
        return str(count)
    if format in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letter if format == "lowerLetter" else letter.upper()
    if format in ("lowerRoman", "upperRoman"):
        text, rest = "", count
        for worth, sign in _ROMAN:
            text += sign * (rest // worth)
            rest %= worth
        return text if format == "lowerRoman" else text.upper()
    return str(count)
