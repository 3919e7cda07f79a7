"""What `doctor` looks at, one check each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import AnswerableError
from answerable.flow.stale import refuse_stale
from answerable.wire.base import KnowledgeBase

SAMPLE = 50
"""Stored vectors that are searched for to measure the recall of an approximate index."""

ENOUGH = 0.95
"""Recall below this is a fault."""


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: what was looked at, whether it is well, and the way out if not."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


def examine(kb: KnowledgeBase) -> tuple[Check, ...]:
    """Every check, in order; a check that cannot run is a failed one with the reason."""
    looks: Sequence[tuple[str, Callable[[KnowledgeBase], Check]]] = (
        ("configuration", _configuration),
        ("database", _database),
        ("audit trail", _trail),
        ("model", _model),
        ("index files", _files),
        ("index and recipe", _fits),
        ("documents kept", _documents),
        ("pieces over the limit", _over),
        ("dense recall", _recall),
    )
    checks = []
    for name, look in looks:
        try:
            checks.append(look(kb))
        except AnswerableError as fault:
            checks.append(Check(name, False, fault.message, fault.hint))
    return tuple(checks)


def _configuration(kb: KnowledgeBase) -> Check:
    return Check("configuration", True, f"{kb.settings.folder}, recipe {kb.recipe.hash()}")


def _database(kb: KnowledgeBase) -> Check:
    sources = kb.database.sources()
    return Check("database", True, f"opens; {len(sources)} sources registered")


def _trail(kb: KnowledgeBase) -> Check:
    broken = kb.database.verify_trail()
    if broken is None:
        return Check("audit trail", True, "every entry holds the hash of the one before")
    return Check("audit trail", False, f"entry {broken} was changed", "restore the database")


def _model(kb: KnowledgeBase) -> Check:
    if kb.embedder is None:
        return Check("model", True, "nothing is embedded")
    vectors = kb.embedder.questions(["does it work?"])
    norm = float(np.linalg.norm(vectors[0]))
    return Check("model", abs(norm - 1) < 1e-3, f"{kb.fingerprint}; a vector of length {norm:.4f}")


def _files(kb: KnowledgeBase) -> Check:
    problems = kb.store.verify()
    if problems:
        return Check("index files", False, "; ".join(problems), "run `answerable sync --rebuild`")
    return Check("index files", True, "every checksum is right")


def _fits(kb: KnowledgeBase) -> Check:
    info = kb.info()
    if info is None:
        return Check("index and recipe", True, "nothing is indexed yet")
    refuse_stale(info, kb.ingest_hash, kb.fingerprint)
    return Check("index and recipe", True, f"generation {info.name} fits the recipe")


def _documents(kb: KnowledgeBase) -> Check:
    if kb.info() is None:
        return Check("documents kept", True, "nothing is indexed yet")
    with kb.snapshot() as snapshot:
        rows = list(snapshot.documents().values())
        for row in rows:
            kb.document(row.id, row.sha256)
    return Check("documents kept", True, f"{len(rows)} documents can be shown")


def _over(kb: KnowledgeBase) -> Check:
    info = kb.info()
    over = info.over_limit if info else 0
    long = kb.recipe.ingest.embedder.long
    detail = f"{over} pieces are longer than the model reads at once"
    if over and long == "head":
        return Check(
            "pieces over the limit",
            False,
            detail + ": what stands behind is not found by meaning",
            "set ingest.embedder.long = 'windows', or cut smaller",
        )
    return Check("pieces over the limit", True, detail + (" (in windows)" if over else ""))


def _recall(kb: KnowledgeBase) -> Check:
    info = kb.info()
    if info is None or not info.vectors:
        return Check("dense recall", True, "no vectors")
    opened = kb.store.current()
    try:
        measured = opened.recall(SAMPLE)
    finally:
        opened.close()
    if measured is None:
        return Check("dense recall", True, "exact, nothing to measure")
    share, asked = measured
    return Check(
        "dense recall",
        share >= ENOUGH,
        f"recall@10 {share:.3f} of the exact search, n = {asked} stored vectors asked",
        f"below {ENOUGH}: run `answerable sync --rebuild`, and report it if it stays",
    )
