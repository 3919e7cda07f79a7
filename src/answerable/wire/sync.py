"""Sources brought up to date in a knowledge base, and what the ledger keeps of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from answerable import config
from answerable.adapters.clock import seconds_between
from answerable.adapters.ledger import Listed
from answerable.errors import AnswerableError, InputError, StaleIndex
from answerable.flow.embed import embed_chunks
from answerable.flow.ingest import ingest
from answerable.flow.job import Job
from answerable.flow.prepare import Embed, Preparation
from answerable.flow.remember import EmbedOnce, PoolOnce
from answerable.ports import Floats, Progress, Snapshot, Source
from answerable.records.codec import canonical_json, to_plain
from answerable.records.docs import Known
from answerable.records.index import Gated, GenerationInfo, IngestReport
from answerable.records.recipe import digest
from answerable.wire.cutting import make_late
from answerable.wire.limits import Limited
from answerable.wire.surroundings import surroundings

if TYPE_CHECKING:
    from answerable.wire.base import KnowledgeBase

Gate = Callable[["KnowledgeBase", GenerationInfo, Progress], Gated]
"""What a prepared generation is worth beside the served one."""


def bring(
    base: KnowledgeBase,
    sources: Sequence[Source],
    progress: Progress,
    *,
    rebuild: bool = False,
    others: Set[str] | None = None,
    gate: Gate | None = None,
) -> IngestReport:
    """One ingest under the writer lock, with its row in the ledger; see `flow.ingest.ingest`."""
    rule, embedder = base.recipe.ingest.embedder, base.embedder
    late = _late(base)
    embed = _embed(base) if late is None else None
    memory = late or embed
    limited = Limited(base.cut, embedder.limit if embedder and embed else 0, rule.long)
    alone = Known(passwords=tuple(config.secret(one) for one in base.settings.passwords))
    verdicts: list[Gated] = []

    def accept(info: GenerationInfo) -> bool:
        assert gate is not None
        verdicts.append(gate(base, info, progress))
        return verdicts[-1].passed

    job = Job(
        read=base.read,
        surroundings=lambda listings: surroundings(listings, alone),
        preparation=Preparation(
            cut=limited,
            analyzer=base.analyzer,
            embed=embed,
            dimensions=embedder.dimensions if embedder else 0,
            late=late,
        ),
        store=base.store,
        archive=base.database,
        clock=base.clock,
        ingest_hash=base.ingest_hash,
        fingerprint=base.fingerprint,
        progress=progress,
        older=lambda: _older(base),
        accept=accept if gate else None,
    )
    with base.store.writing():
        snapshot = _replaced(base) if memory else None
        try:
            if memory and snapshot and _same_vectors(base, snapshot.info):
                old = snapshot
                job = replace(job, carry=lambda row: memory.carry(old, row, base.document))
            report = ingest(sources, job, rebuild=rebuild, others=others)
        finally:
            if snapshot:
                snapshot.close()
        report = replace(
            report,
            embedded=memory.embedded if memory else 0,
            notes=(*report.notes, *limited.notes),
            gate=verdicts[-1] if verdicts else None,
        )
        return _noted(base, report, [source.name for source in sources])


def _noted(base: KnowledgeBase, report: IngestReport, names: Sequence[str]) -> IngestReport:
    """The report with its deletion window, after the ledger has it."""
    ledger = base.database.ledger
    before = ledger.listed()
    windows = [
        max(0.0, seconds_between(before[change.source].complete_at, report.swapped_at))
        for change in report.changes
        if change.what == "removed"
        and change.source in names
        and report.swapped_at
        and change.source in before
        and before[change.source].complete_at
    ]
    report = replace(report, deletion_window_seconds=round(max(windows), 3) if windows else None)
    refused = report.gate is not None and not report.gate.passed
    given = dict(report.checkpoints)
    found = []
    for name in names:
        old = before.get(name)
        complete = name not in report.incomplete
        kept = old.checkpoint if old else ""
        found.append(
            Listed(
                name,
                kept if refused else given.get(name) or kept,
                report.listed_at,
                complete,
                report.listed_at if complete else old.complete_at if old else "",
            )
        )
    ledger.put_listed(found)
    ledger.record(report, canonical_json(base.recipe) if report.swapped else "")
    if not refused:
        ledger.serve(names, report.listed_at)
    return report


def _older(base: KnowledgeBase) -> Set[tuple[str, str]]:
    """(id, sha256) of the kept generations before the last two, as far as they can be read."""
    found: set[tuple[str, str]] = set()
    try:
        for info in base.store.generations()[2:]:
            snapshot = base.store.open(info.name)
            found.update((row.id, row.sha256) for row in snapshot.documents().values())
            snapshot.close()
    except (AnswerableError, OSError):
        return found  # what cannot be read cannot be gone back to
    return found


def _replaced(base: KnowledgeBase) -> Snapshot | None:
    """The generation whose vectors can be used again; None if it cannot be read."""
    try:
        found: Snapshot | None = base.store.current()
    except (InputError, StaleIndex):
        return None
    return found


def _same_vectors(base: KnowledgeBase, made: GenerationInfo) -> bool:
    """Whether the recipe in use would give the vectors of a generation for the same text."""
    if made.embedder != base.fingerprint:
        return False
    if made.ingest_hash == base.ingest_hash:
        return True
    wanted = to_plain(base.recipe.ingest.embedder)
    halves = (json.loads(recipe)["ingest"] for recipe in base.database.ledger.recipes())
    return any(half["embedder"] == wanted for half in halves if digest(half) == made.ingest_hash)


def _late(base: KnowledgeBase) -> PoolOnce | None:
    embedder = base.embedder
    late = make_late(base.recipe.ingest.embedder, embedder) if embedder else None
    if embedder is None or late is None:
        return None
    space = f"{embedder.fingerprint} late"
    staging = base.database.staging
    return PoolOnce(
        late,
        lambda keys: staging.staged(space, keys),
        lambda rows: staging.stage(space, rows),
    )


def _embed(base: KnowledgeBase) -> EmbedOnce | None:
    embedder = base.embedder
    if embedder is None:
        return None
    long = base.recipe.ingest.embedder.long
    fingerprint = embedder.fingerprint

    def run(texts: Sequence[str]) -> tuple[Floats, tuple[int, ...]]:
        done = embed_chunks(embedder, texts, long)
        return done.vectors, done.owners

    embed: Embed = run
    staging = base.database.staging
    return EmbedOnce(
        embed,
        lambda keys: staging.staged(fingerprint, keys),
        lambda rows: staging.stage(fingerprint, rows),
    )
