"""Whether two runs measure the same thing."""

from __future__ import annotations

from answerable.errors import NotComparable
from answerable.measure.tally import FAILURE_LIMIT
from answerable.records.runs import Run


def check(base: Run, candidate: Run) -> None:
    """Raise NotComparable, with all that differs, where the two runs measure different things.

    That is: another golden set, another version of the measures, no question in common, or more
    than `FAILURE_LIMIT` of a run's questions failed.
    """
    reasons = []
    for what, one, other in (
        ("golden set", base.info.golden_sha256[:12], candidate.info.golden_sha256[:12]),
        ("checker version", base.info.checker, candidate.info.checker),
    ):
        if one != other:
            reasons.append(f"{what} {one or 'unknown'} against {other or 'unknown'}")
    shared = {item for item, _ in base.questions} & {item for item, _ in candidate.questions}
    if not shared:
        reasons.append(
            f"no question in common ({len(base.questions)} against {len(candidate.questions)})"
        )
    for side, run in (("base", base), ("candidate", candidate)):
        failed, asked = failed_share(run)
        if failed > FAILURE_LIMIT * asked:
            reasons.append(
                f"{failed} of {asked} questions failed in {side} {run.info.arm!r}, "
                f"over the limit of {FAILURE_LIMIT:.0%}"
            )
    if reasons:
        raise NotComparable(
            f"{base.info.arm!r} and {candidate.info.arm!r} are not comparable: "
            + "; ".join(reasons),
            "compare runs of one golden set scored by one version of the measures; "
            "`answerable run EXPERIMENT --rescore` scores traces anew without asking",
        )


def failed_share(run: Run) -> tuple[int, int]:
    """How many questions failed, of how many that were asked."""
    failed = {failure.item_id for failure in run.failures}
    return len(failed), max(run.info.questions, len(run.questions), len(failed))
