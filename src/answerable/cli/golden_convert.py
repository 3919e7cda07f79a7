"""Golden sets from and to other formats."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from answerable.cli.common import err, json_option, kb_option, out, print_json
from answerable.cli.golden_documents import (
    documents_if_any,
    documents_of,
    documents_option,
    golden_argument,
)
from answerable.errors import UsageError
from answerable.wire.convert import EXPORTS, IMPORTS, export_golden, import_golden
from answerable.wire.golden import folder_of, read_golden, write_golden


@click.command("import")
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--from", "kind", required=True, type=click.Choice(IMPORTS), help="The form that PATH has."
)
@click.option(
    "--out",
    "target",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the golden set is written.",
)
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="For trec: queries.jsonl, or lines of id, tab, question.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="For squad: write the articles there, one JSON line each.",
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@documents_option
@kb_option
@json_option
def import_(
    path: Path,
    kind: str,
    target: Path,
    questions: Path | None,
    corpus: Path | None,
    force: bool,
    documents: tuple[Path, ...],
    kb: str,
    as_json: bool,
) -> None:
    """Turn PATH into a golden set.

    beir and spans: a folder (FOLDER#SPLIT); trec: a qrels file; ragas: a test set as .jsonl, .json
    or .csv, whose contexts are looked for in the documents; squad: its JSON, each article a
    document.
    """
    for there in (target, corpus):
        if there is not None and there.exists() and not force:
            raise UsageError(f"{there} is there already", "name another file, or give --force")
    with ExitStack() as stack:
        library = None
        if kind == "ragas":
            library = stack.enter_context(documents_if_any(path, documents, kb))
        given, problems = import_golden(kind, path, questions, library, corpus)
    write_golden(given, target)
    _told(len(given.items), problems, target, as_json)


@click.command()
@golden_argument
@click.option(
    "--to", "kind", required=True, type=click.Choice(EXPORTS), help="The form that is written."
)
@click.option(
    "--out",
    "target",
    required=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Where it is written.",
)
@click.option("--split", default="test", show_default=True, help="For beir: the split's name.")
@documents_option
@kb_option
@json_option
def export(
    path: Path,
    kind: str,
    target: Path,
    split: str,
    documents: tuple[Path, ...],
    kb: str,
    as_json: bool,
) -> None:
    """Write the golden set FILE for other tools.

    beir: a folder with corpus.jsonl (of --documents or --kb), queries.jsonl, qrels and spans.jsonl;
    spans: the same without corpus and qrels; trec: a folder of qrels.trec and topics.tsv; ragas:
    JSON lines. What the format cannot say is listed.
    """
    given, unread = read_golden(path)
    if target.resolve() == folder_of(path).resolve():
        raise UsageError(f"{target} is the golden set itself", "name another place with --out")
    opened = documents_of if documents or kind == "beir" else documents_if_any
    with opened(path, documents, kb) as library:
        problems = (*unread, *export_golden(kind, given, target, library, split))
    _told(len(given.items), problems, target, as_json)


def _told(items: int, problems: tuple[str, ...], target: Path, as_json: bool) -> None:
    if as_json:
        print_json({"items": items, "out": str(target), "problems": list(problems)})
        return
    for problem in problems:
        err.print(problem, style="yellow", markup=False)
    out.print(f"{items} items written to {target}, {len(problems)} problems", markup=False)
