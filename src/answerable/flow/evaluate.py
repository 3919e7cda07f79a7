"""A golden set asked of a knowledge base: every question searched, asked and scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from answerable.errors import AnswerableError, NotFound
from answerable.flow.locate import Located, Problem
from answerable.flow.run import found_piece
from answerable.flow.score import Absent, Stages, answered, searched
from answerable.flow.search import Finder, search
from answerable.measure.stats import Mean
from answerable.measure.tally import Tally, tally
from answerable.records.answers import Trace
from answerable.records.docs import Document
from answerable.records.evals import GoldenSet, Score
from answerable.records.index import Filter
from answerable.records.recipe import Ask
from answerable.records.runs import Failure

Search = Callable[[str], Stages]
"""A question to the best pieces of each stage (lexical, dense, fused), best first."""

AskFor = Callable[[str], Trace]
"""A question to its trace."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One metric: its tally, and the score of each item it applies to."""

    metric: str
    tally: Tally
    scores: tuple[Score, ...]

    @property
    def mean(self) -> Mean:
        """The mean of the tally."""
        return self.tally.mean


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a golden set gave, with every question behind every mean.

    `unmeasured` are items whose evidence is not in the index (id, why) and `problems` each place
    of evidence that was not found; `failures` are questions that raised. `traces` are those of
    the items asked, by id.
    """

    golden: GoldenSet
    measures: tuple[Measured, ...]
    unmeasured: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]
    failures: tuple[Failure, ...]
    traces: tuple[tuple[str, Trace], ...]

    def measure(self, metric: str) -> Measured:
        """The measure of a name such as `fused complete@5`; NotFound lists what there is."""
        for measured in self.measures:
            if measured.metric == metric:
                return measured
        names = ", ".join(measured.metric for measured in self.measures)
        raise NotFound(f"no measure {metric!r} was taken", f"one of: {names}")


def evaluate(
    located: Located,
    search: Search | None,
    ask: AskFor | None = None,
    *,
    documents: Mapping[str, Document] | None = None,
    absent: Absent = lambda question, text: (),
    depth: int = 5,
    seed: int = 0,
) -> Evaluation:
    """Every item searched and asked, scored one by one; a question that fails costs itself.

    The measures are those of `flow.score`; `documents` and `absent` serve them. A question that
    failed counts as failed under each metric of its kind (answerable or not).
    """
    scores: dict[str, list[Score]] = {}
    failures: list[Failure] = []
    traces: list[tuple[str, Trace]] = []
    for item in located.items:
        why = located.unmeasured.get(item.id, "")
        stage = "search"
        try:
            found: tuple[Score, ...] = ()
            if search is not None:
                found = searched(item, why, search(item.question), depth)
            stage = "ask"
            if ask is not None:
                trace = ask(item.question)
                traces.append((item.id, trace))
                found += answered(item, why, trace, documents or {}, absent)
        except AnswerableError as fault:
            failures.append(Failure(item.id, stage, fault.message))
            continue
        for score in found:
            scores.setdefault(score.metric, []).append(score)
    kinds = {item.id: item.answerable for item in located.items}

    def measured(metric: str, known: Sequence[Score]) -> Measured:
        over = {kinds[score.item_id] for score in known}
        concerned = [failure for failure in failures if kinds[failure.item_id] in over]
        rows = [Score(failure.item_id, metric, None, failure.cause) for failure in concerned]
        return Measured(metric, tally(metric, known, concerned, seed=seed), (*known, *rows))

    return Evaluation(
        located.golden,
        tuple(measured(metric, known) for metric, known in scores.items()),
        tuple(located.unmeasured.items()),
        located.problems,
        tuple(failures),
        tuple(traces),
    )


def stages(finder: Finder, rule: Ask, filter: Filter) -> Search:
    """The search of a generation, all its stages from one hybrid search where it has vectors."""
    if finder.embedder is not None:
        rule = replace(rule, search=replace(rule.search, mode="hybrid"))
    rows = finder.snapshot.documents()

    def run(question: str) -> Stages:
        found = search(question, rule, finder, filter)
        return {
            stage: [found_piece(finder.snapshot.chunk(hit.chunk_id), rows) for hit in ranking]
            for stage, ranking in found.rankings.items()
        }

    return run
