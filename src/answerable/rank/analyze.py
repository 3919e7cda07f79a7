"""Text to search terms: one documented analysis for documents and for questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from answerable.rank.lexicon import Lexicon
from answerable.rank.scripts import asked, grams
from answerable.rank.tokens import is_identifier, is_unspaced, take_apart, token_pattern
from answerable.records.docs import Span


class Terms(NamedTuple):
    """The terms of a text; `starts` are the characters where they begin, non-decreasing."""

    words: tuple[str, ...]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Words to terms: NFKC and case folding, stop words, Snowball stems, parts of compounds.

    `language` is the ISO 639-1 code used where the caller names none (`auto` is English then).
    Compound words, identifiers, paths and versions give their whole form, never stemmed, and
    their parts, at one offset. Scripts without spaces give characters and pairs of them.
    Emoji and punctuation give nothing. `whole` (0..1) is what the whole form of a compound weighs
    in a question, where a part or a plain word weighs 1: whole forms are rare, so at full weight
    one of them outvotes the rest of the question. That of an `identifier` (a code, a function, a
    path) is what is asked for, and weighs so much.
    """

    language: str = "auto"
    stop: bool = True
    stem: bool = True
    whole: float = 0.1
    identifier: float = 1.0

    def terms(self, text: str, language: str = "") -> Terms:
        """The terms of a document text in its own language, in reading order."""
        lexicon = self._lexicon(language)
        # The pattern has one group, so splitting yields gap, token, gap, token, ..., gap.
        pieces = token_pattern(text).split(text)
        tokens = pieces[1::2]
        ends = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)))
        inside: list[tuple[int, tuple[int, ...]]] = []
        known: list[tuple[str, ...]] = []
        recall = lexicon.remembered.get
        for number, token in enumerate(tokens):
            terms = recall(token)
            if terms is None:
                if is_unspaced(token):
                    terms, offsets = grams(token)
                    inside.append((number, offsets))
                else:
                    terms = lexicon.learn(token)
            known.append(terms)
        counts = np.fromiter(map(len, known), dtype=np.int64, count=len(known))
        starts = np.repeat(ends[0:-1:2], counts)
        if inside:
            firsts = np.cumsum(counts) - counts
            for number, offsets in inside:
                first = firsts[number]
                starts[first : first + len(offsets)] += np.array(offsets, dtype=np.int64)
        return Terms(tuple(chain.from_iterable(known)), starts)

    def query(self, text: str, languages: Iterable[str] = ()) -> dict[str, float]:
        """The terms of a question with their weights, its stems in all `languages` together.

        A term that stands in the question twice weighs twice. Of a token, each language adds the
        stems that no language before it gave.
        """
        lexicons = [self._lexicon(language) for language in dict.fromkeys(languages) or ("",)]
        weights: dict[str, float] = {}
        for match in token_pattern(text).finditer(text):
            given: dict[str, float] = {}
            if is_unspaced(match[0]):
                given = dict.fromkeys(asked(match[0]), 1.0)
            else:
                token = take_apart(match[0])
                for lexicon in lexicons:
                    for part in token.parts:
                        if stem := lexicon.part(part):
                            given[stem] = 1.0
                # Where the parts say nothing (`and/or`, `to-do`) the whole form is all there is.
                exact = not given or is_identifier(match[0])
                alone = self.identifier if exact else self.whole
                for whole in token.wholes:
                    given.setdefault(whole, alone)
            for term, weight in given.items():
                weights[term] = weights.get(term, 0.0) + weight
        return weights

    def identifiers(self, text: str) -> tuple[str, ...]:
        """The whole forms of the identifiers of a question, as they stand in the index."""
        found: dict[str, None] = {}
        for match in token_pattern(text).finditer(text):
            if not is_unspaced(match[0]) and is_identifier(match[0]):
                token = take_apart(match[0])
                found.update(dict.fromkeys(token.wholes[:1] or token.parts[:1]))
        return tuple(found)

    def _lexicon(self, language: str) -> Lexicon:
        name = language or ("en" if self.language == "auto" else self.language)
        return _lexicons(name, self.stop, self.stem)


@lru_cache(maxsize=64)
def _lexicons(language: str, stop: bool, stem: bool) -> Lexicon:
    return Lexicon(language, stop, stem)


def group(terms: Terms, spans: Sequence[Span]) -> list[tuple[str, ...]]:
    """For each span, the terms that begin inside it, in order; spans may overlap."""
    bounds = np.array([(span.start, span.end) for span in spans], dtype=np.int64).reshape(-1, 2)
    first = np.searchsorted(terms.starts, bounds[:, 0], side="left")
    last = np.searchsorted(terms.starts, bounds[:, 1], side="left")
    words = terms.words
    return [words[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
