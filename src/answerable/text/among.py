"""A quote looked for in many documents, each brought to its common forms once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from answerable.records.docs import Document
from answerable.text.anchor import Anchor, find
from answerable.text.fold import fold_marks, fold_quote, fold_words


class Among:
    """Documents by name; each is read, and if need be folded, when a quote is first looked for."""

    def __init__(self, names: Iterable[str], read: Callable[[str], Document]) -> None:
        self._names = tuple(names)
        self._read = read
        self._forms: dict[str, tuple[str, str]] = {}

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
        marks = fold_marks(fold_quote(wanted)).text.strip()
        words = fold_words(fold_quote(wanted)).text.strip()
        if not wanted:
            return
        for name in self._names:
            document = self._read(name)
            if wanted not in document.text:
                marked, worded = self._folded(name, document)
                if not (marks and marks in marked) and not (words and words in worded):
                    continue
            if (anchor := find(document, quote)).spans:
                yield name, anchor

    def _folded(self, name: str, document: Document) -> tuple[str, str]:
        if name not in self._forms:
            text = document.text
            self._forms[name] = (fold_marks(text).text, fold_words(text).text)
        return self._forms[name]
