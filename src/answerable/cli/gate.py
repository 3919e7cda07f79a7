"""Release and watch: gate, drift."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from answerable.adapters.formats.gate_rules import read_rules
from answerable.adapters.formats.github import summary, workflow_commands
from answerable.adapters.formats.junit import junit
from answerable.adapters.formats.run_folder import RunFolder
from answerable.adapters.staged_file import unwritable, write_whole
from answerable.cli.common import err, json_option, out, print_json
from answerable.measure.gate import gate as check_gate
from answerable.records.rules import GateResult

_run = click.Path(exists=True, file_okay=False, path_type=Path)
_file = click.Path(dir_okay=False, path_type=Path)

SHOWN = 10
"""Questions of a broken rule that are printed; --json has them all."""


@click.command()
@click.argument("run", type=_run)
@click.option("--against", type=_run, help="The run folder of the baseline.")
@click.option(
    "--rules",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="TOML with [[rule]] tables; without, the headline metric must not fall by over 0.02.",
)
@click.option("--junit", "junit_file", type=_file, help="Also write JUnit XML to this file.")
@click.option("--github", is_flag=True, help="Also print workflow_commands for GitHub Actions.")
@click.option(
    "--summary", "summary_file", type=_file, help="Append a Markdown summary to this file."
)
@click.option("--seed", default=0, type=click.IntRange(0), help="Of the interval's bootstrap.")
@json_option
def gate(
    run: Path,
    against: Path | None,
    rules: Path | None,
    junit_file: Path | None,
    github: bool,
    summary_file: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """May RUN be released? Exit 0 yes, 1 no, 2 not comparable.

    Each rule bounds a metric's mean (at_least, at_most), or demands that with some confidence the
    run is not worse than the baseline by more than an amount (not_worse_by).
    """
    base = RunFolder(against).read() if against else None
    candidate = RunFolder(run).read()
    result = check_gate(candidate, base, read_rules(rules) if rules else (), seed=seed)
    title = f"{candidate.info.experiment} {candidate.info.arm}"
    if junit_file:
        write_whole(junit_file, junit(result, f"answerable.{title}"))
    if summary_file:
        try:
            with summary_file.open("a", encoding="utf-8", errors="replace") as file:
                file.write(summary(result, title))
        except OSError as fault:
            raise unwritable(summary_file, fault) from fault
    if github:
        # Annotations are read from either stream; standard output stays JSON where asked for.
        click.echo(workflow_commands(result, title), nl=False, err=as_json)
    if as_json:
        print_json(
            {
                "passed": result.passed,
                "failures": result.failures,
                "checked": result.checked,
                "run": str(run),
                "against": str(against) if against else None,
            }
        )
    else:
        _print(result)
    if not result.passed:
        sys.exit(1)


def _print(result: GateResult) -> None:
    broken = {failure.detail: failure for failure in result.failures}
    for said in result.checked:
        if said not in broken:
            out.print(f"holds   {said}", markup=False, style="green")
            continue
        out.print(f"broken  {said}", markup=False, style="red")
        items = broken[said].questions
        if items:
            more = f" and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
            out.print(f"        questions: {', '.join(items[:SHOWN])}{more}", markup=False)
    count = len(result.failures)
    state = "passed" if result.passed else f"failed: {count} rule{'s' * (count > 1)} broken"
    err.print(f"the gate {state}", markup=False)
