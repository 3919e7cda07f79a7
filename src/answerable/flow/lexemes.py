"""A collection's terms as numbers, computed once for any number of cuttings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.rank import sparse
from answerable.rank.analyze import Terms
from answerable.records.docs import Document

Array = NDArray[Any]

Analyze = Callable[[str, str], Terms]
"""The terms of a text in a language."""


class Lexemes:
    """The terms of all documents' texts, each analysed once; leads are analysed as they come.

    A cutting only groups them: a piece has the terms that begin inside it, in the document's
    language, and a lead, equal ones in one language analysed once, has all of its own.
    """

    def __init__(self, documents: Sequence[Document], analyze: Analyze) -> None:
        self._analyze = analyze
        self._languages = [document.language for document in documents]
        self._numbers: dict[str, int] = {}
        self._vocabulary = sparse.Vocabulary.of([])
        ids: list[Array] = []
        starts: list[Array] = []
        bases = np.zeros(len(documents), np.int64)
        base = 0
        for at, document in enumerate(documents):
            terms = analyze(document.text, document.language)
            ids.append(self._numbered(terms.words))
            starts.append(terms.starts + base)
            bases[at] = base
            # One more than its characters, so that a span that ends a text begins no other.
            base += len(document.text) + 1
        self._ids = _joined(ids, np.int32)
        self._starts = _joined(starts, np.int64)
        self._bases = bases
        self._leads: dict[tuple[str, str], int] = {}
        self._lead_ids: list[Array] = []

    def segment(self, owners: Array, spans: Array, leads: Sequence[str]) -> sparse.SparseSegment:
        """The index of one cutting, its chunks in the order given.

        `owners` (n,) are numbers of documents, `spans` (n, 2) characters of their texts, `leads`
        one for each chunk.
        """
        languages = self._languages
        numbers = np.array(
            [
                self._lead(lead, languages[owner])
                for owner, lead in zip(owners.tolist(), leads, strict=True)
            ],
            dtype=np.int64,
        )
        sizes = np.cumsum([0, *map(len, self._lead_ids)])
        lead_spans = np.stack([sizes[numbers], sizes[numbers + 1]], axis=1)
        places = np.searchsorted(self._starts, spans + self._bases[owners, None])
        if len(self._vocabulary.ranks) != len(self._numbers):
            self._vocabulary = sparse.Vocabulary.of(list(self._numbers))
        return sparse.build_ids(
            self._vocabulary, self._ids, places, _joined(self._lead_ids, np.int32), lead_spans
        )

    def _lead(self, lead: str, language: str) -> int:
        key = (language, lead)
        number = self._leads.get(key)
        if number is None:
            number = self._leads[key] = len(self._leads)
            self._lead_ids.append(self._numbered(self._analyze(lead, language).words))
        return number

    def _numbered(self, words: Sequence[str]) -> Array:
        numbers = self._numbers
        return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32)


def _joined(arrays: Sequence[Array], kind: type[np.int32 | np.int64]) -> Array:
    return np.concatenate(arrays) if arrays else np.empty(0, kind)
