"""The lexical index: build it, read it from arrays, merge it, count in it."""

from __future__ import annotations

from answerable.rank.sparse_build import Builder, Vocabulary, build, build_ids
from answerable.rank.sparse_counts import Totals, frequencies, totals
from answerable.rank.sparse_merge import merge
from answerable.rank.sparse_segment import SparseSegment

__all__ = [
    "Builder",
    "SparseSegment",
    "Totals",
    "Vocabulary",
    "build",
    "build_ids",
    "frequencies",
    "merge",
    "totals",
]
