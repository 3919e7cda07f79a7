"""Which documents a golden command looks into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from answerable.cli.common import err, progress_bar
from answerable.errors import NotFound
from answerable.wire.golden import folder_of
from answerable.wire.library import Library, library

golden_argument = click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
documents_option = click.option(
    "--documents",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Look into these documents instead of the knowledge base's.",
)


@contextmanager
def documents_of(path: Path, documents: Sequence[Path], kb: str) -> Iterator[Library]:
    """The documents of --documents, of a BEIR folder at `path` itself, or of --kb."""
    folder = folder_of(path)
    if not documents and (folder / "corpus.jsonl").is_file():
        documents = (folder,)
    with progress_bar() as progress, library(kb, documents, progress) as found:
        for skipped in found.skipped:
            err.print(f"left out: {skipped.uri}: {skipped.reason}", style="yellow", markup=False)
        yield found


@contextmanager
def documents_if_any(path: Path, documents: Sequence[Path], kb: str) -> Iterator[Library | None]:
    """The same, or None where nobody named any and there is no knowledge base here."""
    with ExitStack() as stack:
        try:
            found: Library | None = stack.enter_context(documents_of(path, documents, kb))
        except NotFound:
            if documents or kb != ".":
                raise
            found = None
        yield found
