"""Golden sets: the group of commands, and check."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from answerable.cli.common import err, json_option, kb_option, out, print_json
from answerable.cli.golden_anchor import anchor
from answerable.cli.golden_convert import export, import_
from answerable.cli.golden_documents import documents_if_any, documents_option, golden_argument
from answerable.cli.golden_label import agreement, grade, label, pool
from answerable.errors import InputError
from answerable.flow.golden_check import Finding, check_items, check_places, detects, leaks
from answerable.flow.locate import locate
from answerable.records.evals import GoldenSet
from answerable.wire.golden import read_golden

SHOWN = 10
"""How many problems of a kind are printed; --json has them all."""


@click.group()
def golden() -> None:
    """Marked questions: check them, convert them, label more, carry them over edits."""


@golden.command()
@golden_argument
@click.option(
    "--apart-from",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Another set, with which no question or evidence may be shared.",
)
@documents_option
@kb_option
@json_option
def check(
    path: Path, apart_from: Path | None, documents: tuple[Path, ...], kb: str, as_json: bool
) -> None:
    """Look over the golden set FILE (a .jsonl, or a BEIR FOLDER#SPLIT) before using it.

    Errors end with code 3: lines that cannot be read, evidence that is not in its document, quotes
    that stand several times and have no span, contradictions, repeated items, and questions or
    evidence shared by groups that must be apart (train, dev, test and the like). Warnings do not.
    It also says how small a difference the set can show.
    """
    given, unread = read_golden(path)
    findings = [Finding("error", "unreadable", "", what) for what in unread]
    located = given.items
    with documents_if_any(path, documents, kb) as found:
        if found is not None:
            findings += check_places(given.items, found.rows, found.read)
            located = locate(given, found.rows, found.read).items
    findings += check_items(given.items, located)
    if apart_from is not None:
        other, more = read_golden(apart_from)
        findings += [Finding("error", "unreadable", "", what) for what in more]
        findings += leaks({f"{apart_from}": other.items, f"{path}": given.items})
    answerable = sum(item.answerable for item in given.items)
    errors = sum(finding.level == "error" for finding in findings)
    if as_json:
        print_json(
            {
                "items": len(given.items),
                "answerable": answerable,
                "groups": Counter(item.group for item in given.items if item.group),
                "categories": Counter(item.category for item in given.items if item.category),
                "documents_checked": found is not None,
                "errors": errors,
                "warnings": len(findings) - errors,
                "detects": [
                    {"moved": moved, "difference": difference}
                    for moved, difference in detects(answerable)
                ],
                "problems": [
                    {"level": f.level, "kind": f.kind, "item": f.item_id, "what": f.what}
                    for f in findings
                ],
            }
        )
    else:
        _print_findings(findings)
        _print_set(given, errors, len(findings) - errors)
        if found is None:
            err.print("the documents were not looked into: give --kb DIR or --documents PATH")
    if errors:
        sys.exit(InputError.exit_code)


def _print_findings(findings: Sequence[Finding]) -> None:
    counts = Counter((finding.level, finding.kind) for finding in findings)
    for (level, kind), count in sorted(counts.items()):
        out.print(
            f"{level}: {kind} ({count})",
            style="red" if level == "error" else "yellow",
            markup=False,
        )
        these = [finding for finding in findings if (finding.level, finding.kind) == (level, kind)]
        for finding in these[:SHOWN]:
            out.print(
                f"  {finding.item_id + ': ' if finding.item_id else ''}{finding.what}",
                markup=False,
            )
        if count > SHOWN:
            out.print(f"  and {count - SHOWN} more; --json shows all")


def _print_set(given: GoldenSet, errors: int, warnings: int) -> None:
    count = len(given.items)
    answerable = sum(item.answerable for item in given.items)
    out.print(
        f"{_many(count, 'question')}, {answerable} answerable; "
        f"{_many(errors, 'error')}, {_many(warnings, 'warning')}",
        style="bold",
    )
    which = f"{count}" if answerable == count else f"the {answerable} answerable"
    for moved, difference in detects(answerable):
        shown = "nothing reliably" if difference is None else f"differences of {difference:.3f}"
        more = "" if difference is None else " or more"
        out.print(
            f"where {moved:.0%} of the questions move, {which} can show {shown}{more} "
            "of a share (paired, p < 0.05, 80 % power)"
        )


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


for command in (import_, export, anchor, pool, label, agreement, grade):
    golden.add_command(command)
