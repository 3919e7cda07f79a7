"""One language's way from a token to its terms, remembered word by word."""

from __future__ import annotations

from collections.abc import Callable

import Stemmer

from answerable.rank.stopwords import stop_words
from answerable.rank.tokens import Token, take_apart

_SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "nb": "norwegian",
    "nn": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_ELISION = {"fr": 3, "it": 6, "ca": 2}
_REMEMBERED = 200_000


class Lexicon:
    """Tokens to terms in one language; `remembered` holds what was met before, bounded."""

    __slots__ = ("_elision", "_stem", "_stop", "remembered")

    def __init__(self, language: str, stop: bool, stem: bool) -> None:
        name = _SNOWBALL.get(language, "") if stem else ""
        # Snowball keeps a cache of its own, which would hold every word a second time.
        self._stem: Callable[[str], str] = (
            Stemmer.Stemmer(name, maxCacheSize=0).stemWord if name else str
        )
        self._stop = stop_words(language) if stop else frozenset()
        self._elision = _ELISION.get(language, 0)
        self.remembered: dict[str, tuple[str, ...]] = {}

    def learn(self, token: str) -> tuple[str, ...]:
        """The terms of a token (whole form first), kept for the next time."""
        if len(self.remembered) >= _REMEMBERED:
            self.remembered.clear()
        found = self.remembered[token] = self.terms(take_apart(token))
        return found

    def terms(self, token: Token) -> tuple[str, ...]:
        """The whole forms as they are, then the stems of the parts that are not stop words."""
        parts = [stem for part in token.parts if (stem := self.part(part))]
        return tuple(dict.fromkeys([*token.wholes, *parts]))

    def part(self, word: str) -> str:
        """The stem of one folded word, '' for a stop word."""
        if "'" in word:
            word = self._bare(word)
        return "" if word in self._stop else self._stem(word)

    def _bare(self, word: str) -> str:
        """Without the possessive, or the article that is elided in front."""
        word = word.removesuffix("'s").strip("'")
        head, mark, tail = word.partition("'")
        return tail if mark and tail and 0 < len(head) < self._elision else word
