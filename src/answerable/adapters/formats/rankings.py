"""Runs and judgements from a file: TREC columns, JSON objects, or a BEIR folder's qrels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answerable.adapters.formats import trec
from answerable.adapters.formats.lines import identifier, lines, objects, parsed
from answerable.errors import InputError

Runs = dict[str, dict[str, float]]
Judgements = dict[str, dict[str, int]]


def read_run(path: Path) -> tuple[Runs, tuple[str, ...]]:
    """Scores by question and document, and what could not be used.

    A file that begins with `{` is JSON: a question to its documents, as an object of scores or as
    a list, best first. Any other is a TREC run. Ids are texts; whole numbers become their digits.
    """
    if not _is_json(path):
        return trec.read_run(path)
    problems: list[str] = []
    run: Runs = {}
    for item, found in _questions(path, problems):
        if isinstance(found, list):
            # A list says only the order; scores that fall strictly keep it.
            found = [(name, float(len(found) - at)) for at, name in enumerate(found)]
        elif isinstance(found, dict):
            found = list(found.items())
        else:
            problems.append(f"{path.name}: question {item!r}: {found!r:.40} are no documents")
            continue
        scores = run.setdefault(item, {})
        for name, score in found:
            document = _id(name, f"{path.name}: question {item!r}", problems)
            if document is None:
                continue
            if isinstance(score, bool) or not isinstance(score, int | float):
                problems.append(f"{path.name}: question {item!r}: score {score!r} of {document!r}")
            elif not abs(score) <= sys.float_info.max:
                problems.append(f"{path.name}: question {item!r}: {score!r:.40} is no finite score")
            elif document in scores:
                problems.append(f"{path.name}: question {item!r}: {document!r} stands twice")
            else:
                scores[document] = float(score)
    return run, tuple(problems)


def read_qrels(path: Path) -> tuple[Judgements, tuple[str, ...]]:
    """Grades by question and document, and what could not be used.

    A file that begins with `{` is JSON (a question to an object of grades; an empty one is a
    question without judgements), `.tsv` is BEIR's (query-id, corpus-id, score, with a header), any
    other TREC's.
    """
    if _is_json(path):
        return _json_qrels(path)
    return _tsv_qrels(path) if path.suffix == ".tsv" else trec.read_qrels(path)


def read_ids(path: Path) -> frozenset[str]:
    """The document ids of a corpus.jsonl (`_id`, or `id`), or of a file with one id a line."""
    if path.suffix != ".jsonl":
        return frozenset(line.strip() for _, line in lines(path))
    problems: list[str] = []
    rows = (row for _, row in objects(path, problems))
    return frozenset(
        name for row in rows if (name := identifier(row.get("_id", row.get("id")))) is not None
    )


def _json_qrels(path: Path) -> tuple[Judgements, tuple[str, ...]]:
    problems: list[str] = []
    qrels: Judgements = {}
    for item, found in _questions(path, problems):
        if not isinstance(found, dict):
            problems.append(f"{path.name}: question {item!r}: {found!r} are no grades by document")
            continue
        grades = qrels.setdefault(item, {})
        for name, grade in found.items():
            document = _id(name, f"{path.name}: question {item!r}", problems)
            if document is None:
                continue
            known = trec.whole(grade)
            if known is None:
                problems.append(f"{path.name}: question {item!r}: {grade!r} is no whole grade")
            elif document in grades:
                problems.append(f"{path.name}: question {item!r}: {document!r} is judged twice")
            else:
                grades[document] = known
    return qrels, tuple(problems)


def _tsv_qrels(path: Path) -> tuple[Judgements, tuple[str, ...]]:
    problems: list[str] = []
    qrels: Judgements = {}
    for number, line in lines(path):
        place, cells = f"{path.name}:{number}", line.split("\t")
        grade = trec.whole(cells[2].strip()) if len(cells) == 3 else None
        if grade is None:
            if number > 1 or len(cells) != 3:
                problems.append(f"{place}: not question, document and whole grade: {line[:80]!r}")
            continue
        item, document = (_id(cell, place, problems) for cell in cells[:2])
        if item is None or document is None:
            continue
        if document in qrels.get(item, ()):
            problems.append(f"{place}: {document!r} is judged twice for question {item!r}")
        else:
            qrels.setdefault(item, {})[document] = grade
    return qrels, tuple(problems)


def _is_json(path: Path) -> bool:
    first = next(lines(path), None)
    return first is not None and first[1].lstrip().startswith("{")


def _questions(path: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    """Each question of a JSON object with what it holds; a key that stands twice is named."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                problems.append(f"{path.name}: the key {name!r} stands twice; the first is kept")
            found.setdefault(name, value)
        return found

    try:
        body = parsed(path.read_text(encoding="utf-8-sig"), once)
    except (InputError, UnicodeDecodeError) as fault:
        raise InputError(f"{path.name}: {fault}", "give one JSON object, by question") from fault
    for key, value in body.items():
        item = _id(key, path.name, problems)
        if item is not None:
            yield item, value


def _id(value: Any, place: str, problems: list[str]) -> str | None:
    """An id as text, trimmed; trimming and what is no id are named."""
    found = identifier(value)
    if found is None:
        problems.append(f"{place}: {value!r} is no id")
    elif isinstance(value, str) and found != value:
        problems.append(f"{place}: the id {value!r} was trimmed to {found!r}")
    return found
