"""Making and filling a knowledge base: init, add."""

from __future__ import annotations

from pathlib import Path

import click

from answerable.cli.common import base, json_option, kb_option, out, print_json, progress_bar
from answerable.cli.gated import gate_of, gate_options, leave_unless_whole
from answerable.cli.ingested import joined, print_report
from answerable.config import FILE, write_recipe
from answerable.errors import UsageError
from answerable.flow.profile import start
from answerable.records.recipe import Recipe
from answerable.wire.look import profile_of


@click.command()
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option("--from", "source", metavar="PATH", help="Profile these documents for a start.")
@click.option("--force", is_flag=True, help="Write over an answerable.toml that is there.")
@json_option
def init(folder: Path, source: str | None, force: bool, as_json: bool) -> None:
    """Make a knowledge base in FOLDER.

    With --from, the documents there are profiled and the start recipe says why it is so.
    """
    path = folder / FILE
    if path.exists() and not force:
        raise UsageError(f"{path} is there already", "give --force to write over it")
    recipe = Recipe()
    reasons: tuple[str, ...] = ("the plain defaults: `answerable profile PATH` gives reasons",)
    if source:
        with progress_bar() as progress:
            recipe, reasons = start(profile_of(source, progress)[0])
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(write_recipe(recipe, reasons), encoding="utf-8")
    if as_json:
        print_json({"config": str(path), "reasons": list(reasons)})
        return
    out.print(f"wrote {path}", markup=False)
    for reason in reasons:
        out.print(f"  - {reason}", markup=False)
    if source:
        out.print(f"next: answerable add {source}" + _kb_flag(folder), markup=False)


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="PATH_OR_URI...")
@click.option(
    "--with",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the source, as in --with include='*.md'; may be repeated.",
)
@click.option("--name", default="", help="What the source is called (default: after its place).")
@click.option("--rebuild", is_flag=True, help="Index everything again, whatever changed.")
@gate_options
@kb_option
@json_option
def add(
    targets: tuple[str, ...],
    options: tuple[str, ...],
    name: str,
    rebuild: bool,
    golden: Path | None,
    rules: Path | None,
    kb: str,
    as_json: bool,
) -> None:
    """Register sources and index them: folders, files, JSONL files or URIs.

    URIs: confluence+https://SITE/wiki?space=KEY, git+https://HOST/REPOSITORY, https://SITE/PAGE or
    a sitemap. A second run reads only what changed; what was removed from a source is gone.
    """
    if name and len(targets) > 1:
        raise UsageError(f"--name {name!r} for {len(targets)} sources", "add them one by one")
    gate = gate_of(golden, rules)
    opened = base(kb)
    with progress_bar() as progress:
        reports = [
            opened.add(one, options, name=name, progress=progress, rebuild=rebuild, gate=gate)
            for one in targets
        ]
    report = joined(reports)
    print_report(report, as_json)
    leave_unless_whole(report)


def _kb_flag(folder: Path) -> str:
    return "" if folder == Path() else f" --kb {folder}"
