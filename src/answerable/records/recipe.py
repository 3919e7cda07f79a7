"""The Recipe: everything that can change a result, frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from answerable.errors import ConfigError
from answerable.records.codec import canonical_json

Option = str | int | float | bool
Options = tuple[tuple[str, Option], ...]


def _within(key: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigError(f"{key} = {value} is out of range", f"give a value from {low} to {high}")


@dataclass(frozen=True, slots=True)
class CutRule:
    """How documents matching `match` are cut.

    `match` is '' (all), a type (`type:html`) or a glob over the uri (`uri:policies/*`); the last
    matching rule wins. `by` names a cutter of the table; `size` and `overlap` count `unit`s
    (words, tokens, characters), lead included; size 0 means no limit.
    """

    by: str = "headings"
    size: int = 200
    unit: Literal["words", "tokens", "characters"] = "tokens"
    overlap: int = 0
    lead: Literal["none", "title", "headings", "title+headings"] = "title+headings"
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
    the rest counted as cut. `pooling` `late`: a piece's vector is pooled from the token vectors
    of the long document around it, and leads are not embedded.
    """

    name: str = "minilm"
    long: Literal["windows", "head"] = "windows"
    pooling: Literal["piece", "late"] = "piece"
    options: Options = ()


@dataclass(frozen=True, slots=True)
class SituateRule:
    """Who writes a line in front of each piece that says where it stands; '' writes none.

    `by` names a chat model of the table; the line takes at most `line` of the cut's units, which
    the piece gives up.
    """

    by: str = ""
    line: int = 40
    options: Options = ()

    def __post_init__(self) -> None:
        _within("ingest.situate.line", self.line, 1, 1000)


@dataclass(frozen=True, slots=True)
class Ingest:
    """The half of a recipe that decides what stands in an index.

    `reader` is the version of the parsers: documents read by another one are read again.
    """

    reader: int = 2
    cut: tuple[CutRule, ...] = (CutRule(),)
    situate: SituateRule = SituateRule()
    analyzer: AnalyzerRule = AnalyzerRule()
    embedder: EmbedderRule = EmbedderRule()


@dataclass(frozen=True, slots=True)
class SearchRule:
    """First-stage search: `mode` lexical, dense, hybrid or overlap; `depth` hits per list.

    `overlap` counts the question's words in a piece, those in the title twice more: a baseline.
    `exact`: in hybrid, identifiers of the question make a list of their own.
    """

    mode: Literal["lexical", "dense", "hybrid", "overlap"] = "hybrid"
    depth: int = 100
    k1: float = 1.2
    b: float = 0.75
    lead_boost: float = 1.0
    exact: bool = True

    def __post_init__(self) -> None:
        _within("ask.search.depth", self.depth, 1, 10_000)
        _within("ask.search.k1", self.k1, 0, 100)
        _within("ask.search.b", self.b, 0, 1)
        _within("ask.search.lead_boost", self.lead_boost, 0, 100)

    @property
    def embeds(self) -> bool:
        """Whether questions and pieces are compared by vectors."""
        return self.mode in ("dense", "hybrid")


@dataclass(frozen=True, slots=True)
class FusionRule:
    """How lists become one: `rrf` with constant `k`, or `convex` with the dense weight `weight`.

    Defaults measured on SciFact train, NFCorpus dev, XQuAD English and the example handbook.
    """

    by: Literal["rrf", "convex"] = "convex"
    k: int = 60
    weight: float = 0.4

    def __post_init__(self) -> None:
        _within("ask.fusion.k", self.k, 1, 10_000)
        _within("ask.fusion.weight", self.weight, 0, 1)


@dataclass(frozen=True, slots=True)
class ContextRule:
    """What is shown to the answerer: `passages` best pieces, expanded within `budget` words.

    `expand` is piece, window, parent (of a hierarchical cut), section or document.
    """

    passages: int = 5
    expand: Literal["piece", "window", "parent", "section", "document"] = "piece"
    budget: int = 1500

    def __post_init__(self) -> None:
        _within("ask.context.passages", self.passages, 1, 100)
        _within("ask.context.budget", self.budget, 1, 1_000_000)


@dataclass(frozen=True, slots=True)
class RouteRule:
    """When evidence is strong enough to answer; each threshold in 0..1.

    At least `min_coverage` of the question's weight in the best passage, `min_similarity` of the
    closest sentence (where measured, and unless the coverage reaches `sure_coverage`: the default
    model knows English only), at most `max_unknown` of the weight in words that stand
    nowhere in the index; `need_value`: a question for a number needs one in the sentences chosen.
    Defaults measured on SQuAD 2.0 dev and the example handbook.
    """

    min_coverage: float = 0.20
    min_similarity: float = 0.40
    sure_coverage: float = 0.80
    max_unknown: float = 0.35
    need_value: bool = True

    def __post_init__(self) -> None:
        _within("ask.route.min_coverage", self.min_coverage, 0, 1)
        _within("ask.route.min_similarity", self.min_similarity, 0, 1)
        _within("ask.route.sure_coverage", self.sure_coverage, 0, 1)
        _within("ask.route.max_unknown", self.max_unknown, 0, 1)


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """Who answers: `extract` quotes sentences of the passages, at most `sentences` of them."""

    by: Literal["extract"] = "extract"
    sentences: int = 3

    def __post_init__(self) -> None:
        _within("ask.answer.sentences", self.sentences, 1, 50)


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

    def __post_init__(self) -> None:
        if not self.ingest.embedder.name and self.ask.search.embeds:
            raise ConfigError(
                f"ask.search.mode = {self.ask.search.mode!r} needs vectors, "
                "but ingest.embedder.name is empty",
                "set ask.search.mode = 'lexical', or name an embedder",
            )

    def hash(self) -> str:
        """The first 16 hex digits of SHA-256 of the canonical JSON of the whole recipe."""
        return digest(self)


def digest(part: object) -> str:
    """The first 16 hex digits of SHA-256 of the canonical JSON of any record."""
    return sha256(canonical_json(part).encode()).hexdigest()[:16]
