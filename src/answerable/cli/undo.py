"""Taking back: rollback to a kept generation, drop a source."""

from __future__ import annotations

import click

from answerable.cli.common import base, err, json_option, kb_option, out, print_json
from answerable.cli.ingested import print_report


@click.command()
@click.argument("generation", default="")
@click.option("--force", is_flag=True, help="Even where documents had more readers then.")
@kb_option
@json_option
def rollback(generation: str, force: bool, kb: str, as_json: bool) -> None:
    """Make GENERATION current again, or the one before the current.

    The files and the recipe stay as they are: the next sync brings their state of now again. What
    was deleted since can be found until then; who may read is refused to be widened.
    """
    opened = base(kb)
    before = opened.info()
    info = opened.rollback(generation, force=force)
    stale = (info.ingest_hash, info.embedder) != (opened.ingest_hash, opened.fingerprint)
    if as_json:
        print_json(
            {
                "generation": info.name,
                "before": before.name if before else "",
                "at": info.at,
                "documents": info.documents,
                "chunks": info.chunks,
                "stale": stale,
            }
        )
        return
    out.print(f"generation {info.name} of {info.at} is current: {info.documents} documents")
    err.print("what was deleted since is found again until the next sync", style="yellow")
    if stale:
        err.print(
            "it was made by another recipe: put that back in answerable.toml to ask it",
            style="yellow",
            markup=False,
        )


@click.command()
@click.argument("source")
@kb_option
@json_option
def drop(source: str, kb: str, as_json: bool) -> None:
    """Forget SOURCE (`status` lists them) and take its documents out of the index.

    Its files are not touched. A document that another source holds too comes back with `sync`.
    """
    print_report(base(kb).drop(source), as_json)
