"""Hand-made runs: scores, standings and failures written out, nothing asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from answerable.records.evals import Score
from answerable.records.runs import Failure, Run, RunInfo, Standing

INFO = RunInfo(
    experiment="policies",
    arm="whole",
    recipe_hash="0123456789abcdef",
    sha256="a1" * 32,
    lock_version=3,
    golden_sha256="b2" * 32,
    depth=5,
    seed=0,
    checker="1",
    code="c0ffee1",
    dirty=False,
    at="2026-03-01T09:30:00Z",
    questions=0,
    pieces=120,
    seconds=4.2,
    complete=True,
)


def made_run(
    arm: str,
    scores: Mapping[str, Mapping[str, float | None]],
    standings: Sequence[Standing] = (),
    failures: Sequence[Failure] = (),
    questions: Mapping[str, str] | None = None,
    whys: Mapping[str, str] | None = None,
    **info: object,
) -> Run:
    """A run of `scores` by metric and item; `whys` by item say why a value is None."""
    items = dict.fromkeys(item for known in scores.values() for item in known)
    items |= dict.fromkeys(failure.item_id for failure in failures)
    texts = questions or {item: f"What does {item} say?" for item in items}
    return Run(
        replace(INFO, arm=arm, **{"questions": len(texts), **info}),  # type: ignore[arg-type]
        tuple(
            Score(item, metric, value, (whys or {}).get(item, "no evidence") * (value is None))
            for metric, known in scores.items()
            for item, value in known.items()
        ),
        tuple(standings),
        tuple(failures),
        tuple(texts.items()),
    )
