"""TREC files: runs (`qid Q0 docno rank score tag`) and judgements (`qid 0 docno grade`)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from answerable.adapters.formats.lines import lines
from answerable.errors import InputError

GREATEST = 1 << 31
"""Grades lie within this on either side of 0."""


def read_run(path: Path) -> tuple[dict[str, dict[str, float]], tuple[str, ...]]:
    """Scores by question and document, and the lines that could not be used.

    The rank column is not read (as trec_eval has it): order the scores with
    `measure.retrieval.in_trec_order`.
    """
    run: dict[str, dict[str, float]] = {}
    problems: list[str] = []
    for number, line in lines(path):
        place, cells = f"{path.name}:{number}", line.split()
        score = _number(cells[4]) if len(cells) == 6 else None
        if len(cells) != 6:
            problems.append(f"{place}: {len(cells)} columns, not 6")
        elif score is None:
            problems.append(f"{place}: {cells[4]!r} is no finite score")
        elif cells[2] in run.get(cells[0], ()):
            problems.append(f"{place}: {cells[2]!r} stands twice for question {cells[0]!r}")
        else:
            run.setdefault(cells[0], {})[cells[2]] = score
    return run, tuple(problems)


def read_qrels(path: Path) -> tuple[dict[str, dict[str, int]], tuple[str, ...]]:
    """Grades by question and document, and the lines that could not be used."""
    qrels: dict[str, dict[str, int]] = {}
    problems: list[str] = []
    for number, line in lines(path):
        place, cells = f"{path.name}:{number}", line.split()
        if len(cells) != 4:
            problems.append(f"{place}: {len(cells)} columns, not 4")
        elif (grade := whole(cells[3])) is None:
            problems.append(f"{place}: {cells[3]!r} is no whole grade")
        elif cells[2] in qrels.get(cells[0], ()):
            problems.append(f"{place}: {cells[2]!r} is judged twice for question {cells[0]!r}")
        else:
            qrels.setdefault(cells[0], {})[cells[2]] = grade
    return qrels, tuple(problems)


def run_text(run: Mapping[str, Sequence[tuple[str, float]]], tag: str = "answerable") -> str:
    """A run as text, each question's documents best first as given.

    Scores fall strictly along the ranks, in single precision too (which trec_eval keeps), so that
    no reader reorders ties: a score that does not fall is moved just below the one before. Raises
    InputError for an id with white space, a repeated document or a score that is not finite.
    """
    out = []
    for item, ranked in run.items():
        last = math.inf
        seen = set()
        for rank, (name, score) in enumerate(ranked, 1):
            for word in (item, name, tag):
                if not word or word.split() != [word]:
                    raise InputError(f"{word!r} cannot stand in a TREC file", "no blanks in ids")
            if name in seen or not math.isfinite(score):
                raise InputError(f"question {item!r}: document {name!r} twice or scored {score}")
            seen.add(name)
            # Seven significant digits are what single precision tells apart.
            step = max(abs(last) * 1e-6, 1e-9) if math.isfinite(last) else 0.0
            last = min(float(f"{score:.9g}"), float(f"{last - step:.9g}"))
            out.append(f"{item} Q0 {name} {rank} {last:.9g} {tag}\n")
    return "".join(out)


def word(text: str) -> str:
    """A name that can stand in a TREC file: blanks percent-encoded, undone by URL decoding.

    A percent sign stays unless it would be read as such a code.
    """
    return re.sub(r"\s|%(?=[0-9A-Fa-f]{2})", lambda found: quote(found[0], safe=""), text)


def qrels_text(qrels: Mapping[str, Mapping[str, int]]) -> str:
    """Judgements as text, in the order given."""
    return "".join(
        f"{item} 0 {name} {grade}\n" for item, row in qrels.items() for name, grade in row.items()
    )


def whole(value: object) -> int | None:
    """A grade as a whole number: digits with or without a sign, or a number such as 2.0."""
    if isinstance(value, str):
        value = _number(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not -GREATEST <= value <= GREATEST or value != int(value):
        return None
    return int(value)


def _number(text: str) -> float | None:
    if not text.isascii() or "_" in text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
