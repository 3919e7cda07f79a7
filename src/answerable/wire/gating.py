"""A golden set asked of a prepared generation and of the served one, before the first is published.

Both are asked by the code that answers everyone, without an access check, as a run is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from answerable.adapters.formats.gate_rules import read_rules
from answerable.errors import AnswerableError, InputError
from answerable.flow.absent import absent_words
from answerable.flow.ask import Asking
from answerable.flow.judge import judge
from answerable.flow.locate import Located, Read, locate
from answerable.flow.reanchor import Carrier
from answerable.flow.reuse import Reusing
from answerable.flow.run import Unrecorded, run_arm
from answerable.flow.search import Finder, languages_of
from answerable.measure.gate import gate
from answerable.measure.layers import higher_is_better
from answerable.measure.taken import taken, under
from answerable.measure.version import CHECKER_VERSION
from answerable.ports import Embedder, Progress, Snapshot
from answerable.records.answers import Trace
from answerable.records.codec import from_plain
from answerable.records.docs import Document
from answerable.records.evals import GoldenSet
from answerable.records.index import Fell, Gated, GenerationInfo
from answerable.records.recipe import EmbedderRule, Recipe, digest
from answerable.records.rules import GateRule
from answerable.records.runs import Failure, FoundPiece, Run, RunInfo
from answerable.wire.base import KnowledgeBase, make_analyzer, make_embedder
from answerable.wire.golden import read_golden

WORSE = 0.02
"""How much worse, with 95 % confidence, the share of questions with complete evidence and the share
answered right may be where no rules are given."""

READ, JOBS = 512, 8
"""Documents held while a generation is asked, and the most questions asked at once."""


@dataclass(frozen=True, slots=True)
class GoldenGate:
    """Rules on what a golden set says of a generation that is about to be published."""

    golden: GoldenSet
    rules: tuple[GateRule, ...] = ()

    def __call__(self, base: KnowledgeBase, info: GenerationInfo, progress: Progress) -> Gated:
        """Whether the prepared generation may be published.

        Without a served generation that can be asked, only rules that need none are checked.
        Raises NotComparable where the two cannot be compared.
        """
        embedders = Embedders(base)
        new = _opened(base, info)
        try:
            candidate, lost = self._run(base, new, base.recipe, "new", embedders, progress)
        finally:
            new.close()
        served, why = self._served(base, embedders, progress)
        rules = self.rules or _start(base.recipe, served)
        if served is None:
            rules = tuple(rule for rule in rules if rule.not_worse_by is None)
            if not rules:
                said = f"nothing to compare with: {why}"
                return Gated(True, len(self.golden.items), (said,), (), (), lost)
        result = gate(candidate, served, rules)
        return Gated(
            passed=result.passed,
            questions=len(self.golden.items),
            checked=result.checked,
            failures=tuple(failure.detail for failure in result.failures),
            fell=tuple(_fell(served, candidate, rules, dict(lost))) if served else (),
            quarantined=lost,
        )

    def _served(
        self, base: KnowledgeBase, embedders: Embedders, progress: Progress
    ) -> tuple[Run | None, str]:
        try:
            snapshot = base.store.current()
        except AnswerableError as fault:
            return None, fault.message
        if snapshot is None:
            return None, "this is the first generation"
        try:
            recipe = _recipe_of(snapshot.info, base)
            if recipe is None:
                return None, "the recipe that made the served generation is not known"
            return self._run(base, snapshot, recipe, "served", embedders, progress)[0], ""
        finally:
            snapshot.close()

    def _run(
        self,
        base: KnowledgeBase,
        snapshot: Snapshot,
        recipe: Recipe,
        arm: str,
        embedders: Embedders,
        progress: Progress,
    ) -> tuple[Run, tuple[tuple[str, str], ...]]:
        """Every question asked of a generation and scored, and (id, why) of those quarantined."""
        rows = snapshot.documents()
        read = lru_cache(READ)(base.document)
        carry = Carrier(rows, read)
        carried = [carry(item) for item in self.golden.items]
        golden = replace(self.golden, items=tuple(one.item or one.before for one in carried))
        located = locate(golden, rows, read)
        lost = {one.before.id: one.why for one in carried if one.item is None}
        located = replace(located, unmeasured={**located.unmeasured, **lost})
        kept = _Kept()
        questions = [(item.id, item.question) for item in golden.items]
        began = base.clock.seconds()
        run_arm(
            questions,
            _asking(base, snapshot, recipe, read, embedders),
            lambda item: uuid4().hex,
            kept,
            jobs=min(base.settings.threads or os.cpu_count() or 1, JOBS),
            progress=lambda stage, done, total: progress(f"gate {arm}", done, total),
        )
        depth = recipe.ask.context.passages
        judged = judge(
            located,
            kept.traces,
            kept.pieces,
            _evidence(located, snapshot, read),
            depth,
            absent_words(
                lambda language: make_analyzer(recipe.ingest.analyzer, language),
                languages_of(snapshot),
            ),
            {},
            kept.failures,
        )
        info = RunInfo(
            experiment="sync",
            arm=arm,
            recipe_hash=recipe.hash(),
            sha256="",
            lock_version=0,
            golden_sha256=self.golden.sha256,
            depth=depth,
            seed=0,
            checker=CHECKER_VERSION,
            code="",
            dirty=False,
            at=base.clock.now(),
            questions=len(questions),
            pieces=snapshot.info.chunks,
            seconds=round(base.clock.seconds() - began, 3),
            complete=True,
        )
        failures = (*kept.failures, *judged.failures)
        return Run(info, judged.scores, judged.standings, failures, tuple(questions)), tuple(
            lost.items()
        )


def golden_gate(golden: Path, rules: Path | None) -> tuple[GoldenGate, tuple[str, ...]]:
    """The gate of a golden file and a file of rules, and the lines that could not be used."""
    found, problems = read_golden(golden)
    if not found.items:
        raise InputError(f"{golden} has no question", "give a golden set with at least one")
    return GoldenGate(found, read_rules(rules) if rules else ()), problems


class Embedders:
    """Models by their rule; what both generations show is embedded once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._made: dict[EmbedderRule, Embedder] = {}

    def __call__(self, rule: EmbedderRule) -> Embedder:
        if rule not in self._made:
            own = self._base.embedder if rule == self._base.recipe.ingest.embedder else None
            self._made[rule] = Reusing(own or make_embedder(rule, self._base.settings))
        return self._made[rule]


@dataclass(slots=True)
class _Kept:
    traces: dict[str, Trace] = field(default_factory=dict)
    pieces: dict[str, FoundPiece] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def traced(self, item_id: str, trace: Trace, pieces: Sequence[FoundPiece]) -> None:
        self.traces[item_id] = trace
        self.pieces.update((piece.chunk_id, piece) for piece in pieces)

    def failed(self, failure: Failure) -> None:
        self.failures.append(failure)


def _start(recipe: Recipe, served: Run | None) -> tuple[GateRule, ...]:
    """The rules where none are given, on what the golden set measures."""
    known = taken(served) if served else {}
    return tuple(
        GateRule(metric, not_worse_by=WORSE)
        for metric in (f"complete@{recipe.ask.context.passages}", "right")
        if any(score.value is not None for score in known.get(metric, {}).values())
    )


def _opened(base: KnowledgeBase, info: GenerationInfo) -> Snapshot:
    found: Snapshot = base.store.open(info.name)
    return found


def _asking(
    base: KnowledgeBase, snapshot: Snapshot, recipe: Recipe, read: Read, embedders: Embedders
) -> Asking:
    embeds = recipe.ask.search.embeds and recipe.ingest.embedder.name
    embedder = embedders(recipe.ingest.embedder) if embeds else None
    return Asking(
        finder=Finder(
            snapshot,
            lambda language: make_analyzer(recipe.ingest.analyzer, language),
            languages_of(snapshot),
            embedder,
        ),
        documents=read,
        recipe=recipe,
        audit=Unrecorded(),
        clock=base.clock,
        new_id=str,
    )


def _recipe_of(info: GenerationInfo, base: KnowledgeBase) -> Recipe | None:
    """The recipe in use with the ingest half that made a generation; None when it is not known."""
    if (info.ingest_hash, info.embedder) == (base.ingest_hash, base.fingerprint):
        return base.recipe
    for text in base.database.ledger.recipes():
        try:
            ingest = from_plain(Recipe, json.loads(text)).ingest
        except InputError:
            continue  # a recipe of another version
        if digest(ingest) == info.ingest_hash:
            rule = ingest.embedder
            made = make_embedder(rule, base.settings).fingerprint if rule.name else ""
            return replace(base.recipe, ingest=ingest) if made == info.embedder else None
    return None


def _evidence(located: Located, snapshot: Snapshot, read: Read) -> Mapping[str, Document]:
    rows = snapshot.documents()
    named = {
        evidence.document
        for item in located.items
        for way in (item.evidence, *item.alternatives)
        for evidence in way
    }
    return {id: read(id, rows[id].sha256) for id in named if id in rows}


def _fell(
    served: Run, candidate: Run, rules: Sequence[GateRule], lost: Mapping[str, str]
) -> Iterator[Fell]:
    """The questions that are worse under a rule's metric, in the golden set's order."""
    questions = dict(candidate.questions)
    known = taken(served), taken(candidate)
    for metric in dict.fromkeys(rule.metric for rule in rules):
        before, after = (
            under(metric, found, run) for found, run in zip(known, (served, candidate), strict=True)
        )
        sign = 1 if higher_is_better(metric) else -1
        for item, old in before.items():
            new = after.get(item)
            if old.value is None or new is None:
                continue
            if new.value is None:
                why = lost.get(item) or new.why
                yield Fell(item, questions[item], metric, old.value, None, why)
            elif sign * (new.value - old.value) < 0:
                yield Fell(item, questions[item], metric, old.value, new.value, new.why)
