"""ragas test sets: user_input, reference and reference_contexts, as JSON, JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from answerable.adapters.formats.lines import identifier, objects, parsed
from answerable.errors import InputError, NotFound
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem

Find = Callable[[str], tuple[tuple[str, Span], ...]]
"""The places (uri, span) of a text in the documents."""

# Test sets for several hops put <1-hop> in front of each context; it is not in the document.
_HOP = re.compile(r"\A\s*<\d+-hop>\s*")


def read(path: Path, find: Find | None) -> tuple[tuple[GoldenItem, ...], tuple[str, ...]]:
    """The items of a test set, and what could not be used as `file:line: what`.

    The contexts are all needed. Each is evidence in the document that `reference_context_ids`
    names beside it, or in the only one that `find` knows it in. Names of older versions (question,
    ground_truth, contexts) are read too; `retrieved_contexts` and `response` are not: they are a
    system's, not the key. Rows without an id are numbered r1, r2, ...
    """
    problems: list[str] = []
    items: dict[str, GoldenItem] = {}
    for number, (place, row) in enumerate(_rows(path, problems), 1):
        question = _first(row, "user_input", "question")
        if not isinstance(question, str) or not question.strip():
            problems.append(f"{place}: no user_input")
            continue
        name = identifier(row.get("id")) or f"r{number}"
        if name in items:
            problems.append(f"{place}: id {name!r} stands twice; the first is kept")
            continue
        contexts = _texts(_first(row, "reference_contexts", "contexts", "ground_truth_context"))
        ids = _texts(row.get("reference_context_ids"))
        evidence: list[Evidence] = []
        for at, context in enumerate(contexts):
            quote = _HOP.sub("", context)
            found = _placed(quote, ids[at] if len(ids) == len(contexts) else "", find)
            if isinstance(found, str):
                problems.append(f"{place}: context {at + 1} of {name!r} {found}")
            else:
                evidence.append(found)
        answerable = row.get("answerable", True) is not False
        whole = len(evidence) == len(contexts)
        items[name] = GoldenItem(
            name,
            question,
            tuple(evidence) if whole and answerable else (),
            (),
            _answers(row),
            answerable,
            str(_first(row, "category", "synthesizer_name") or ""),
            str(row.get("group") or ""),
            _texts(row.get("tags")),
        )
    if not items:
        raise InputError(f"{path} holds no usable row", problems[0] if problems else "it is empty")
    return tuple(items.values()), tuple(problems)


def text(items: Sequence[GoldenItem]) -> tuple[str, tuple[str, ...]]:
    """Items as JSON lines, and what the format cannot say of them.

    Fields that ragas does not know (id, answers, answerable, ...) stand beside its own.
    """
    rows, problems = [], []
    for item in items:
        row: dict[str, Any] = {"user_input": item.question}
        row["reference"] = item.answers[0] if item.answers else ""
        row["reference_contexts"] = [one.quote for one in item.evidence]
        row["reference_context_ids"] = [one.document for one in item.evidence]
        row |= {"id": item.id, "answers": list(item.answers), "answerable": item.answerable}
        more = {"category": item.category, "group": item.group, "tags": list(item.tags)}
        rows.append(row | {key: value for key, value in more.items() if value})
        if item.alternatives or item.judged:
            problems.append(f"{item.id}: only the first way of answering is written")
        if any(not one.quote for one in item.evidence):
            problems.append(f"{item.id}: evidence without a quote is written as an empty context")
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), tuple(problems)


def _placed(quote: str, document: str, find: Find | None) -> Evidence | str:
    """Evidence, or why there is none."""
    if not quote.strip():
        return "is empty"
    if document:
        return Evidence(document, quote)
    if find is None:
        return "names no document: give --documents or --kb to look for it"
    places = find(quote)
    if not places:
        return "is in no document"
    if len({uri for uri, _ in places}) > 1:
        return f"is in {len(places)} documents"
    uri, span = places[0]
    return Evidence(uri, quote, span if len(places) == 1 else None)


def _rows(path: Path, problems: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        raise NotFound(f"no file {path}")
    if path.suffix == ".csv":
        body = path.read_text(encoding="utf-8-sig", errors="replace")
        table = csv.DictReader(io.StringIO(body))
        try:
            for row in table:
                yield f"{path.name}:{table.line_num}", dict(row)
        except csv.Error as fault:
            raise InputError(f"{path}:{table.line_num + 1}: not CSV ({fault})") from fault
        return
    if path.suffix == ".json":
        try:
            whole = parsed(path.read_text(encoding="utf-8-sig"))
        except (InputError, ValueError) as fault:
            raise InputError(f"{path}: {fault}") from fault
        rows = whole.get("samples", whole.get("data")) if isinstance(whole, dict) else whole
        for number, row in enumerate(rows if isinstance(rows, list) else [], 1):
            if isinstance(row, dict):
                yield f"{path.name}:{number}", _sample(row)
            else:
                problems.append(f"{path.name}:{number}: not an object")
        return
    for place, row in objects(path, problems):
        yield place, _sample(row)


def _sample(row: dict[str, Any]) -> dict[str, Any]:
    """A row, or the sample that a test set wraps in it."""
    inner = row.get("eval_sample")
    return {**row, **inner} if isinstance(inner, dict) else row


def _answers(row: Mapping[str, Any]) -> tuple[str, ...]:
    known = _texts(row.get("answers"))
    given = _first(row, "reference", "ground_truth", "ground_truths")
    return known or tuple(answer for answer in _texts(given) if answer.strip())


def _first(row: Mapping[str, Any], *names: str) -> Any:
    return next((row[name] for name in names if row.get(name)), None)


def _texts(value: Any) -> tuple[str, ...]:
    """A list of texts; one text is a list of itself, unless it is a list written as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = parsed(value)
        except InputError:
            return (value,)
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
