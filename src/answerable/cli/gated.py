"""The gate of an ingest: its options, its questions, and how a refusal leaves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from answerable.cli.common import err
from answerable.errors import ServiceError, UsageError
from answerable.records.index import IngestReport
from answerable.wire.table import load

if TYPE_CHECKING:
    from answerable.wire.sync import Gate

F = TypeVar("F", bound=Callable[..., Any])

_golden: Callable[[F], F] = click.option(
    "--gate",
    "golden",
    type=click.Path(path_type=Path),
    metavar="GOLDEN.jsonl",
    help="Publish only what these questions do not fall by; exit 1 if they do.",
)
_rules: Callable[[F], F] = click.option(
    "--rules",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="RULES.toml",
    help="What --gate demands; without, complete evidence and right answers must not fall by "
    "over 0.02.",
)


def gate_options(command: F) -> F:
    """The options --gate and --rules."""
    return _golden(_rules(command))


def gate_of(golden: Path | None, rules: Path | None) -> Gate | None:
    """What the options demand; golden lines that cannot be used are told."""
    if golden is None:
        if rules:
            raise UsageError("--rules without --gate", "name the golden set: --gate GOLDEN.jsonl")
        return None
    gate, problems = load("gate", "golden")(golden, rules)
    for problem in problems:
        err.print(f"left out: {problem}", style="yellow")
    found: Gate = gate
    return found


def code_of(report: IngestReport) -> int:
    """1 where a gate said no, 5 where a source could not be listed at all."""
    if report.gate is not None and not report.gate.passed:
        return 1
    return ServiceError.exit_code if report.down else 0


def leave_unless_whole(report: IngestReport) -> None:
    """End the process where a gate said no or a source is down, as `code_of` has it."""
    if code_of(report):
        sys.exit(code_of(report))
