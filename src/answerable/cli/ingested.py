"""What an add, sync or drop did, printed or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.cli.common import err, out, print_json
from answerable.records.index import Fell, Gated, IngestReport

SHOWN = 20
"""Documents, notes and questions that are printed by name; --json has them all."""


def print_report(report: IngestReport, as_json: bool, *, named: bool = False) -> None:
    """The counts, and on standard error what was skipped; `named`: each document that changed."""
    if as_json:
        print_json(report)
        return
    read = report.added + report.changed + report.unchanged
    rate = f", {read / report.seconds:.0f} files/s" if report.seconds > 0.5 else ""
    waits = "not published: " if report.gate is not None and not report.gate.passed else ""
    out.print(
        f"{waits}{report.added} added, {report.changed} changed, {report.unchanged} unchanged, "
        f"{report.removed} removed, {len(report.skipped)} skipped "
        f"in {report.seconds:.1f} s{rate}; generation {report.generation}"
    )
    if named:
        lines = [f"  {change.what:<8}  {change.uri}" for change in report.changes]
        _print_some(lines, "documents")
    if report.deletion_window_seconds is not None:
        out.print(
            "what is removed could be found for at most "
            f"{report.deletion_window_seconds:.0f} s after its deletion"
        )
    for skipped in report.skipped:
        err.print(f"skipped {skipped.uri}: {skipped.reason}", style="yellow", markup=False)
    worst_first = sorted(report.notes, key=lambda note: note.uri not in report.incomplete)
    for note in worst_first[:SHOWN]:
        err.print(f"note {note.uri}: {note.reason}", style="dim", markup=False)
    if len(report.notes) > SHOWN:
        err.print(f"... and {len(report.notes) - SHOWN} more notes (--json lists all)", style="dim")
    if not report.complete:
        names = ", ".join(report.incomplete)
        err.print(
            f"the listing of {names} was incomplete: nothing of it was removed", style="yellow"
        )
    if report.gate is not None:
        _print_gate(report.gate, report)


def joined(reports: Sequence[IngestReport]) -> IngestReport:
    """Several reports, one after another, as one."""
    last = reports[-1]
    gates = [r.gate for r in reports if r.gate is not None]
    windows = [r.deletion_window_seconds for r in reports if r.deletion_window_seconds is not None]
    return IngestReport(
        added=sum(r.added for r in reports),
        changed=sum(r.changed for r in reports),
        unchanged=sum(r.unchanged for r in reports),
        removed=sum(r.removed for r in reports),
        skipped=tuple(s for r in reports for s in r.skipped),
        generation=last.generation,
        seconds=round(sum(r.seconds for r in reports), 3),
        complete=all(r.complete for r in reports),
        notes=tuple(n for r in reports for n in r.notes),
        embedded=sum(r.embedded for r in reports),
        parsed=sum(r.parsed for r in reports),
        failed=sum(r.failed for r in reports),
        checkpoints=tuple(c for r in reports for c in r.checkpoints),
        changes=tuple(c for r in reports for c in r.changes),
        incomplete=tuple(name for r in reports for name in r.incomplete),
        down=tuple(name for r in reports for name in r.down),
        listed_at=reports[0].listed_at,
        swapped_at=last.swapped_at,
        swapped=any(r.swapped for r in reports),
        withdrawn=any(r.withdrawn for r in reports),
        gate=next((gate for gate in gates if not gate.passed), gates[-1] if gates else None),
        deletion_window_seconds=max(windows, default=None),
    )


def _print_gate(gate: Gated, report: IngestReport) -> None:
    for said in gate.checked:
        broken = said in gate.failures
        out.print(f"{'broken' if broken else 'holds '}  {said}", style="red" if broken else "green")
    if gate.fell:
        out.print(f"{len(gate.fell)} fell:")
        _print_some([_line(one) for one in gate.fell], "falls")
    if gate.quarantined:
        out.print(f"{len(gate.quarantined)} questions have lost their evidence:")
        _print_some([f"  {item}: {why}" for item, why in gate.quarantined], "questions")
    if gate.passed:
        err.print("the gate passed")
        return
    said = (
        "removals and changes of who may read are published, additions and changes wait"
        if report.withdrawn
        else "nothing is published"
    )
    err.print(f"the gate failed: {said}; generation {report.generation} is served", style="red")


def _line(one: Fell) -> str:
    after = "not measurable" if one.after is None else f"{one.after:g}"
    why = f" ({one.why})" if one.why else ""
    return f"  {one.item_id}  {one.metric} {one.before:g} -> {after}{why}: {one.question}"


def _print_some(lines: Sequence[str], what: str) -> None:
    for line in lines[:SHOWN]:
        out.print(line)
    if len(lines) > SHOWN:
        out.print(f"  ... and {len(lines) - SHOWN} more {what} (--json lists all)")
