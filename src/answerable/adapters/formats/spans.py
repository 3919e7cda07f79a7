"""A golden set as a BEIR folder with spans: queries.jsonl, spans.jsonl, qrels and corpus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from answerable.records.docs import Document
from answerable.records.evals import Evidence, GoldenItem


def queries_text(items: Iterable[GoldenItem]) -> str:
    """queries.jsonl: each question, with what is known of it as metadata."""
    return lines_text(
        {"_id": item.id, "text": item.question, "metadata": _about(item)} for item in items
    )


def spans_text(items: Iterable[GoldenItem]) -> str:
    """spans.jsonl: each place with a span, numbered by the way of answering it belongs to."""
    return lines_text(row for item in items for row in _spans(item))


def qrels_text(items: Iterable[GoldenItem]) -> str:
    """qrels/SPLIT.tsv: each document with the greatest of its grades, where names allow it."""
    rows = [
        f"{item.id}\t{document}\t{grade}\n"
        for item in items
        for document, grade in document_grades(item).items()
        if not _BREAKS.search(f"{item.id}{document}")
    ]
    return "query-id\tcorpus-id\tscore\n" + "".join(rows)


def broken(item: GoldenItem) -> str:
    """What qrels/SPLIT.tsv leaves out of an item because a name breaks its rows, '' if nothing."""
    names = [name for name in (item.id, *document_grades(item)) if _BREAKS.search(name)]
    return f"{names[0]!r} has a tab or line break, so its judgements are left out" if names else ""


_BREAKS = re.compile(r"[\t\r\n]")


def corpus_text(documents: Iterable[Document]) -> str:
    """corpus.jsonl: each document's canonical text under its uri."""
    return lines_text(plain_row(one.uri, one.title, one.text) for one in documents)


def plain_row(uri: str, title: str, text: str) -> Mapping[str, Any]:
    """One row of corpus.jsonl."""
    return {"_id": uri, "title": title, "text": text}


def lines_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def document_grades(item: GoldenItem) -> Mapping[str, int]:
    """Grades by document, the greatest among its marked and judged places."""
    found: dict[str, int] = {}
    for one in (e for way in (item.evidence, *item.alternatives, item.judged) for e in way):
        found[one.document] = max(one.grade, found.get(one.document, one.grade))
    return found


def unsayable(item: GoldenItem) -> str:
    """What the format cannot say of an item, '' if it says all."""
    ways = [way for way in (item.evidence, *item.alternatives) if way]
    bare = [way for way in ways if any(one.span is None for one in way)]
    if any(len(way) > 1 for way in bare):
        return "documents that are needed together become alternatives"
    if bare and len(bare) < len(ways):
        return "a whole document beside spans is only judged"
    if bare and any(one.grade > 0 and one.span is None for one in item.judged):
        return "a judged document beside whole documents becomes an alternative"
    return ""


def _spans(item: GoldenItem) -> Iterator[dict[str, Any]]:
    for number, way in enumerate((item.evidence, *item.alternatives), 1):
        yield from (_row(item, one) | {"way": number} for one in way if one.span)
    yield from (_row(item, one) | {"judged": True} for one in item.judged if one.span)


def _row(item: GoldenItem, one: Evidence) -> dict[str, Any]:
    place = one.span
    start, end = (place.start, place.end) if place else (0, 0)
    row: dict[str, Any] = {"query_id": item.id, "corpus_id": one.document}
    row |= {"start": start, "end": end}
    if len(one.quote) == end - start:
        row["text"] = one.quote
    return row | {"grade": one.grade}


def _about(item: GoldenItem) -> dict[str, Any]:
    about: dict[str, Any] = {"answerable": item.answerable}
    lists: dict[str, Sequence[str]] = {"answers": item.answers, "tags": item.tags}
    about |= {key: list(value) for key, value in lists.items() if value}
    return about | {
        key: value for key, value in (("category", item.category), ("group", item.group)) if value
    }
