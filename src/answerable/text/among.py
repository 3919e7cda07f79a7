"""A quote looked for in many documents, each brought to its common forms once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from answerable.records.docs import Document
from answerable.text.anchor import Anchor, find
from answerable.text.fold import fold_marks, fold_quote, fold_words
from answerable.text.grams import Sieve


class Among:
    """Documents by name; all are read and folded when a quote is first looked for."""

    def __init__(self, names: Iterable[str], read: Callable[[str], Document]) -> None:
        self._names = tuple(names)
        self._read = read

    def exact(self, quote: str) -> Iterator[tuple[str, Anchor]]:
        """Where the quote stands character for character, in the order of the names."""
        wanted = quote.strip()
        for name in self._names:
            document = self._read(name)
            if wanted and wanted in document.text:
                yield name, find(document, quote)

    def find(self, quote: str) -> Iterator[tuple[str, Anchor]]:
        """Where `anchor.find` has a place of the quote, in the order of the names."""
        wanted = quote.strip()
        if not wanted:
            return
        for number in np.flatnonzero(self._may(wanted)).tolist():
            name = self._names[number]
            if (anchor := find(self._read(name), quote)).spans:
                yield name, anchor

    def _may(self, wanted: str) -> NDArray[np.bool_]:
        """Which documents may hold it as it is, without its marks, or by its words."""
        marked, worded = self._sieves
        bare = fold_quote(wanted)
        as_it_is = fold_words(wanted).text.strip()
        may = worded.may(as_it_is)
        for sieve, form in ((marked, fold_marks(bare)), (worded, fold_words(bare))):
            if words := form.text.strip():
                may |= sieve.may(words)
        return may

    @cached_property
    def _sieves(self) -> tuple[Sieve, Sieve]:
        texts = [self._read(name).text for name in self._names]
        marked = Sieve(fold_marks(text).text for text in texts)
        return marked, Sieve(fold_words(text).text for text in texts)
