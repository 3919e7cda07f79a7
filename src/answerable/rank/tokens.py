"""Finding tokens in running text, and the parts of compound ones."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from answerable.rank.scripts import UNSPACED

# Combining marks (general categories Mn and Mc), which `\w` leaves out, and characters that are
# not seen: soft hyphen, joiners, byte order mark. They stay inside a word.
_MARKS = (
    r"\u00ad\u200c\u200d\u2060\ufeff\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2"
    r"\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    r"\u0711-\u074a\u07a6-\u07b0\u0816-\u082d\u0859-\u085b\u0898-\u0903\u093a-\u0963\u0981-\u09e3"
    r"\u0a01-\u0a03\u0a3c-\u0a51\u0a70-\u0a75\u0a81-\u0ae3\u0afa-\u0b63\u0b82\u0bbe-\u0bd7"
    r"\u0c00-\u0c63\u0c81-\u0c83\u0cbc-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca-\u0df3"
    r"\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f71-\u0f84\u0f86-\u0fbc\u180b-\u180d"
    r"\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u302a-\u302f\ufe00-\ufe0f\ufe20-\ufe2f"
)
_UNSEEN = str.maketrans("", "", "\u00ad\u200c\u200d\u2060\ufeff")

_JOINT = r"(?:::|://|->|[.,\-/\\@:=&'’‐‑+])"


def _joined(word: str) -> str:
    return rf"(?:(?<!\S)[#./](?=\w))?{word}(?:{_JOINT}{word})*(?:\+\+|\#)?"


# Wide classes take long to compile, and texts in most scripts never need them.
_PLAIN = re.compile("(" + _joined(r"\w+") + ")")
_RICH = re.compile(
    r"[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u1dff\u200c\u200d\u2060\u20d0-\u20ff"
    r"\u3000-\U0010ffff]"
)
"""All marks and all unspaced scripts, and some that are neither."""


@cache
def _full() -> re.Pattern[str]:
    word = rf"[^\W{UNSPACED}]+(?:[{_MARKS}]+[^\W{UNSPACED}]*)*"
    return re.compile(rf"([{UNSPACED}][{UNSPACED}{_MARKS}]*|{_joined(word)})")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]")


def token_pattern(text: str) -> re.Pattern[str]:
    """What finds the tokens of a text: a run of unspaced script, or words joined without space.

    The token is the one group of the pattern.
    """
    return _PLAIN if text.isascii() or not _RICH.search(text) else _full()


def is_unspaced(token: str) -> bool:
    """Whether a token is a run of unspaced script."""
    return not token.isascii() and _unspaced().match(token) is not None


_APOSTROPHES = str.maketrans("’ʼ＇", "'''")
_HYPHENS = str.maketrans("‐‑", "--")
# From the loosest joint to the tightest; what a looser one parts is whole for the next.
_SPLITS = tuple(re.compile(joint) for joint in (r"(?:->|[/\\@=&,+:#>])+", r"-+", r"\.+", r"_+"))
_CAMEL = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[a-z]{2})(?=[A-Z]{2})"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_VERSION = re.compile(r"v(\d+(?:\.\d+)+.*)", re.I)
_LONGEST = 120


class Token(NamedTuple):
    """A token taken apart, all of it folded: `wholes` are never stemmed, `parts` are words."""

    wholes: tuple[str, ...]
    parts: tuple[str, ...]


def fold(text: str) -> str:
    """NFKC and case folding, unseen characters left out (Unicode 3.13, D147; UAX 15)."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text.translate(_UNSEEN))
    # A capital dotted I folds to two characters; the dot would part it from the plain i.
    return unicodedata.normalize("NFKC", plain.casefold()).replace("i\u0307", "i")


def take_apart(token: str) -> Token:
    """A token as its whole forms and its parts.

    `half-life` is whole and gives `half`, `life`; `XMLHttpRequest` gives `xml`, `http`,
    `request`; `/etc/foo.conf` is whole, `foo.conf` in it too, and gives `etc`, `foo`, `conf`;
    `v2.1` gives `2.1`. A plain word, a number or a word with an apostrophe is one part only.
    """
    if not token.isascii():
        token = unicodedata.normalize("NFKC", token.translate(_UNSEEN))
        token = token.translate(_APOSTROPHES).translate(_HYPHENS)
    token = token[:_LONGEST]
    if token.isalpha() and (token[1:].islower() or token.isupper() or len(token) == 1):
        return Token((), (fold(token),))
    if _THOUSANDS.fullmatch(token):
        return Token((fold(token),), (token.replace(",", ""),))
    wholes: list[str] = []
    parts: list[str] = []
    _split(token, 0, wholes, parts)
    return Token(
        tuple(dict.fromkeys(map(fold, wholes))), tuple(dict.fromkeys(fold(part) for part in parts))
    )


def is_identifier(token: str) -> bool:
    """Whether a token names one thing exactly: a code, a function, a path, a channel, a version.

    It joins letters with a digit, an underscore, `::`, `->`, `@`, an inner capital or a point,
    or starts with `#`, `/` or a point, or has two hyphens. `and/or`, `half-life` and plain
    numbers do not.
    """
    if not any(char.isalpha() for char in token):
        return False
    if (
        token[0] in "#/."
        or token[-1] == "#"
        or any(mark in token for mark in ("_", "::", "->", "@", "++"))
    ):
        return True
    bare = token.strip("-.'")
    if any(char.isdigit() for char in bare) and not bare.isalpha():
        return True
    return bare.count("-") > 1 or "." in bare or bool(_CAMEL.search(bare) and not bare.isupper())


def _split(piece: str, level: int, wholes: list[str], parts: list[str]) -> None:
    """Put a compound under `wholes` and its words under `parts`."""
    if _NUMBER.fullmatch(piece):
        parts.append(piece)
        return
    if version := _VERSION.fullmatch(piece):
        wholes.append(piece)
        parts.append(version[1])
        return
    for deeper in range(level, len(_SPLITS)):
        pieces = [found for found in _SPLITS[deeper].split(piece) if found]
        if len(pieces) > 1 or pieces != [piece]:
            # Abbreviations (e.g, u.s.a) are words, not lists of letters.
            if deeper == 2 and all(len(found) == 1 for found in pieces):
                break
            wholes.append(piece)
            for found in pieces:
                _split(found, deeper + (len(pieces) > 1), wholes, parts)
            return
    humps = _CAMEL.split(piece)
    if len(humps) > 1 and all(len(hump) > 1 for hump in humps):
        wholes.append(piece)
        parts.extend(humps)
    else:
        parts.append(piece)
