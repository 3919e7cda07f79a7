"""What a procedure looks at: one figure for each question under one recipe, from the search."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from answerable.errors import UsageError
from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located
from answerable.flow.score import fitting
from answerable.flow.search import Found, search_many
from answerable.measure.documents import grades, ranked
from answerable.measure.match import ways, whole_at
from answerable.measure.retrieval import measure, relevant
from answerable.records.evals import GoldenItem
from answerable.records.index import Chunk, Filter, Ranking
from answerable.records.recipe import Recipe

LOOK = 100
"""Pieces of a ranking that are looked at."""

_WORDS = re.compile(r"complete in (\d+) words\Z")
_DEPTH = re.compile(r"(complete|held)@([1-9]\d*)\Z")


@dataclass(frozen=True, slots=True)
class Aim:
    """The figure that a procedure tries to raise, by name, and how it was chosen.

    `complete in N words`: all evidence stands whole in the first pieces of at most N words;
    `complete@K`: in the first K pieces; `held@K`: one of the first K pieces is of a marked
    document; or a measure over documents such as `nDCG@10`.
    """

    metric: str
    because: str

    def __post_init__(self) -> None:
        if not (_WORDS.match(self.metric) or _DEPTH.match(self.metric)):
            measure(self.metric)

    def value(self, item: GoldenItem, chunks: Sequence[Chunk]) -> float | None:
        """The figure of one question's ranked chunks; None where it is not measurable."""
        if words := _WORDS.match(self.metric):
            k = fitting([chunk.words for chunk in chunks], int(words[1])) if chunks else 0
            return _whole(item, chunks[:k])
        if depth := _DEPTH.match(self.metric):
            first = chunks[: int(depth[2])]
            if depth[1] == "complete":
                return _whole(item, first)
            if not ways(item):
                return None
            marked = {document for document, grade in grades(item).items() if grade > 0}
            return float(any(chunk.document_id in marked for chunk in first))
        judged = grades(item)
        if not relevant(judged):
            return None
        return measure(self.metric)(ranked(chunk.document_id for chunk in chunks), judged)


@dataclass(frozen=True, slots=True)
class Probed:
    """One recipe's figures: `values` by item id, and the mean words of a retrieved piece."""

    values: Mapping[str, float]
    piece_words: float

    @property
    def mean(self) -> float:
        """The mean over the questions; UsageError when none is measurable."""
        if not self.values:
            raise UsageError(
                "no question is measurable on these documents",
                "check the golden set with `answerable golden check`",
            )
        return sum(self.values.values()) / len(self.values)


def aim_for(corpus: Corpus, recipe: Recipe, located: Located, metric: str = "") -> Aim:
    """The figure named, or the share of questions with evidence at the model's depth.

    Where places are marked: whole within the words that the recipe's passages have now (the
    median, at most its budget), so that sizes compare at equal cost; where only documents are:
    held by the first of as many pieces.
    """
    if metric:
        return Aim(metric, "named")
    depth = recipe.ask.context.passages
    spans = [e.span for item in located.items for way in ways(item) for e in way]
    if not any(span is not None for span in spans):
        return Aim(f"held@{depth}", f"documents are marked and {depth} pieces go to the model")
    finder = corpus.finder(recipe)
    sent = [
        sum(finder.snapshot.chunk(hit.chunk_id).words for hit in found.final[:depth])
        for found in _searched(corpus, recipe, [i for i in located.items if i.answerable][:200])
    ]
    words = min(recipe.ask.context.budget, max(50, round(median(sent or [0]) / 10) * 10))
    return Aim(
        f"complete in {words} words",
        f"the {depth} passages of the current recipe have about {words} words",
    )


def probe(corpus: Corpus, recipe: Recipe, located: Located, aim: Aim) -> Probed:
    """Every answerable question searched once under a recipe."""
    items = [item for item in located.items if item.answerable]
    return weigh(corpus, recipe, items, [f.final for f in _searched(corpus, recipe, items)], aim)


def weigh(
    corpus: Corpus,
    recipe: Recipe,
    items: Sequence[GoldenItem],
    rankings: Sequence[Ranking],
    aim: Aim,
) -> Probed:
    """The figures of rankings at hand, one for each item."""
    snapshot = corpus.finder(recipe).snapshot
    values: dict[str, float] = {}
    words = pieces = 0
    for item, ranking in zip(items, rankings, strict=True):
        chunks = [snapshot.chunk(hit.chunk_id) for hit in ranking[:LOOK]]
        value = aim.value(item, chunks)
        if value is not None:
            values[item.id] = value
        words += sum(chunk.words for chunk in chunks[:10])
        pieces += len(chunks[:10])
    return Probed(values, words / pieces if pieces else 0.0)


def _searched(corpus: Corpus, recipe: Recipe, items: Sequence[GoldenItem]) -> Sequence[Found]:
    finder = corpus.finder(recipe)
    return search_many([item.question for item in items], recipe.ask, finder, Filter())


def _whole(item: GoldenItem, chunks: Sequence[Chunk]) -> float | None:
    if not ways(item):
        return None
    return float(whole_at(item, [(chunk.document_id, chunk.span) for chunk in chunks]) is not None)
