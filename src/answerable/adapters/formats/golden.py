"""Golden sets as JSON lines: one marked question a line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from answerable.adapters.formats.lines import identifier, objects, span
from answerable.errors import InputError
from answerable.records.evals import Evidence, GoldenItem, GoldenSet

_KEYS = {
    "id",
    "question",
    "evidence",
    "alternatives",
    "answers",
    "answerable",
    "category",
    "group",
    "tags",
    "judged",
}

_PLACED = ("evidence", "alternatives", "judged")


def read(path: Path) -> tuple[GoldenSet, tuple[str, ...]]:
    """The items of a golden file and the lines that could not be used, as `file:line: what`.

    A bad line costs itself. Raises NotFound for a missing file, InputError if no item is left.
    """
    problems: list[str] = []
    items: dict[str, GoldenItem] = {}
    for place, row in objects(path, problems):
        try:
            item = parse(row)
        except InputError as fault:
            problems.append(f"{place}: {fault.message}")
            continue
        if item.id in items:
            problems.append(f"{place}: id {item.id!r} stands twice; the first is kept")
        else:
            items[item.id] = item
    if not items:
        raise InputError(f"{path} holds no usable item", problems[0] if problems else "it is empty")
    digest = sha256(path.read_bytes()).hexdigest()
    return GoldenSet(path.stem, tuple(items.values()), digest), tuple(problems)


def parse(row: dict[str, Any]) -> GoldenItem:
    """One item from its JSON object; InputError says what is wrong with it."""
    if unknown := sorted(set(row) - _KEYS):
        raise InputError(f"unknown field {unknown[0]!r}", f"fields are {', '.join(sorted(_KEYS))}")
    name = identifier(row.get("id"))
    if name is None:
        raise InputError(f"no usable id ({row.get('id')!r})")
    question = row.get("question")
    if not isinstance(question, str) or not question.strip():
        raise InputError(f"item {name!r} has no question")
    answerable = row.get("answerable", True)
    if not isinstance(answerable, bool):
        raise InputError(f"item {name!r}: answerable is {answerable!r}, not true or false")
    evidence = _evidence(name, row.get("evidence", []))
    others = row.get("alternatives", [])
    if not isinstance(others, list):
        raise InputError(f"item {name!r}: alternatives are not a list")
    alternatives = tuple(_evidence(name, other) for other in others)
    if not answerable and (evidence or alternatives):
        raise InputError(f"item {name!r} is not answerable and yet has evidence")
    return GoldenItem(
        name,
        question,
        evidence,
        alternatives,
        _words(name, "answers", row),
        answerable,
        _word(name, "category", row),
        _word(name, "group", row),
        _words(name, "tags", row),
        _evidence(name, row.get("judged", [])),
    )


def text(golden: GoldenSet) -> str:
    """A golden set as JSON lines; what is empty is left out."""
    return "".join(json.dumps(row(item), ensure_ascii=False) + "\n" for item in golden.items)


def rewritten(body: bytes, changed: Mapping[str, GoldenItem | None]) -> bytes:
    """The bytes of a golden file with other evidence in the changed items' lines, by item id.

    None takes a line out. Every other line stays as it is, to the byte; a changed one keeps its
    other keys and its line end.
    """
    lines = []
    for number, line in enumerate(body.split(b"\n")):
        mark = codecs.BOM_UTF8 if not number and line.startswith(codecs.BOM_UTF8) else b""
        found = json.loads(line[len(mark) :].decode("utf-8", "replace")) if line.strip() else {}
        name = identifier(found.get("id"))
        if name is None or name not in changed:
            lines.append(line)
        elif (item := changed[name]) is not None:
            new = row(item)
            kept = {key: value for key, value in found.items() if key not in _PLACED or key in new}
            text = json.dumps(
                kept | {key: new[key] for key in _PLACED if key in new}, ensure_ascii=False
            )
            lines.append(mark + text.encode() + (b"\r" if line.endswith(b"\r") else b""))
        elif mark:
            lines.append(mark)
    return b"\n".join(lines)


def row(item: GoldenItem) -> dict[str, Any]:
    """One item as its JSON object."""
    plain: dict[str, Any] = {"id": item.id, "question": item.question}
    if item.evidence:
        plain["evidence"] = [_place(found) for found in item.evidence]
    if item.alternatives:
        plain["alternatives"] = [[_place(found) for found in other] for other in item.alternatives]
    if item.answers:
        plain["answers"] = list(item.answers)
    plain["answerable"] = item.answerable
    plain |= {key: value for key in ("category", "group") if (value := getattr(item, key))}
    if item.tags:
        plain["tags"] = list(item.tags)
    if item.judged:
        plain["judged"] = [_place(found) for found in item.judged]
    return plain


def _place(found: Evidence) -> dict[str, Any]:
    row: dict[str, Any] = {"document": found.document}
    if found.quote:
        row["quote"] = found.quote
    if found.span is not None:
        row |= {"start": found.span.start, "end": found.span.end}
    return row if found.grade == 1 else row | {"grade": found.grade}


def _evidence(name: str, rows: Any) -> tuple[Evidence, ...]:
    if not isinstance(rows, list):
        raise InputError(f"item {name!r}: evidence is not a list")
    return tuple(_one(name, row) for row in rows)


def _one(name: str, row: Any) -> Evidence:
    if not isinstance(row, dict):
        raise InputError(f"item {name!r}: evidence {row!r} is not an object")
    document = identifier(row.get("document"))
    if document is None:
        raise InputError(f"item {name!r}: evidence without a document")
    if unknown := sorted(set(row) - {"document", "quote", "start", "end", "grade"}):
        raise InputError(f"item {name!r}: unknown field {unknown[0]!r} in evidence")
    quote, grade = row.get("quote", ""), row.get("grade", 1)
    if not isinstance(quote, str) or ("quote" in row and not quote.strip()):
        raise InputError(f"item {name!r}: an empty quote of {document!r}")
    if type(grade) is not int:
        raise InputError(f"item {name!r}: grade {grade!r} is no whole number")
    start, end = row.get("start"), row.get("end")
    if start is None and end is None:
        return Evidence(document, quote, None, grade)
    place = span(start, end)
    if place is None:
        raise InputError(f"item {name!r}: span {start!r:.40}..{end!r:.40} of {document!r} is none")
    return Evidence(document, quote, place, grade)


def _word(name: str, key: str, row: dict[str, Any]) -> str:
    value = row.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"item {name!r}: {key} is {value!r}, not a text")
    return value


def _words(name: str, key: str, row: dict[str, Any]) -> tuple[str, ...]:
    values = row.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InputError(f"item {name!r}: {key} are {values!r}, not a list of texts")
    return tuple(values)
