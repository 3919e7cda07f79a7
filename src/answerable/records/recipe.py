"""The Recipe: everything that can change a result, frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from answerable.records.codec import canonical_json

Option = str | int | float | bool
Options = tuple[tuple[str, Option], ...]


@dataclass(frozen=True, slots=True)
class CutRule:
    """How documents matching `match` are cut.

    `match` is '' (all), a type (`type:html`) or a glob over the uri (`uri:policies/*`); the last
    matching rule wins. `by` names a cutter of the table; `size` and `overlap` count `unit`s
    (words, tokens, characters), lead included; size 0 means no limit.
    """

    by: str = "headings"
    size: int = 200
    unit: str = "tokens"
    overlap: int = 0
    lead: str = "title+headings"
    match: str = ""
    options: Options = ()


@dataclass(frozen=True, slots=True)
class AnalyzerRule:
    """How text becomes terms; `language` is ISO 639-1 or `auto` (detected per document)."""

    name: str = "standard"
    language: str = "auto"
    options: Options = ()


@dataclass(frozen=True, slots=True)
class EmbedderRule:
    """Which model embeds; '' embeds nothing. `long` says what happens to text over its limit.

    `windows`: a vector per window of the limit, the best counts; `head`: only the first window,
    the rest counted as cut.
    """

    name: str = "minilm"
    long: str = "windows"
    options: Options = ()


@dataclass(frozen=True, slots=True)
class Ingest:
    """The half of a recipe that decides what stands in an index."""

    cut: tuple[CutRule, ...] = (CutRule(),)
    analyzer: AnalyzerRule = AnalyzerRule()
    embedder: EmbedderRule = EmbedderRule()


@dataclass(frozen=True, slots=True)
class SearchRule:
    """First-stage search: `mode` lexical, dense or hybrid; `depth` hits per list."""

    mode: str = "hybrid"
    depth: int = 100
    k1: float = 1.2
    b: float = 0.75
    lead_boost: float = 1.0


@dataclass(frozen=True, slots=True)
class FusionRule:
    """How lists become one: `rrf` with constant `k`, or `convex` with the dense weight `weight`."""

    by: str = "rrf"
    k: int = 60
    weight: float = 0.5


@dataclass(frozen=True, slots=True)
class ContextRule:
    """What is shown to the answerer: `passages` best pieces, expanded within `budget` words.

    `expand` is piece, window, section or document.
    """

    passages: int = 5
    expand: str = "piece"
    budget: int = 1500


@dataclass(frozen=True, slots=True)
class RouteRule:
    """When evidence is strong enough to answer; each threshold in 0..1."""

    min_coverage: float = 0.35
    min_similarity: float = 0.30


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """Who answers: `extract` quotes sentences of the passages, at most `sentences` of them."""

    by: str = "extract"
    sentences: int = 3


@dataclass(frozen=True, slots=True)
class Ask:
    """The half of a recipe that acts at question time."""

    search: SearchRule = SearchRule()
    fusion: FusionRule = FusionRule()
    context: ContextRule = ContextRule()
    route: RouteRule = RouteRule()
    answer: AnswerRule = AnswerRule()


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that can change a result."""

    ingest: Ingest = field(default_factory=Ingest)
    ask: Ask = field(default_factory=Ask)

    def hash(self) -> str:
        """The first 16 hex digits of SHA-256 of the canonical JSON of the whole recipe."""
        return digest(self)


def digest(part: object) -> str:
    """The first 16 hex digits of SHA-256 of the canonical JSON of any record."""
    return sha256(canonical_json(part).encode()).hexdigest()[:16]
