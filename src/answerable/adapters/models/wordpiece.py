"""BERT's uncased WordPiece tokens of a text: ids, counts and character spans."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokie import Tokenizer

from answerable.adapters.models.once import once
from answerable.errors import ServiceError

Ints = NDArray[np.int64]

VOCABULARY = Path(__file__).parent / "data" / "tokenizer.json"
CLS, SEP, PAD, UNKNOWN = 101, 102, 0, 100

_SURROGATES = re.compile("[\ud800-\udfff]")
_UNSEEN, _DROPPED, _SPACE, _ALONE, _WORD = range(5)
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Characters:
    """By code point, filled as they are met: kind, and how many characters it becomes.

    The kinds and lengths follow BERT's basic tokenizer: control characters go, white space
    parts words, punctuation and CJK ideographs stand alone, letters lose accents and case.
    """

    def __init__(self) -> None:
        self.kind = np.zeros(0x110000, dtype=np.uint8)
        self.length = np.zeros(0x110000, dtype=np.uint8)
        self.learn(np.arange(0x180, dtype=np.int64))

    def learn(self, codes: Ints) -> None:
        for code in codes.tolist():
            self.kind[code], self.length[code] = _classify(code)

    def of(self, codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        kinds = self.kind[codes]
        if not kinds.all():
            self.learn(np.unique(codes[kinds == _UNSEEN]).astype(np.int64))
            kinds = self.kind[codes]
        return kinds, self.length[codes]


def _classify(code: int) -> tuple[int, int]:
    char = chr(code)
    if char in "\t\n\r" or (char.isspace() and unicodedata.category(char) != "Cc"):
        return _SPACE, 0
    if code in (0, 0xFFFD) or unicodedata.category(char).startswith("C"):
        return _DROPPED, 0
    if any(low <= code <= high for low, high in _CJK):
        return _ALONE, len(unicodedata.normalize("NFD", char))
    bare = "".join(c for c in unicodedata.normalize("NFD", char) if unicodedata.category(c) != "Mn")
    if not bare:
        return _DROPPED, 0
    punctuation = (char.isascii() and not char.isalnum()) or unicodedata.category(bare[0])[0] == "P"
    return (_ALONE if punctuation else _WORD), sum(len(c.lower()) for c in bare)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """By token id: `lengths` in characters without the `##` of a continuation, `begins` a word."""

    lengths: Ints
    begins: NDArray[np.bool_]
    characters: _Characters


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Tokens of one vocabulary; `spelling` is made at the first spans.

    Ids and counts come from `tokie`. Its offsets are wrong, so spans are computed here: every
    token that continues no word begins one, and within the characters that BERT's basic
    tokenizer keeps, tokens follow each other without gaps.
    """

    tokenizer: Tokenizer
    spelling: Callable[[], _Spelling]

    def count(self, text: str) -> int:
        """How many tokens `text` has, control tokens not included."""
        return sum(int(self.tokenizer.count_tokens(part)) for part in _parts(_plain(text)))

    def counts(self, texts: Sequence[str]) -> list[int]:
        """`count` of each text."""
        parts = [_parts(_plain(text)) for text in texts]
        found = self.tokenizer.count_tokens_batch([part for some in parts for part in some])
        ends = np.cumsum([len(some) for some in parts])
        return [int(sum(counts)) for counts in np.split(found, ends[:-1])] if texts else []

    def ids(self, texts: Sequence[str]) -> list[Ints]:
        """The token ids of each text, without control tokens."""
        if not texts:
            return []
        parts = [_parts(_plain(text)) for text in texts]
        flat, sizes = self.tokenizer.encode_batch_flat(  # type: ignore[attr-defined]
            [part for some in parts for part in some], add_special_tokens=False
        )
        last = np.cumsum([len(some) for some in parts]) - 1
        ends = np.cumsum(sizes.astype(np.int64))[last]
        return np.split(flat.astype(np.int64), ends[:-1])

    def spans(self, text: str) -> Ints:
        """(n, 2) half-open character spans of the tokens of `text`, in order.

        Tokens of one character (the parts of a Hangul syllable) share its span.
        """
        text = _plain(text)
        return self._located(text, self.ids([text])[0], 0)

    def _located(self, text: str, ids: Ints, base: int) -> Ints:
        if not len(ids):
            return np.zeros((0, 2), dtype=np.int64)
        spelling = self.spelling()
        source, words = self._kept(text)
        heads = np.flatnonzero(spelling.begins[ids])
        if len(heads) == len(words) - 1 and heads[0] == 0:
            sizes = spelling.lengths[ids].copy()
            unknown = np.flatnonzero(ids == UNKNOWN)
            sizes[unknown] = np.diff(words)[np.searchsorted(heads, unknown)]
            ends = np.cumsum(sizes)
            # words must end where their last token ends, or the two readings have parted
            if np.array_equal(ends[np.append(heads[1:], len(ids)) - 1], words[1:]):
                return np.stack((source[ends - sizes], source[ends - 1] + 1), axis=1) + base
        return self._apart(text, ids, base)

    def _kept(self, text: str) -> tuple[Ints, Ints]:
        """The source of each kept character, and where words begin among them (and the end)."""
        codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
        kinds, lengths = self.spelling().characters.of(codes)
        at = np.flatnonzero(kinds != _DROPPED)
        kinds = kinds[at]
        new = np.ones(len(at), dtype=bool)
        new[1:] = (kinds[1:] != _WORD) | (kinds[:-1] != _WORD)
        sizes = lengths[at].astype(np.int64)
        begins = np.cumsum(sizes) - sizes
        words = begins[new & (kinds != _SPACE)]
        return np.repeat(at, sizes), np.append(words, sizes.sum())

    def _apart(self, text: str, ids: Ints, base: int) -> Ints:
        """Word by word; a word read differently here and by the tokenizer is shared out evenly."""
        words = [found.span() for found in re.finditer(r"\S+", text)]
        if len(words) > 1 or (words and words[0] != (0, len(text))):
            parts = self.ids([text[start:end] for start, end in words])
            if np.array_equal(np.concatenate(parts), ids):
                return np.concatenate(
                    [
                        self._located(text[start:end], part, base + start)
                        for (start, end), part in zip(words, parts, strict=True)
                    ]
                )
        edges = np.arange(len(ids) + 1) * len(text) // len(ids) + base
        starts = np.minimum(edges[:-1], base + len(text) - 1)
        return np.stack((starts, np.maximum(edges[1:], starts + 1)), axis=1)


@once
def load(path: Path = VOCABULARY) -> WordPiece:
    """The tokenizer of a `tokenizer.json` of type WordPiece; ServiceError if it cannot be read.

    The form that `Tokenizer.save` wrote beside it (`.tkz`) is taken where there is one: it opens
    in a tenth of the time.
    """
    saved = path.with_suffix(".tkz")
    try:
        tokenizer = (
            Tokenizer.from_file(str(saved)) if saved.exists() else Tokenizer.from_json(str(path))
        )
    except Exception as fault:  # the tokenizer raises a bare Exception for every kind of damage
        raise ServiceError(
            f"no tokenizer at {path}: {fault}", "install Answerable again"
        ) from fault
    return WordPiece(tokenizer, once(lambda: _spelling(tokenizer)))


def _spelling(tokenizer: Tokenizer) -> _Spelling:
    names = sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])
    lengths = np.zeros(names[-1][1] + 1, dtype=np.int64)
    begins = np.ones(len(lengths), dtype=bool)
    for name, number in names:
        begins[number] = not (name.startswith("##") and len(name) > 2)
        lengths[number] = len(name) - (0 if begins[number] else 2)
    return _Spelling(lengths, begins, _Characters())


PART = 16_000
"""Characters that the tokenizer is given at once. It divides what has more than 64 KiB by itself,
and where no space is near, as in Chinese, between the bytes of one character."""

# No token reaches over white space, CJK punctuation or an ideograph.
_BORDER = re.compile(r"(?s).*[\s\u3001-\u3003\u3400-\u4dbf\u4e00-\u9fff]")


def _parts(text: str) -> list[str]:
    if len(text) <= PART or text.isascii():
        return [text]
    parts = []
    start = 0
    while start < len(text):
        border = _BORDER.match(text, start, start + PART)
        end = len(text) if start + PART >= len(text) else border.end() if border else start + PART
        parts.append(text[start:end])
        start = end
    return parts


def _plain(text: str) -> str:
    """`text` with lone surrogates, which no encoding carries, made characters that BERT drops."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)
