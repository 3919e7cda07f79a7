"""Golden sets from and to the formats of others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from answerable.adapters.formats import ragas, spans, squad, trec
from answerable.adapters.formats.lines import identifier, lines, objects
from answerable.adapters.staged_file import write_whole
from answerable.errors import InputError, NotFound, UsageError
from answerable.flow.fix_places import fix_places
from answerable.records.docs import Document, Span
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.text.among import Among
from answerable.wire.golden import read_golden
from answerable.wire.library import Library

IMPORTS = ("beir", "trec", "ragas", "spans", "squad")
EXPORTS = ("beir", "trec", "ragas", "spans")

Read = tuple[GoldenSet, tuple[str, ...]]


def import_golden(
    kind: str, path: Path, questions: Path | None, library: Library | None, corpus: Path | None
) -> Read:
    """A golden set read from another format, and what could not be used.

    `beir` and `spans` are folders (`FOLDER#SPLIT`); `trec` is a qrels file and needs `questions`
    (queries.jsonl, or lines of id, tab, text); `ragas` contexts without a document are looked for
    in `library`; `squad` writes its articles to `corpus` if that is given.
    """
    if kind in ("beir", "spans"):
        return read_golden(path)
    if kind == "trec":
        return _from_trec(path, questions)
    if kind == "ragas":
        items, problems = ragas.read(path, _finder(library) if library else None)
        return GoldenSet(path.stem, items, ""), problems
    items, texts, problems = squad.read(path)
    if corpus:
        rows = (spans.plain_row(uri, uri.replace("_", " "), text) for uri, text in texts.items())
        write_whole(corpus, spans.lines_text(rows))
    return GoldenSet(path.stem, items, ""), problems


def export_golden(
    kind: str, given: GoldenSet, out: Path, library: Library | None, split: str = "test"
) -> tuple[str, ...]:
    """Write a golden set in another format; what it cannot say is told.

    `beir` (a folder, with corpus.jsonl if documents are given) and `spans` (the same without
    corpus and qrels); `trec` (a folder of qrels.trec and topics.tsv); `ragas` (JSON lines). Quotes
    without spans, and spans without quotes, are completed from the documents.
    """
    problems: list[str] = []
    items = given.items
    if library is not None:
        found, lost = fix_places(given, library.rows, library.read)
        items = found.items
        problems += [f"{one.item_id}: {one.why}" for one in lost]
    if kind == "ragas":
        text, more = ragas.text(items)
        write_whole(out, text)
        return (*problems, *more)
    if kind == "trec":
        problems += [
            f"{i.id}: not answerable, which TREC cannot say" for i in items if not i.answerable
        ]
        grades = {
            trec.word(item.id): {
                trec.word(name): grade for name, grade in spans.document_grades(item).items()
            }
            for item in items
        }
        write_whole(out / "qrels.trec", trec.qrels_text(grades))
        topics = (f"{trec.word(i.id)}\t{' '.join(i.question.split())}\n" for i in items)
        write_whole(out / "topics.tsv", "".join(topics))
        return tuple(problems)
    problems += [f"{item.id}: {what}" for item in items if (what := spans.unsayable(item))]
    unplaced = [item.id for item in items if _unplaced(item)]
    if unplaced:
        raise UsageError(
            f"{len(unplaced)} items have quotes without spans, the first {unplaced[0]!r}",
            "give the documents with --documents PATH or --kb DIR",
        )
    write_whole(out / "queries.jsonl", spans.queries_text(items))
    write_whole(out / "spans.jsonl", spans.spans_text(items))
    if kind == "beir":
        problems += [f"{item.id}: {what}" for item in items if (what := spans.broken(item))]
        write_whole(out / "qrels" / f"{split}.tsv", spans.qrels_text(items))
        if library is not None:
            texts = (library.read(row.id, row.sha256) for row in library.rows.values())
            write_whole(out / "corpus.jsonl", spans.corpus_text(texts))
    return tuple(problems)


def _from_trec(path: Path, questions: Path | None) -> Read:
    if questions is None:
        raise UsageError("TREC judgements have no questions", "give --questions FILE")
    problems: list[str] = []
    texts = _questions(questions, problems)
    grades, more = trec.read_qrels(path)
    problems += more
    items = []
    for name, row in grades.items():
        item = unquote(name)
        if item not in texts:
            problems.append(f"{path.name}: question {item!r} is not in {questions.name}")
            continue
        marks = [Evidence(unquote(document), grade=grade) for document, grade in row.items()]
        ways = sorted((one for one in marks if one.grade > 0), key=lambda one: -one.grade)
        items.append(
            GoldenItem(
                item,
                texts[item],
                tuple(ways[:1]),
                tuple((one,) for one in ways[1:]),
                judged=tuple(one for one in marks if one.grade <= 0),
            )
        )
    if not items:
        raise InputError(f"{path} judges no question of {questions}", problems[0])
    return GoldenSet(path.stem, tuple(items), ""), tuple(problems)


def _questions(path: Path, problems: list[str]) -> Mapping[str, str]:
    if not path.is_file():
        raise NotFound(f"no file {path}")
    found: dict[str, str] = {}
    if path.suffix == ".jsonl":
        for place, row in objects(path, problems):
            item = identifier(row.get("_id", row.get("id")))
            text = row.get("text", row.get("question"))
            if item is None or not isinstance(text, str) or not text.strip():
                problems.append(f"{place}: a question needs an id and a text")
            else:
                found.setdefault(item, text)
        return found
    for number, line in lines(path):
        name, tab, text = line.partition("\t")
        if tab and text.strip():
            found[unquote(name.strip())] = text.strip()
        else:
            problems.append(f"{path.name}:{number}: not an id, a tab and a question")
    return found


def _finder(library: Library) -> ragas.Find:
    """Looks for a context letter for letter first; only where none stands so, more loosely."""
    ids = {row.uri: row for row in library.rows.values()}
    known: dict[str, Document] = {}

    def read(uri: str) -> Document:
        if uri not in known:
            known[uri] = library.read(ids[uri].id, ids[uri].sha256)
        return known[uri]

    among = Among(ids, read)

    def places(text: str) -> tuple[tuple[str, Span], ...]:
        found = list(among.exact(text)) or among.find(text)
        return tuple((uri, span) for uri, anchor in found for span in anchor.spans)

    return places


def _unplaced(item: GoldenItem) -> bool:
    every = (one for way in (item.evidence, *item.alternatives, item.judged) for one in way)
    return any(one.quote and one.span is None for one in every)
