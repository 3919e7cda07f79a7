"""Texts that are nearly the same, found without comparing every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import ceil
from unicodedata import normalize

ALIKE = 0.8
"""The share of common letter triples (Jaccard) from which two questions are nearly the same."""


def plain(text: str) -> str:
    """Letters and digits only, case folded (NFKC), words parted by single spaces."""
    folded = normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())


LOOKED = 10
"""Where pairs are limited, so many times the limit are compared for one text."""


def alike(
    texts: Sequence[str], least: float = ALIKE, most: int = 0
) -> tuple[tuple[int, int, float], ...]:
    """Pairs (i < j) with at least `least` of their letter triples in common, and that share.

    Exact, by the filters of Xiao, Wang, Lin & Yu (PPJoin, WWW 2008): such sets share one of their
    few rarest triples, are about as large, and have enough left behind the first that they share.
    Letters, not words, so that scripts without spaces work too. With `most`, each text j has at
    most so many pairs, found among those that share its rarest triples first: questions made from
    one pattern are all alike, and every pair of them would be quadratic.
    """
    sets = [_triples(plain(text)) for text in texts]
    often = Counter(triple for one in sets for triple in one)
    seen: dict[str, list[tuple[int, int]]] = {}
    found: list[tuple[int, int, float]] = []
    for number, one in enumerate(sets):
        size = len(one)
        rarest = sorted(one, key=lambda triple: (often[triple], triple))
        prefix = rarest[: size - ceil(least * size - 1e-9) + 1]
        passed: dict[int, bool] = {}
        looked = LOOKED * most or len(sets)
        for place, triple in enumerate(prefix):
            for other, there in islice(seen.get(triple, ()), looked - len(passed)):
                if other not in passed:
                    length = len(sets[other])
                    needed = least * (size + length) / (1 + least) - 1e-9
                    passed[other] = min(size - place, length - there) >= needed
        near = 0
        for other in sorted(other for other, enough in passed.items() if enough):
            shared = len(one & sets[other])
            share = shared / (size + len(sets[other]) - shared)
            if share >= least - 1e-9:
                found.append((other, number, share))
                near += 1
                if near == most:
                    break
        for place, triple in enumerate(prefix):
            seen.setdefault(triple, []).append((number, place))
    return tuple(found)


def _triples(text: str) -> frozenset[str]:
    padded = f" {text} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2)) if text else frozenset()
