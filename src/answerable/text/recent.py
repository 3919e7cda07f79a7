"""What is worked out of a text, kept while that text is asked for again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Final, Generic, TypeVar

T = TypeVar("T")

CHARACTERS: Final = 4_000_000
"""Text remembered by each function, the latest used; what is made of it takes some 30 MB."""


class Recent(Generic[T]):
    """A function of a text that remembers its latest results, `CHARACTERS` of text together.

    Used as a decorator. However many short texts come between, long ones are not forgotten.
    """

    def __init__(self, make: Callable[[str], T]) -> None:
        self._make = make
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._held = 0
        self._guard = Lock()
        update_wrapper(self, make)

    def __call__(self, text: str) -> T:
        """The result for `text`."""
        with self._guard:
            if text in self._kept:
                self._kept.move_to_end(text)
                return self._kept[text]
        made = self._make(text)
        with self._guard:
            if text not in self._kept:
                self._kept[text] = made
                self._held += len(text)
                while self._held > CHARACTERS and len(self._kept) > 1:
                    oldest, _ = self._kept.popitem(last=False)
                    self._held -= len(oldest)
        return made
