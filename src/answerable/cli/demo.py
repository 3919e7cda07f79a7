"""The main job, end to end, on the shipped example."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click
from rich.rule import Rule

from answerable.cli.common import json_option, out, print_json, progress_bar
from answerable.cli.find import print_answer, trace_json
from answerable.config import FILE, example_folder, write_recipe
from answerable.flow.profile import start
from answerable.wire.base import open_base
from answerable.wire.look import profile_of

QUESTIONS = (
    "How long do I get off when my baby is born if I work in the Norvania office?",
    "What does ERR-4120 mean?",
    "How much can I spend on meals per day on a business trip to Kelland?",
    "What is the price of a helicopter licence?",
)


@click.command()
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="Keep the result here.")
@json_option
def demo(folder: Path | None, as_json: bool) -> None:
    """Index the shipped handbook and ask it four questions, one of which it cannot answer."""
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="answerable-demo-"))
    documents = example_folder() / "docs"
    began = time.monotonic()
    with progress_bar() as progress:
        recipe, reasons = start(profile_of(str(documents), progress)[0])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(write_recipe(recipe, reasons), encoding="utf-8")
    base = open_base(folder)
    with progress_bar() as progress:
        report = base.add(str(documents), progress=progress)
    seconds = time.monotonic() - began
    traces = [base.ask(question) for question in QUESTIONS]
    if as_json:
        print_json({"kb": str(folder), "add": report, "answers": [trace_json(t) for t in traces]})
        return
    out.print(f"{report.added} documents of an invented company, indexed in {seconds:.0f} s:")
    for reason in reasons:
        out.print(f"  - {reason}", markup=False)
    for trace in traces:
        out.print(Rule(style="dim"))
        out.print(f"? {trace.question}", style="bold", markup=False)
        print_answer(trace)
    out.print(Rule(style="dim"))
    out.print(f'go on: answerable ask "..." --explain --kb {folder}', markup=False)
