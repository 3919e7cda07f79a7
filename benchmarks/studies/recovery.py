"""How much of a document's true text a reader recovered: words, their order, cells of tables.

Both sides are Markdown; the canonical text of a `Document` is. Marks, link targets, comments and
tags do not count. Words are compared in NFKC and case folding; Han, kana and Hangul by character,
because a line end inside a word cannot be told there. Greek letters are words of their own beside
Latin ones, and LaTeX commands inside `$` count as the sign they stand for or not at all: readers
write equations in several ways.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from unicodedata import name as character
from unicodedata import normalize

import regex

_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]|\p{Greek}+"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Greek}])[\p{L}\p{N}\p{M}])+"
)
_COMMENT = regex.compile(r"<!--.*?-->", regex.DOTALL)
_TAG = regex.compile(r"</?(?:br|u|b|i|em|strong|sub|sup|p|span|div)\b[^<>]*>", regex.IGNORECASE)
_LINK = regex.compile(
    r"!?\[((?:[^\[\]\\]|\\.)*)\]"
    r"\((?:[^()\s\\]|\\.|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)"
)
_EQUATION = regex.compile(r"\$[^$\n]+\$")
_COMMAND = regex.compile(r"\\([A-Za-z]+)")
_GREEK = {
    name.split()[-1].lower(): chr(code)
    for code in range(0x3B1, 0x3CA)
    if (name := character(chr(code))).startswith("GREEK SMALL LETTER")
}
_NAMED = {"cos", "sin", "tan", "log", "ln", "lim", "max", "min", "exp", "det", "argmax", "argmin"}
_PIPE = regex.compile(r"(?<!\\)\|")
_RULER = regex.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `true` things stand among the `found` ones, counted as multisets."""

    shared: int
    true: int
    found: int

    @property
    def recall(self) -> float | None:
        """Shared among the true, 0 to 1; None where there are none."""
        return self.shared / self.true if self.true else None

    @property
    def precision(self) -> float | None:
        """Shared among the found, 0 to 1; None where nothing was found."""
        return self.shared / self.found if self.found else None

    def __add__(self, other: "Share") -> "Share":
        return Share(self.shared + other.shared, self.true + other.true, self.found + other.found)


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was recovered of one document.

    `in_order` is the longest common subsequence of the words; `order` its share of the words that
    were recovered at all. `cells` are cells with words in them; `neighbours` are pairs of such
    cells next to each other in a row or column (as in the ICDAR 2013 table competition, Göbel et
    al.), which a table read with the wrong columns loses even where its cells are right.
    """

    words: Share
    in_order: int
    cells: Share
    neighbours: Share

    @property
    def order(self) -> float | None:
        """Recovered words that stand in the true order, 0 to 1; None where none is."""
        return self.in_order / self.words.shared if self.words.shared else None


def recover(truth: str, found: str) -> Recovery:
    """Compare the Markdown `found` with the Markdown `truth`."""
    true_words, found_words = words(truth), words(found)
    true_tables, found_tables = tables(truth), tables(found)
    return Recovery(
        _share(true_words, found_words),
        common_subsequence(true_words, found_words),
        _share(_cells(true_tables), _cells(found_tables)),
        _share(_neighbours(true_tables), _neighbours(found_tables)),
    )


def words(markdown: str) -> list[str]:
    """The words of a text in reading order, without marks."""
    return _WORD.findall(_bare(markdown))


def tables(markdown: str) -> list[list[Row]]:
    """The pipe tables of a text as rows of cells, each cell its words joined by blanks."""
    out: list[list[Row]] = []
    fenced = False
    lines = markdown.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        fenced ^= line.startswith(("```", "~~~"))
        below = lines[at + 1].strip() if at + 1 < len(lines) else ""
        if fenced or "|" not in line or "|" not in below or not _RULER.fullmatch(below):
            at += 1
            continue
        rows = [_row(line)]
        at += 2
        while at < len(lines) and "|" in lines[at]:
            rows.append(_row(lines[at].strip()))
            at += 1
        out.append(rows)
    return out


def common_subsequence(one: list[str], two: list[str]) -> int:
    """The length of the longest common subsequence (bit-parallel: Hyyrö, 2004)."""
    where: dict[str, int] = {}
    for at, word in enumerate(one):
        where[word] = where.get(word, 0) | 1 << at
    full = (1 << len(one)) - 1
    row = full
    for word in two:
        hit = row & where.get(word, 0)
        row = ((row + hit) | (row - hit)) & full
    return len(one) - row.bit_count()


def _bare(markdown: str) -> str:
    text = _EQUATION.sub(_plain, markdown)
    text = _TAG.sub(" ", _COMMENT.sub(" ", text))
    text = unescape(_LINK.sub(r"\1", text))
    return normalize("NFKC", text.replace("\u00ad", "")).casefold()


def _plain(equation: regex.Match[str]) -> str:
    return _COMMAND.sub(_sign, equation[0])


def _sign(command: regex.Match[str]) -> str:
    name = command[1]
    sign = _GREEK.get(name.lower(), name if name in _NAMED else "")
    return f" {sign} "


def _row(line: str) -> Row:
    parts = _PIPE.split(line)
    if line.startswith("|"):
        parts = parts[1:]
    if line.endswith("|") and len(parts) > 1:
        parts = parts[:-1]
    return tuple(" ".join(words(part)) for part in parts)


def _cells(found: list[list[Row]]) -> list[str]:
    return [cell for rows in found for row in rows for cell in row if cell]


def _neighbours(found: list[list[Row]]) -> list[tuple[str, str, str]]:
    out = []
    for rows in found:
        width = max(map(len, rows))
        columns = [[row[at] for row in rows if at < len(row)] for at in range(width)]
        for name, runs in (("row", rows), ("column", columns)):
            for run in runs:
                filled = [cell for cell in run if cell]
                out += [(name, left, right) for left, right in pairwise(filled)]
    return out


def _share(true: Sequence[Hashable], found: Sequence[Hashable]) -> Share:
    shared = (Counter(true) & Counter(found)).total()
    return Share(shared, len(true), len(found))
