"""Lengths and structure of a collection, and the recipe to start from, with its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from answerable.records.docs import Document
from answerable.records.recipe import Ask, CutRule, FusionRule, Ingest, Recipe
from answerable.text.outline import outline
from answerable.text.ruler import Ruler

SHORT = 0.9
"""Share of documents that must fit the embedder whole before `whole` is the start."""

FOREIGN_WEIGHT = 0.2
"""Weight of meaning where the default embedder, which reads English, reads another language.

XQuAD German, whole paragraphs, nDCG@10 over 1,190 questions: 0.9458 with 0.1, 0.9478 with 0.2,
0.9474 with 0.4, 0.9415 by words alone.
"""


@dataclass(frozen=True, slots=True)
class Percentiles:
    """A distribution of lengths."""

    p10: int
    p50: int
    p90: int
    max: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What a collection looks like.

    `over_limit` counts documents longer than the embedder's `limit` tokens; `heading_coverage` is
    the share of words that stand under a heading, 0..1; `tables` and `code` the share of words in
    such blocks.
    """

    documents: int
    words: Percentiles
    tokens: Percentiles
    limit: int
    over_limit: int
    heading_coverage: float
    section_words: Percentiles
    tables: float
    code: float
    languages: tuple[tuple[str, int], ...]
    types: tuple[tuple[str, int], ...]


def profile(documents: Iterable[Document], tokens: Ruler, limit: int) -> Profile:
    """The profile of documents already read; an empty collection has zeros."""
    lengths, counts, sections = [], [], []
    headed = total = tables = code = 0
    languages: dict[str, int] = {}
    types: dict[str, int] = {}
    for document in documents:
        words = len(document.text.split())
        lengths.append(words)
        counts.append(tokens.count(document.text))
        total += words
        for section in outline(document).sections():
            size = len(document.text[section.span.start : section.span.end].split())
            sections.append(size)
            headed += size if section.path else 0
        for block in document.blocks:
            size = len(document.text[block.span.start : block.span.end].split())
            tables += size if block.kind == "table" else 0
            code += size if block.kind == "code" else 0
        languages[document.language] = languages.get(document.language, 0) + 1
        types[document.type] = types.get(document.type, 0) + 1
    return Profile(
        documents=len(lengths),
        words=_percentiles(lengths),
        tokens=_percentiles(counts),
        limit=limit,
        over_limit=sum(count > limit for count in counts),
        heading_coverage=round(headed / total, 4) if total else 0.0,
        section_words=_percentiles(sections),
        tables=round(tables / total, 4) if total else 0.0,
        code=round(code / total, 4) if total else 0.0,
        languages=_counted(languages),
        types=_counted(types),
    )


def start(found: Profile) -> tuple[Recipe, tuple[str, ...]]:
    """The recipe to start from, and why: to be compared, not believed."""
    if not found.documents:
        return Recipe(), ("no documents were profiled: these are the plain defaults",)
    fit = 1 - found.over_limit / found.documents
    if fit >= SHORT:
        rule = CutRule(by="whole", size=0)
        reasons = [
            f"{fit:.0%} of {found.documents} documents fit the embedder's {found.limit} tokens "
            f"(median {found.words.p50} words): whole documents, no cut"
        ]
    else:
        size = found.limit
        by = "headings" if found.heading_coverage >= 0.5 else "recursive"
        rule = CutRule(by=by, size=size, overlap=0 if by == "headings" else size // 8)
        reasons = [
            f"{found.over_limit} of {found.documents} documents are longer than the embedder's "
            f"{found.limit} tokens (median {found.words.p50} words, longest {found.words.max})",
            f"{found.heading_coverage:.0%} of the words stand under a heading: cut by {by}"
            + (", long sections split" if by == "headings" else f", overlap {size // 8}"),
            f"pieces of at most {size} tokens, so that the embedder reads all of each piece",
        ]
    if found.heading_coverage >= 0.5:
        reasons.append("title and headings are repeated in front of each piece")
    else:
        rule = replace(rule, lead="title")
        reasons.append("few headings: only the title is repeated in front of each piece")
    fusion, why = _fusion(found)
    return Recipe(Ingest(cut=(rule,)), Ask(fusion=fusion)), (*reasons, *why)


def _fusion(found: Profile) -> tuple[FusionRule, tuple[str, ...]]:
    main = next((code for code, _ in found.languages if code), "")
    usual = FusionRule()
    if main in ("", "en"):
        return usual, ()
    return replace(usual, weight=FOREIGN_WEIGHT), (
        f"most documents are in {main!r} and the default embedder reads English: words count "
        f"{1 - FOREIGN_WEIGHT:.1f} and meaning {FOREIGN_WEIGHT:.1f} "
        f"(ask.fusion.weight, else {usual.weight:.1f})",
    )


def advice(found: Profile) -> tuple[str, ...]:
    """What the profile suggests, in words."""
    words = list(start(found)[1])
    if found.tables > 0.1:
        words.append(f"{found.tables:.0%} of the words stand in tables: cut between rows only")
    if len([code for code, _ in found.languages if code]) > 1:
        words.append("several languages: terms are stemmed by the language of each document")
    return tuple(words)


def _percentiles(values: Sequence[int]) -> Percentiles:
    if not values:
        return Percentiles(0, 0, 0, 0)
    ordered = sorted(values)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.1, 0.5, 0.9)]
    return Percentiles(at[0], at[1], at[2], ordered[-1])


def _counted(counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
