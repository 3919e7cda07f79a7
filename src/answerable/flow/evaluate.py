"""A golden set asked of a knowledge base: what was found, cited, answered and refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from answerable.errors import AnswerableError, NotFound
from answerable.flow.locate import Located, Problem
from answerable.flow.search import Finder, search
from answerable.measure.answers import matches, normalise
from answerable.measure.match import Place, complete
from answerable.measure.stats import Mean, mean
from answerable.records.answers import Trace
from answerable.records.evals import Evidence, GoldenItem, GoldenSet, Score
from answerable.records.index import Filter
from answerable.records.recipe import Ask

DEPTHS = (5, 10)
"""Numbers of pieces within which all evidence must stand."""

BUDGETS = (300, 600)
"""Numbers of words, leads included, within which all evidence must stand."""

REACH = 50
"""Pieces that are looked at for a budget of words."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One piece that was found: where it lies, and its words with the lead."""

    place: Place
    words: int


Search = Callable[[str], Mapping[str, Sequence[Retrieved]]]
"""A question to the best pieces of each stage (lexical, dense, fused), best first."""

AskFor = Callable[[str], Trace]
"""A question to its trace."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One metric: its mean with interval, and the score of each item it applies to."""

    metric: str
    mean: Mean
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a golden set gave, with every question behind every mean.

    `unmeasured` are items whose evidence is not in the index (id, why) and `problems` each place
    of evidence that was not found; `failures` are questions that raised (id, what). `traces` are
    those of the items asked, by id.
    """

    golden: GoldenSet
    measures: tuple[Measured, ...]
    unmeasured: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]
    failures: tuple[tuple[str, str], ...]
    traces: tuple[tuple[str, Trace], ...]

    def measure(self, metric: str) -> Measured:
        """The measure of a name such as `fused complete@5`; NotFound lists what there is."""
        for measured in self.measures:
            if measured.metric == metric:
                return measured
        names = ", ".join(measured.metric for measured in self.measures)
        raise NotFound(f"no measure {metric!r} was taken", f"one of: {names}")


def evaluate(
    located: Located, search: Search | None, ask: AskFor | None = None, *, seed: int = 0
) -> Evaluation:
    """Every item searched and asked, scored one by one; a question that fails costs itself.

    Measures of the search, 0 or 1 for each answerable item and stage: `STAGE complete@K`, all of
    its evidence (or of one alternative) stands whole within the first K pieces; `STAGE complete in
    W`, within those of the first pieces that have at most W words together, so that cuttings of
    different sizes compare.

    Measures of the answer, over answerable items: `answered`; `cited all` and `cited any`, the
    cited spans touch every required place, or at least one (a refusal cites nothing); `value`, the
    short answer equals an accepted one; `text`, the answer's words hold an accepted one (not
    measured where only yes or no is accepted, which stand in any text); `right`, `value` or `text`
    holds and something of the evidence is cited. Over unanswerable items: `refused`.
    """
    scores: dict[str, list[Score]] = {}
    failures: list[tuple[str, str]] = []
    traces: list[tuple[str, Trace]] = []
    for item in located.items:
        why = located.unmeasured.get(item.id, "")
        try:
            found: list[Score] = []
            if search is not None and item.answerable:
                found += _found(item, search(item.question), why)
            if ask is not None:
                trace = ask(item.question)
                traces.append((item.id, trace))
                found += _answered(item, trace, why)
        except AnswerableError as fault:
            failures.append((item.id, fault.message))
            continue
        for score in found:
            scores.setdefault(score.metric, []).append(score)
    # A question that failed is counted as not measurable under each metric of its kind.
    kinds = {item.id: item.answerable for item in located.items}
    for metric, known in scores.items():
        about = kinds[known[0].item_id]
        known += [Score(id, metric, None, what) for id, what in failures if kinds[id] == about]
    return Evaluation(
        located.golden,
        tuple(_measured(metric, found, seed) for metric, found in scores.items()),
        tuple(located.unmeasured.items()),
        located.problems,
        tuple(failures),
        tuple(traces),
    )


def stages(finder: Finder, rule: Ask, filter: Filter) -> Search:
    """The search of a generation, all its stages from one hybrid search where it has vectors."""
    if finder.embedder is not None:
        rule = replace(rule, search=replace(rule.search, mode="hybrid"))

    def run(question: str) -> Mapping[str, Sequence[Retrieved]]:
        found = search(question, rule, finder, filter)
        return {
            stage: [
                Retrieved((chunk.document_id, chunk.span), chunk.words)
                for chunk in (finder.snapshot.chunk(hit.chunk_id) for hit in ranking[:REACH])
            ]
            for stage, ranking in found.rankings.items()
        }

    return run


def _found(
    item: GoldenItem, stages: Mapping[str, Sequence[Retrieved]], why: str
) -> Iterator[Score]:
    for stage, pieces in stages.items():
        places = [piece.place for piece in pieces]
        for k in DEPTHS:
            yield _score(item, f"{stage} complete@{k}", complete(item, places, k), why)
        for words in BUDGETS:
            k = within(pieces, words)
            yield _score(item, f"{stage} complete in {words}", complete(item, places, k), why)


def within(pieces: Sequence[Retrieved], words: int) -> int:
    """How many of the first pieces have at most `words` words together; the first is always in."""
    totals = accumulate(piece.words for piece in pieces)
    return max(1, sum(1 for total in totals if total <= words))


def _answered(item: GoldenItem, trace: Trace, why: str) -> list[Score]:
    answer = trace.answer
    if not item.answerable:
        return [_score(item, "refused", answer.refused)]
    ways = [way for way in (item.evidence, *item.alternatives) if way]
    cited = [(c.document_id, c.span) for s in answer.sentences for c in s.citations]
    touched = [[_touches(evidence, cited) for evidence in way] for way in ways]
    every = any(all(way) for way in touched) if ways else None
    some = any(any(way) for way in touched) if ways else None
    unasked = "" if item.answers else "no accepted answer is given"
    value = None if unasked else not answer.refused and matches(answer.value, item.answers)
    polar = bool(item.answers) and {normalise(a) for a in item.answers} <= {"yes", "no"}
    text = None if unasked or polar else not answer.refused and _says(answer.text, item.answers)
    right = None if value is None or some is None else (value or bool(text)) and some
    return [
        _score(item, "answered", not answer.refused),
        _score(item, "cited all", every, why),
        _score(item, "cited any", some, why),
        _score(item, "value", value, unasked),
        _score(item, "text", text, unasked or "only yes or no is accepted"),
        _score(item, "right", right, why or unasked),
    ]


def _touches(evidence: Evidence, cited: Iterable[Place]) -> bool:
    return any(
        evidence.document == document and (evidence.span is None or evidence.span.overlaps(span))
        for document, span in cited
    )


def _says(text: str, accepted: Iterable[str]) -> bool:
    """Whether the words of an accepted answer stand in a row in the text."""
    words = f" {normalise(text)} "
    return any(f" {normalise(answer)} " in words for answer in accepted if normalise(answer))


def _score(item: GoldenItem, metric: str, value: bool | None, why: str = "") -> Score:
    if value is None:
        return Score(item.id, metric, None, why)
    return Score(item.id, metric, float(value))


def _measured(metric: str, scores: Sequence[Score], seed: int) -> Measured:
    return Measured(metric, mean([score.value for score in scores], seed=seed), tuple(scores))
