"""A collection's terms as numbers, computed once for any number of cuttings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.rank import sparse
from answerable.rank.analyze import Analyzer
from answerable.records.docs import Document, Span

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Lexemes:
    """The terms of all documents' texts and titles, one document after the other.

    `ids` int32 of the text terms, `starts` int64 the characters where they begin, counted through
    all texts; `bases` int64 (documents) where each text begins in that count. `lead_ids` int32 of
    the titles' terms, `lead_offsets` int64 (documents + 1).
    """

    vocabulary: sparse.Vocabulary
    ids: Array
    starts: Array
    bases: Array
    lead_ids: Array
    lead_offsets: Array


def spell(documents: Sequence[Document], analyzer: Analyzer) -> Lexemes:
    """Analyse every text and title in the document's language."""
    numbers: dict[str, int] = {}
    ids: list[Array] = []
    starts: list[Array] = []
    leads: list[Array] = []
    bases = np.zeros(len(documents), np.int64)
    base = 0
    for at, document in enumerate(documents):
        terms = analyzer.terms(document.text, document.language)
        ids.append(_numbered(terms.words, numbers))
        starts.append(terms.starts + base)
        leads.append(_numbered(analyzer.terms(document.title, document.language).words, numbers))
        bases[at] = base
        base += len(document.text)
    return Lexemes(
        sparse.Vocabulary.of(list(numbers)),
        _joined(ids, np.int32),
        _joined(starts, np.int64),
        bases,
        _joined(leads, np.int32),
        np.concatenate([[0], np.cumsum([len(lead) for lead in leads])]).astype(np.int64),
    )


def segment(lexemes: Lexemes, pieces: Sequence[Sequence[Span]]) -> sparse.SparseSegment:
    """The index of one cutting: `pieces[i]` are the spans of document i, its title before each."""
    owners = np.repeat(np.arange(len(pieces)), [len(spans) for spans in pieces])
    flat = [(span.start, span.end) for spans in pieces for span in spans]
    bounds = np.array(flat, dtype=np.int64).reshape(-1, 2) + lexemes.bases[owners, None]
    places = np.searchsorted(lexemes.starts, bounds)
    leads = np.stack([lexemes.lead_offsets[owners], lexemes.lead_offsets[owners + 1]], axis=1)
    return sparse.build_ids(lexemes.vocabulary, lexemes.ids, places, lexemes.lead_ids, leads)


def _numbered(words: Sequence[str], numbers: dict[str, int]) -> Array:
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32)


def _joined(arrays: Sequence[Array], kind: type[np.int32 | np.int64]) -> Array:
    return np.concatenate(arrays) if arrays else np.empty(0, kind)
