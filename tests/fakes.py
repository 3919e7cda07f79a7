"""Small deterministic parts for tests, held to the same contracts as the real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from answerable.ports import Message, Reply
from answerable.records.answers import Usage

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class HashEmbedder:
    """A bag of hashed words: texts that share words are near. Tokens are words and marks."""

    name: str = "stub-a"
    revision: str = "1"
    dimensions: int = 32
    limit: int = 16
    query_prefix: str = ""

    @property
    def fingerprint(self) -> str:
        return json.dumps(
            {
                "provider": "fake",
                "model": self.name,
                "revision": self.revision,
                "width": self.dimensions,
                "prefixes": {"question": self.query_prefix},
            },
            sort_keys=True,
        )

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embed(texts)

    def questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embed([self.query_prefix + text if text.strip() else text for text in texts])

    def count(self, text: str) -> int:
        return len(_WORD.findall(text))

    def spans(self, text: str) -> NDArray[np.int64]:
        found = [match.span() for match in _WORD.finditer(text)]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [
            np.array(
                [self._word(word) for word in _WORD.findall(text.lower())[: self.limit]],
                dtype=np.float32,
            ).reshape(-1, self.dimensions)
            for text in texts
        ]

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower())[: self.limit]:
                row += self._word(word)
            if row.any():
                row /= np.linalg.norm(row)
        return rows

    def _word(self, word: str) -> NDArray[np.float32]:
        return _random(f"{self.name}/{self.revision}/{word}", self.dimensions)


@cache
def _random(seed: str, dimensions: int) -> NDArray[np.float32]:
    numbers = np.frombuffer(sha256(seed.encode(errors="replace")).digest(), dtype=np.uint32)
    return np.random.RandomState(numbers).standard_normal(dimensions).astype(np.float32)


@dataclass(slots=True)
class ScriptedChat:
    """A chat model that answers from a list, in turn, and keeps what it was sent."""

    replies: list[str]
    sent: list[tuple[Message, ...]] = field(default_factory=list)
    fingerprint: str = "scripted"

    def reply(self, messages: Sequence[Message], *, most_tokens: int) -> Reply:
        self.sent.append(tuple(messages))
        text = self.replies[(len(self.sent) - 1) % len(self.replies)]
        return Reply(text, Usage("scripted", "2026-01-01T00:00:00Z"))


def one_line() -> ScriptedChat:
    """A chat model for a recipe to name: `fakes:one_line`."""
    return ScriptedChat(["Zanzibar rules"])
