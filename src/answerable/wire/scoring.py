"""A run folder scored from its own traces, or from those of an earlier version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from answerable.adapters.formats import lock as lock_file
from answerable.adapters.formats import run_folder, trec
from answerable.adapters.formats.report_html import report
from answerable.adapters.formats.run_folder import RunFolder
from answerable.errors import NotComparable, NotFound
from answerable.flow.absent import absent_words
from answerable.flow.judge import judge
from answerable.flow.lock import describe, moved, needs_asking
from answerable.flow.search import languages_in
from answerable.flow.trec import document_grades, document_rankings
from answerable.records.answers import Trace
from answerable.records.experiments import Arm, Lock
from answerable.records.runs import Failure, FoundPiece, RunInfo
from answerable.wire.base import make_analyzer
from answerable.wire.experiment import Opened


@dataclass(frozen=True, slots=True)
class Asked:
    """What asking left: traces by item, pieces by chunk, and the questions that failed."""

    traces: Mapping[str, Trace]
    pieces: Mapping[str, FoundPiece]
    failures: tuple[Failure, ...] = ()


def asked_before(folder: RunFolder) -> Asked:
    """The same as it lies in a folder."""
    failures = tuple(one for one in folder.failures() if one.stage == "ask")
    return Asked(folder.traces(), folder.pieces(), failures)


def carry(folder: RunFolder, arm: Arm, frozen: Lock, out: Path) -> Asked:
    """Take over the traces of the newest earlier version that still hold.

    Raises NotComparable where something moved that the answers stood on, NotFound without a run.
    """
    here = asked_before(folder)
    if here.traces:
        return here
    why = []
    for number in range(frozen.version - 1, 0, -1):
        old = RunFolder(out / f"v{number}" / arm.name)
        info, lock = old.info(), lock_file.read(old.path / run_folder.LOCK)
        if info is None or lock is None:
            continue
        parts = needs_asking(moved(lock, frozen), arm.name)
        if parts:
            why.append(f"since version {number} {'; '.join(describe(lock, frozen, parts)[:3])}")
            continue
        there = asked_before(old)
        folder.settle(list(there.traces), there.traces, there.pieces)
        # Code, time and cost stay those of the asking.
        about = ("code", "dirty", "at", "pieces", "seconds", "versions")
        asked = {name: getattr(info, name) for name in about}
        folder.update(replace(known(folder), **asked))
        return there
    if why:
        raise NotComparable(
            f"the traces of arm {arm.name!r} no longer hold: {' | '.join(why)}",
            "run it without --rescore",
        )
    raise NotFound(f"arm {arm.name!r} was never asked", "run it without --rescore")


def score(folder: RunFolder, arm: Arm, opened: Opened, asked: Asked) -> None:
    """Write scores, standings, failures, TREC files and report of what was asked."""
    located = opened.located
    documents = {document.id: document for document in opened.corpus.documents}
    rule = arm.recipe.ingest.analyzer
    judged = judge(
        located,
        asked.traces,
        asked.pieces,
        documents,
        opened.experiment.depth,
        absent_words(
            lambda language: make_analyzer(rule, language),
            languages_in(opened.corpus.rows().values()),
        ),
        opened.checks,
        asked.failures,
    )
    order = [item.id for item in opened.golden.items]
    folder.fail(order, [*asked.failures, *judged.failures])
    folder.judge(judged.scores, judged.standings, opened.checker, judged.decisions)
    word = trec.word
    rankings = document_rankings(located, asked.traces, asked.pieces).items()
    run = {word(item): [(word(uri), score) for uri, score in found] for item, found in rankings}
    grades = document_grades(located, documents).items()
    qrels = {word(item): {word(uri): one for uri, one in row.items()} for item, row in grades}
    folder.write(run_folder.TREC_RUN, trec.run_text(run, word(arm.name)))
    folder.write(run_folder.TREC_QRELS, trec.qrels_text(qrels))
    ended = {*asked.traces, *(failure.item_id for failure in asked.failures)}
    info = replace(known(folder), complete=ended >= set(order), checker=opened.checker)
    folder.update(info)
    folder.write(run_folder.REPORT, report([folder.read()]))


def known(folder: RunFolder) -> RunInfo:
    """The info of a run that was begun."""
    info = folder.info()
    if info is None:
        raise NotFound(f"no run in {folder.path}", "it was deleted meanwhile? run it again")
    return info
