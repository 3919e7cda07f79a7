"""Following the sources: sync once or every so often, and how fresh the index is."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from answerable.cli.common import base, err, json_option, kb_option, out, print_json, progress_bar
from answerable.cli.gated import code_of, gate_of, gate_options, leave_unless_whole
from answerable.cli.ingested import print_report
from answerable.errors import AnswerableError, UsageError
from answerable.records.codec import canonical_json
from answerable.records.index import IngestReport
from answerable.wire.rounds import rounds

if TYPE_CHECKING:
    from answerable.wire.base import KnowledgeBase

_EVERY = re.compile(r"([1-9][0-9]*)\s*([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@click.command()
@click.option("--rebuild", is_flag=True, help="Index everything again, whatever changed.")
@gate_options
@click.option("--every", metavar="TIME", help="Go on, a round every 30s, 10m, 2h or 1d.")
@kb_option
@json_option
def sync(
    rebuild: bool,
    golden: Path | None,
    rules: Path | None,
    every: str | None,
    kb: str,
    as_json: bool,
) -> None:
    """Bring every registered source up to date in one new generation.

    It is written beside the served one and takes its place in one step. A listing that is not
    complete removes nothing; what it did list is taken in. With --gate the questions are asked of
    both first: where they fall, additions and changes wait, while removals and changes of who may
    read are published in any case. With --every a round also begins when a webhook reports a page;
    --json then prints one line a round.
    """
    work = _Round(kb, rebuild, golden, rules)
    if every is None:
        report = work.run()
        print_report(report, as_json, named=True)
        leave_unless_whole(report)
        return
    pace = _pace(every)
    opened = base(kb)
    with _terminable():
        code = rounds(
            lambda: _reported(work, as_json),
            pace,
            opened.clock,
            sleep,
            opened.database.ledger.due,
        )
    err.print("stopped; what was read and embedded is kept")
    sys.exit(code)


@click.command()
@kb_option
@json_option
def status(kb: str, as_json: bool) -> None:
    """Show what is indexed, by which recipe, from where, and how fresh it is."""
    opened = base(kb)
    info = opened.info()
    wanted = (opened.ingest_hash, opened.fingerprint)
    stale = info is not None and (info.ingest_hash, info.embedder) != wanted
    ledger = opened.database.ledger
    last = ledger.last()
    found = {
        "documents": info.documents if info else 0,
        "chunks": info.chunks if info else 0,
        "vectors": info.vectors if info else 0,
        "over_limit": info.over_limit if info else 0,
        "generation": info.name if info else "",
        "at": info.at if info else "",
        "recipe": opened.recipe.hash(),
        "embedder": info.embedder if info else "",
        "sources": _sources(opened),
        "stale": stale,
        "last_sync": last,
        "failed": last.failed if last else None,
        "due": ledger.due(),
        "deletion_window_seconds": ledger.longest_window(),
    }
    if as_json:
        print_json(found)
        return
    out.print(_table(found, opened.recipe.ingest.embedder.long))


def _table(found: dict[str, Any], long: str) -> Table:
    table = Table(show_header=False, box=None)
    for key in ("documents", "chunks", "vectors", "generation", "at", "recipe"):
        table.add_row(key, str(found[key]))
    table.add_row("stale", "yes: run `answerable sync --rebuild`" if found["stale"] else "no")
    if found["over_limit"]:
        table.add_row(
            "over limit",
            f"{found['over_limit']} pieces are longer than the embedder reads at once ({long})",
        )
    if last := found["last_sync"]:
        held = {"passed": "; the gate passed", "failed": "; the gate failed, changes wait"}
        table.add_row(
            "last sync",
            f"{last.listed_at}, {last.failed} failed{held.get(last.gate, '')}",
        )
    if found["due"]:
        table.add_row("due", f"{found['due']} pages were reported changed since")
    if (window := found["deletion_window_seconds"]) is not None:
        table.add_row("deletions", f"a deleted document could be found for at most {window:.0f} s")
    for source in found["sources"]:
        shown = ("name", "kind", "listed_at", "complete")
        options = ", ".join(f"{k}={v}" for k, v in source.items() if k not in shown)
        listed = f"listed {source['listed_at']}" if source["listed_at"] else "never listed"
        if source["complete"] is False:
            listed += ", incomplete"
        table.add_row("source", f"{source['name']} ({source['kind']}) {options}; {listed}")
    return table


def _sources(opened: KnowledgeBase) -> list[dict[str, Any]]:
    """Each source with its options, which are its boundary, and when it was listed."""
    listed = opened.database.ledger.listed()
    found = []
    for row in opened.database.sources():
        seen = listed.get(row.name)
        found.append(
            {
                "name": row.name,
                "kind": row.kind,
                **row.options,
                "listed_at": seen.listed_at if seen else "",
                "complete": seen.complete if seen else None,
            }
        )
    return found


@dataclass(frozen=True, slots=True)
class _Round:
    """One sync as the options ask for it; configuration and questions are read anew each time."""

    kb: str
    rebuild: bool
    golden: Path | None
    rules: Path | None

    def run(self) -> IngestReport:
        gate = gate_of(self.golden, self.rules)
        opened = base(self.kb)
        try:
            with progress_bar() as progress:
                return opened.sync(progress=progress, rebuild=self.rebuild, gate=gate)
        finally:
            opened.database.close()


def _reported(work: _Round, as_json: bool) -> int:
    """One round of many: a fault is told and ends this round only."""
    try:
        report = work.run()
    except AnswerableError as fault:
        named = fault
    except OSError as fault:
        named = AnswerableError(f"{fault.filename or 'a file'}: {fault.strerror or fault}")
    else:
        if as_json:
            click.echo(canonical_json(report))
        else:
            out.print(f"round of {report.listed_at}", style="dim")
            print_report(report, False, named=True)
        return code_of(report)
    err.print(f"error: {named}", style="red")
    if as_json:
        said = {"type": type(named).__name__, "message": named.message, "exit": named.exit_code}
        click.echo(canonical_json({"error": said}))
    return named.exit_code


def _pace(every: str) -> float:
    found = _EVERY.fullmatch(every.strip())
    if not found:
        raise UsageError(f"--every {every!r} is no time", "write 30s, 10m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


@contextmanager
def _terminable() -> Iterator[None]:
    """A polite kill ends the loop as an interruption by a person does."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
