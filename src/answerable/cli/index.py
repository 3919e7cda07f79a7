"""Making and filling a knowledge base: init, add, sync, status."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from answerable.cli.common import base, err, json_option, kb_option, out, print_json, progress_bar
from answerable.config import FILE, write_recipe
from answerable.errors import UsageError
from answerable.flow.profile import start
from answerable.records.index import IngestReport
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
@kb_option
@json_option
def add(
    targets: tuple[str, ...],
    options: tuple[str, ...],
    name: str,
    rebuild: bool,
    kb: str,
    as_json: bool,
) -> None:
    """Register sources and index them: folders, files, JSONL files or URIs.

    URIs: confluence+https://SITE/wiki?space=KEY, git+https://HOST/REPOSITORY, https://SITE/PAGE or
    a sitemap. A second run reads only what changed; what was removed from a source is gone.
    """
    if name and len(targets) > 1:
        raise UsageError(f"--name {name!r} for {len(targets)} sources", "add them one by one")
    opened = base(kb)
    with progress_bar() as progress:
        reports = [
            opened.add(one, options, name=name, progress=progress, rebuild=rebuild)
            for one in targets
        ]
    print_report(_joined(reports), as_json)


@click.command()
@click.option("--rebuild", is_flag=True, help="Index everything again, whatever changed.")
@kb_option
@json_option
def sync(rebuild: bool, kb: str, as_json: bool) -> None:
    """Bring every registered source up to date in one new generation."""
    with progress_bar() as progress:
        report = base(kb).sync(progress=progress, rebuild=rebuild)
    print_report(report, as_json)


@click.command()
@kb_option
@json_option
def status(kb: str, as_json: bool) -> None:
    """Show what is indexed, by which recipe, from where."""
    opened = base(kb)
    info = opened.info()
    wanted = (opened.ingest_hash, opened.fingerprint)
    stale = info is not None and (info.ingest_hash, info.embedder) != wanted
    sources = [{"name": s.name, "kind": s.kind, **s.options} for s in opened.database.sources()]
    found = {
        "documents": info.documents if info else 0,
        "chunks": info.chunks if info else 0,
        "vectors": info.vectors if info else 0,
        "over_limit": info.over_limit if info else 0,
        "generation": info.name if info else "",
        "at": info.at if info else "",
        "recipe": opened.recipe.hash(),
        "embedder": info.embedder if info else "",
        "sources": sources,
        "stale": stale,
    }
    if as_json:
        print_json(found)
        return
    table = Table(show_header=False, box=None)
    for key in ("documents", "chunks", "vectors", "generation", "at", "recipe"):
        table.add_row(key, str(found[key]))
    table.add_row("stale", "yes: run `answerable sync --rebuild`" if stale else "no")
    if found["over_limit"]:
        table.add_row(
            "over limit",
            f"{found['over_limit']} pieces are longer than the embedder reads at once "
            f"({opened.recipe.ingest.embedder.long})",
        )
    for source in sources:
        place = f"{source['name']} ({source['kind']}) {source.get('root', '')}"
        table.add_row("source", escape(place))
    out.print(table)


def print_report(report: IngestReport, as_json: bool) -> None:
    """What an add, sync or drop did; what was skipped goes to standard error."""
    if as_json:
        print_json(report)
        return
    read = report.added + report.changed + report.unchanged
    rate = f", {read / report.seconds:.0f} files/s" if report.seconds > 0.5 else ""
    out.print(
        f"{report.added} added, {report.changed} changed, {report.unchanged} unchanged, "
        f"{report.removed} removed, {len(report.skipped)} skipped "
        f"in {report.seconds:.1f} s{rate}; generation {report.generation}"
    )
    for skipped in report.skipped:
        err.print(f"skipped {skipped.uri}: {skipped.reason}", style="yellow", markup=False)
    for note in report.notes[:20]:
        err.print(f"note {note.uri}: {note.reason}", style="dim", markup=False)
    if len(report.notes) > 20:
        err.print(f"... and {len(report.notes) - 20} more notes (--json lists all)", style="dim")
    if not report.complete:
        err.print("the listing was incomplete: nothing was removed", style="yellow")


def _joined(reports: list[IngestReport]) -> IngestReport:
    last = reports[-1]
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
    )


def _kb_flag(folder: Path) -> str:
    return "" if folder == Path() else f" --kb {folder}"
