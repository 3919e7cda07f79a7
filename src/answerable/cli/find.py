"""Finding and answering: search, ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from answerable.cli.common import base, err, json_option, kb_option, out, print_json, set_option
from answerable.records.answers import Trace
from answerable.records.codec import to_plain
from answerable.records.index import Filter
from answerable.wire.ahead import hurry

if TYPE_CHECKING:
    from answerable.wire.base import KnowledgeBase

where_option = click.option(
    "--where", multiple=True, metavar="KEY=VALUE", help="Only documents with this metadata."
)
as_option = click.option(
    "--as", "principals", multiple=True, metavar="NAME", help="Ask as this user or group."
)


def _text(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """An argument whose bytes may not have been UTF-8 as text that can be stored and printed."""
    return value.encode("utf-8", "replace").decode("utf-8")


question_argument = click.argument("question", callback=_text)


@click.command()
@question_argument
@click.option(
    "-k",
    "--k",
    default=10,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="How many pieces are shown.",
)
@click.option(
    "--mode",
    type=click.Choice(["lexical", "dense", "hybrid"]),
    help="Search by words, by meaning or by both (default: the recipe's).",
)
@set_option
@where_option
@as_option
@kb_option
@json_option
def search(
    question: str,
    k: int,
    mode: str | None,
    overrides: tuple[str, ...],
    where: tuple[str, ...],
    principals: tuple[str, ...],
    kb: str,
    as_json: bool,
) -> None:
    """Find the pieces for QUESTION, with their rank in every stage."""
    if mode:
        overrides = (*overrides, f'search.mode="{mode}"')
    filter = _filter(where, principals)
    hurry(kb, overrides)
    opened = base(kb, overrides)
    found, chunks, documents = opened.search(question, filter)
    _say_hidden(opened, filter)
    places = {
        name: {hit.chunk_id: (rank, hit.score) for rank, hit in enumerate(ranking, 1)}
        for name, ranking in found.rankings.items()
    }
    hits: list[dict[str, Any]] = []
    for rank, hit in enumerate(found.final[:k], 1):
        chunk = chunks[hit.chunk_id]
        document = documents[chunk.document_id]
        hits.append(
            {
                "rank": rank,
                "chunk_id": chunk.id,
                "document": document.id,
                "uri": document.uri,
                "title": document.title,
                "link": document.link,
                "score": hit.score,
                "start": chunk.span.start,
                "end": chunk.span.end,
                "path": list(chunk.path),
                "lead": chunk.lead,
                "text": document.text[chunk.span.start : chunk.span.end],
                "stages": {
                    name: {"rank": at[chunk.id][0], "score": at[chunk.id][1]}
                    for name, at in places.items()
                    if chunk.id in at
                },
            }
        )
    if as_json:
        print_json({"question": question, "hits": hits})
        return
    if not hits:
        out.print("nothing found")
    for found_hit in hits:
        stages = ", ".join(f"{name} {at['rank']}" for name, at in found_hit["stages"].items())
        out.print(
            f"{found_hit['rank']:>2}. {found_hit['uri']}  {' > '.join(found_hit['path'])}",
            style="bold",
            markup=False,
        )
        text = " ".join(found_hit["text"].split())
        out.print(f"    {text[:240]}{'…' if len(text) > 240 else ''}", markup=False)
        out.print(f"    {found_hit['score']:.4f}  ({stages})", style="dim", markup=False)


@click.command()
@question_argument
@click.option("--explain", is_flag=True, help="Show every stage behind the answer.")
@set_option
@where_option
@as_option
@kb_option
@json_option
def ask(
    question: str,
    explain: bool,
    overrides: tuple[str, ...],
    where: tuple[str, ...],
    principals: tuple[str, ...],
    kb: str,
    as_json: bool,
) -> None:
    """Answer QUESTION from the documents, or refuse and say why."""
    filter = _filter(where, principals)
    hurry(kb, overrides)
    opened = base(kb, overrides)
    trace = opened.ask(question, filter, principals[0] if principals else "")
    _say_hidden(opened, filter)
    if as_json:
        print_json(trace_json(trace))
        return
    print_answer(trace)
    if explain:
        _explain(trace)


def trace_json(trace: Trace) -> dict[str, Any]:
    """The trace in the contract's form: each citation flat beside its sentence."""
    plain: dict[str, Any] = to_plain(trace)
    for sentence, given in zip(plain["answer"]["sentences"], trace.answer.sentences, strict=True):
        sentence["citations"] = [
            {
                "document": c.document_id,
                "uri": c.uri,
                "title": c.title,
                "link": c.link,
                "path": list(c.path),
                "start": c.span.start,
                "end": c.span.end,
                "quote": c.quote,
            }
            for c in given.citations
        ]
    plain["seconds"] = dict(trace.seconds)
    plain["rankings"] = {name: to_plain(ranking) for name, ranking in trace.rankings}
    plain["usage"] = plain.pop("usages")
    plain["route"]["evidence"] = dict(trace.route.evidence)
    return plain


def print_answer(trace: Trace) -> None:
    """The answer with its numbered sources, or the refusal with its reason."""
    answer = trace.answer
    if answer.refused:
        out.print("No answer: " + answer.reason, style="yellow", markup=False)
        if trace.passages:
            nearest = list(dict.fromkeys(p.uri for p in trace.passages))[:3]
            out.print("nearest: " + "; ".join(nearest), markup=False)
        return
    sources: list[tuple[str, str, str]] = []
    for sentence in answer.sentences:
        marks = []
        for citation in sentence.citations:
            source = (citation.uri, _place(citation.title, citation.path), citation.link)
            if source not in sources:
                sources.append(source)
            marks.append(f"[{sources.index(source) + 1}]")
        out.print(f"{sentence.text} {''.join(marks)}", markup=False)
    if answer.value:
        out.print(f"=> {answer.value}", style="bold green", markup=False)
    out.print()
    for number, (uri, path, link) in enumerate(sources, 1):
        out.print(f"[{number}] {uri}  {path}", style="dim", markup=False)
        if link:
            out.print(f"    {link}", style="dim", markup=False)


def _place(title: str, path: Sequence[str]) -> str:
    """Where in a document: its title, unless that is its first heading, and the headings."""
    return " > ".join(path if not title or title in path[:1] else (title, *path))


def _explain(trace: Trace) -> None:
    # here and not above, because an answer needs no table and the import is slow
    from rich.markup import escape
    from rich.table import Table

    out.print(f"\nroute: {trace.route.name}: {trace.route.reason}", markup=False)
    for name, value in trace.route.evidence:
        out.print(f"  {name} {value:.3f}", style="dim", markup=False)
    uris = {p.chunk.id: f"{p.uri}  {' > '.join(p.chunk.path)}" for p in trace.passages}
    table = Table(title="best of each stage")
    for column in ("rank", *(name for name, _ in trace.rankings)):
        table.add_column(column)
    for rank in range(10):
        cells = [
            f"{ranking[rank].score:.4f} {uris.get(ranking[rank].chunk_id, ranking[rank].chunk_id)}"
            if rank < len(ranking)
            else ""
            for _, ranking in trace.rankings
        ]
        table.add_row(str(rank + 1), *map(escape, cells))
    out.print(table)
    for passage in trace.passages:
        out.print(
            f"passage {passage.rank}: {passage.uri} {passage.shown.start}-{passage.shown.end}",
            markup=False,
        )
    for chunk_id, reason in trace.dropped:
        out.print(f"left out {chunk_id}: {reason}", markup=False)
    for name, seconds in trace.seconds:
        out.print(f"{name}: {seconds * 1000:.1f} ms")
    out.print(f"trace {trace.id}, recipe {trace.recipe_hash}, generation {trace.generation}")


def _say_hidden(opened: KnowledgeBase, filter: Filter | None) -> None:
    if opened.hides(filter):
        err.print(
            "some documents are only for named readers: ask with --as NAME, once for the user "
            "and once for each of its groups",
            style="dim",
        )


def _filter(where: tuple[str, ...], principals: tuple[str, ...]) -> Filter | None:
    if not where and not principals:
        return None
    pairs = []
    for pair in where:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--where {pair!r} has no '='; write KEY=VALUE")
        pairs.append((key, value))
    return Filter(principals=principals or None, where=tuple(pairs))
