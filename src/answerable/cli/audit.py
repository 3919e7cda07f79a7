"""The trail of questions: list, show, verify."""

from __future__ import annotations

import sys

import click

from answerable.cli.common import base, json_option, kb_option, out, print_json
from answerable.cli.find import print_answer, trace_json
from answerable.records.answers import Trace


@click.group()
def audit() -> None:
    """The trail: every question, what was found and what was answered."""


@audit.command("list")
@click.option("-n", "--limit", default=20, show_default=True, help="How many entries are shown.")
@kb_option
@json_option
def list_traces(limit: int, kb: str, as_json: bool) -> None:
    """The newest entries first."""
    entries = base(kb).database.traces(limit)
    if as_json:
        print_json(
            {
                "entries": [
                    {
                        "id": t.id,
                        "at": t.at,
                        "principal": t.principal,
                        "question": t.question,
                        "route": t.route.name,
                        "refused": t.answer.refused,
                    }
                    for t in entries
                ]
            }
        )
        return
    for trace in entries:
        out.print(
            f"{trace.id[:12]}  {trace.at}  {trace.route.name:7} {trace.question}", markup=False
        )


@audit.command("show")
@click.argument("trace_id")
@kb_option
@json_option
def show(trace_id: str, kb: str, as_json: bool) -> None:
    """One entry whole; the first characters of its id are enough."""
    trace = base(kb).database.trace(trace_id)
    if as_json:
        print_json(trace_json(trace))
        return
    _print(trace)


def _print(trace: Trace) -> None:
    for name, value in (
        ("question", trace.question),
        ("asked", trace.at + (f" by {trace.principal}" if trace.principal else "")),
        ("route", f"{trace.route.name}: {trace.route.reason}"),
        ("recipe", f"{trace.recipe_hash}, generation {trace.generation}"),
        ("seconds", ", ".join(f"{stage} {spent:.3f}" for stage, spent in trace.seconds)),
    ):
        out.print(f"{name:>8}: {value}", markup=False)
    out.print()
    print_answer(trace)
    for sentence in trace.answer.sentences:
        for citation in sentence.citations:
            place = f"{citation.uri} {citation.span.start}-{citation.span.end}"
            out.print(f'{place}: "{citation.quote}"', style="dim", markup=False)


@audit.command("verify")
@kb_option
@json_option
def verify(kb: str, as_json: bool) -> None:
    """Check that no entry was changed or taken out; exit 1 if one was."""
    broken = base(kb).database.verify_trail()
    if as_json:
        print_json({"intact": broken is None, "broken": broken})
    else:
        out.print("intact" if broken is None else f"broken at entry {broken}")
    if broken is not None:
        sys.exit(1)
