"""Looking before indexing: profile, cut."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import click
from rich.columns import Columns
from rich.panel import Panel
from rich.text import Text

from answerable.cli.common import err, json_option, out, print_json, progress_bar
from answerable.errors import UsageError
from answerable.flow.profile import advice
from answerable.records.docs import Document
from answerable.records.index import Chunk
from answerable.records.recipe import CutRule
from answerable.text.outline import outline
from answerable.wire.look import cut_file, profile_of, read_file

COLOURS = ("cyan", "green", "magenta", "yellow", "blue")


@click.command()
@click.argument("path")
@json_option
def profile(path: str, as_json: bool) -> None:
    """Lengths and structure of the documents in PATH, and the recipe to start from."""
    with progress_bar() as progress:
        found, skipped = profile_of(path, progress)
    words = list(advice(found))
    if as_json:
        plain = asdict(found)
        plain["languages"], plain["types"] = dict(found.languages), dict(found.types)
        plain["skipped"] = [asdict(s) for s in skipped]
        print_json({**plain, "advice": words})
        return
    out.print(f"{found.documents} documents ({len(skipped)} skipped)")
    for name, p in (
        ("words", found.words),
        ("tokens", found.tokens),
        ("words a section", found.section_words),
    ):
        out.print(f"{name:>16}: 10% {p.p10}, median {p.p50}, 90% {p.p90}, longest {p.max}")
    out.print(f"{'over limit':>16}: {found.over_limit} of {found.limit} tokens")
    out.print(f"{'under headings':>16}: {found.heading_coverage:.0%} of the words")
    out.print(f"{'tables, code':>16}: {found.tables:.0%}, {found.code:.0%} of the words")
    for name, pairs in (("languages", found.languages), ("types", found.types)):
        counts = ", ".join(f"{key or 'unknown'} {n}" for key, n in pairs)
        out.print(f"{name:>16}: {counts}")
    for line in words:
        out.print(f"  - {line}", markup=False)
    for skip in skipped:
        err.print(f"skipped {skip.uri}: {skip.reason}", style="yellow", markup=False)


@click.command()
@click.argument("file")
@click.option("--document", default="", metavar="NAME", help="One document of a folder or JSONL.")
@click.option("--by", default="headings", show_default=True, help="The cutter.")
@click.option("--size", default=200, show_default=True, help="Limit, lead included; 0: none.")
@click.option(
    "--unit",
    default="tokens",
    show_default=True,
    type=click.Choice(["words", "tokens", "characters"]),
    help="What size and overlap count.",
)
@click.option("--overlap", default=0, show_default=True, help="Units that two pieces share.")
@click.option(
    "--lead",
    default="title+headings",
    show_default=True,
    type=click.Choice(["none", "title", "headings", "title+headings"]),
    help="What is repeated in front of each piece.",
)
@click.option("--against", metavar="RULE", help="A second rule beside, as in words:200:25.")
@json_option
def cut(
    file: str,
    document: str,
    by: str,
    size: int,
    unit: Any,
    overlap: int,
    lead: Any,
    against: str | None,
    as_json: bool,
) -> None:
    """Show how FILE is read and cut, with its cut lines and leads."""
    shown = read_file(file, document)
    rule = CutRule(by=by, size=size, unit=unit, overlap=overlap, lead=lead)
    chunks = cut_file(shown, rule)
    if as_json:
        print_json(_cut_json(shown, chunks))
        return
    drawn = [_draw(shown, chunks, _name(rule))]
    if against:
        other = _second(rule, against)
        drawn.append(_draw(shown, cut_file(shown, other), _name(other)))
    for note in shown.notes:
        err.print(f"note: {note}", style="dim", markup=False)
    if len(drawn) == 1:
        out.print(drawn[0])
    else:
        width = max(40, (out.width - 2) // 2)
        out.print(Columns([Panel(d, width=width) for d in drawn], padding=(0, 1)))


def _second(rule: CutRule, words: str) -> CutRule:
    by, *numbers = words.split(":")
    try:
        given = [int(number) for number in numbers]
    except ValueError as fault:
        raise UsageError(f"--against {words!r}", "write CUTTER[:SIZE[:OVERLAP]]") from fault
    size = given[0] if given else rule.size
    overlap = given[1] if len(given) > 1 else 0
    return replace(rule, by=by, size=size, overlap=overlap)


def _name(rule: CutRule) -> str:
    return f"{rule.by} {rule.size} {rule.unit}, overlap {rule.overlap}, lead {rule.lead}"


def _cut_json(document: Document, chunks: tuple[Chunk, ...]) -> dict[str, Any]:
    paths = outline(document)
    return {
        "title": document.title,
        "text": document.text,
        "type": document.type,
        "notes": list(document.notes),
        "blocks": [
            {
                "kind": block.kind,
                "start": block.span.start,
                "end": block.span.end,
                "level": block.level,
                "path": list(paths.path_at(block.span.start)),
                "inner": [block.inner.start, block.inner.end],
                "marker": block.marker,
                "lang": block.lang,
                "title": block.title,
                "cells": [list(row) for row in block.cells],
            }
            for block in document.blocks
        ],
        "links": [
            {"start": link.span.start, "end": link.span.end, "target": link.target}
            for link in document.links
        ],
        "chunks": [
            {
                "id": chunk.id,
                "start": chunk.span.start,
                "end": chunk.span.end,
                "lead": chunk.lead,
                "path": list(chunk.path),
                "kind": chunk.kind,
                "words": chunk.words,
                "tokens": chunk.tokens,
                "over": chunk.over,
            }
            for chunk in chunks
        ],
    }


def _draw(document: Document, chunks: tuple[Chunk, ...], name: str) -> Text:
    text = Text(f"{name}: {len(chunks)} pieces\n", style="bold")
    for number, chunk in enumerate(chunks):
        colour = COLOURS[number % len(COLOURS)]
        over = f"  OVER: {chunk.over}" if chunk.over else ""
        text.append(
            f"\n──── {number + 1}: {chunk.words} words, {chunk.tokens} tokens{over}\n", style="dim"
        )
        if chunk.lead:
            text.append(chunk.lead + "\n", style=f"italic {colour}")
        text.append(document.text[chunk.span.start : chunk.span.end] + "\n", style=colour)
    return text
