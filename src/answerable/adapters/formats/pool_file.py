"""The files of labelling: passages to judge, and the grades given, both as JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from answerable.adapters.formats.lines import identifier, objects, span
from answerable.adapters.staged_file import unwritable
from answerable.errors import InputError
from answerable.records.labels import GRADES, Label, Pooled


def pool_text(pooled: Iterable[Pooled]) -> str:
    """Passages as JSON lines: id, item, question, document, title, start, end, text."""
    return "".join(
        _line(
            {
                "id": one.id,
                "item": one.item_id,
                "question": one.question,
                "document": one.document,
                "title": one.title,
                "start": one.span.start,
                "end": one.span.end,
                "text": one.text,
            }
        )
        for one in pooled
    )


def read_pool(path: Path) -> tuple[tuple[Pooled, ...], tuple[str, ...]]:
    """The passages of a pool and what could not be used; InputError if none is left."""
    problems: list[str] = []
    found: dict[str, Pooled] = {}
    for place, row in objects(path, problems):
        one = _pooled(row)
        if one is None:
            problems.append(f"{place}: not a passage: it needs {', '.join(_FIELDS)}")
        elif one.id in found:
            problems.append(f"{place}: passage {one.id!r} stands twice; the first is kept")
        else:
            found[one.id] = one
    if not found:
        raise InputError(f"{path} holds no passage", problems[0] if problems else "it is empty")
    return tuple(found.values()), tuple(problems)


def read_labels(path: Path) -> tuple[tuple[Label, ...], tuple[str, ...]]:
    """The labels of a file in their order, and what could not be used; none if it is not there."""
    problems: list[str] = []
    labels: list[Label] = []
    if not path.is_file():
        return (), ()
    for place, row in objects(path, problems):
        passage, labeller = identifier(row.get("id")), identifier(row.get("labeller"))
        grade = row.get("grade")
        if passage is None or labeller is None or type(grade) is not int or grade not in GRADES:
            problems.append(f"{place}: a label needs id, labeller and a grade 0 to 3")
        else:
            labels.append(Label(passage, labeller, grade, str(row.get("at", ""))))
    return tuple(labels), tuple(problems)


def append_label(path: Path, label: Label) -> None:
    """Add one label to a file, on disk before this returns; a line cut off by a crash is ended.

    Raises InputError for a file that cannot be written.
    """
    row = {
        "id": label.pool_id,
        "labeller": label.labeller,
        "grade": label.grade,
        "at": label.at,
    }
    new = _line(row).encode("utf-8", "replace")
    try:
        with path.open("ab+") as file:
            file.seek(0, 2)
            if file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n":
                    new = b"\n" + new
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise unwritable(path, fault) from fault


_FIELDS = ("id", "item", "question", "document", "start", "end", "text")


def _pooled(row: dict[str, Any]) -> Pooled | None:
    name, item, document = (identifier(row.get(key)) for key in ("id", "item", "document"))
    question, text, title = row.get("question"), row.get("text"), row.get("title", "")
    place = span(row.get("start"), row.get("end"))
    if name is None or item is None or document is None or place is None:
        return None
    if not (isinstance(question, str) and isinstance(text, str) and isinstance(title, str)):
        return None
    return Pooled(name, item, question, document, title, place, text)


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"
