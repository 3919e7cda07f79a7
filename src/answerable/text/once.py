"""What is worked out of a document once, while it is cut again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Final, Generic, TypeVar

from answerable.records.docs import Document

T = TypeVar("T")

CHARACTERS: Final = 16_000_000
"""Text of the documents remembered; with what is made of it some 100 MB."""


class Once(Generic[T]):
    """A function of a document that remembers its last results, `CHARACTERS` of text together.

    Used as a decorator. Documents are known by identity: hashing their whole value would cost too
    much.
    """

    def __init__(self, make: Callable[[Document], T]) -> None:
        self._make = make
        self._kept: dict[int, tuple[Document, T]] = {}
        self._held = 0
        self._guard = Lock()
        update_wrapper(self, make)

    def __call__(self, document: Document) -> T:
        """The result for `document`."""
        known = self._kept.get(id(document))
        if known is not None:
            return known[1]
        made = self._make(document)
        with self._guard:
            if id(document) not in self._kept:
                self._held += len(document.text)
                self._kept[id(document)] = (document, made)
                while self._held > CHARACTERS and len(self._kept) > 1:
                    oldest, _ = self._kept.pop(next(iter(self._kept)))
                    self._held -= len(oldest.text)
        return made

    def forget(self) -> None:
        """Remember nothing."""
        with self._guard:
            self._kept.clear()
            self._held = 0
