"""The questions of a BEIR folder as a golden set: documents marked, or spans where given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from answerable.adapters.formats.beir import judgements
from answerable.adapters.formats.lines import identifier, objects, span
from answerable.errors import InputError, NotFound
from answerable.records.evals import Evidence, GoldenItem, GoldenSet


def read_folder(folder: Path, split: str = "test") -> tuple[GoldenSet, tuple[str, ...]]:
    """The golden set of `qrels/SPLIT.tsv`, and what could not be used as `file:line: what`.

    Each span of `spans.jsonl` is evidence with its text as quote. **All spans of a question are
    needed together** (excerpts, clauses), except those with a `way` (each way is an alternative)
    and those whose text is an accepted answer or that are flagged `ambiguous` (readers of one
    answer: any will do). An ambiguous span is a text that stands several times; where the
    question has others, it counts only if it touches one of them.

    A document marked without a span is a way of answering by itself, the best grade first; grade
    0 and below is `judged` only, and so are spans with `"judged": true` and documents without a
    span where others have one. A span's own `grade` goes before that of its document. A
    question's `metadata` gives `answers`, `answerable`, `category`, `group`, `tags`. Without
    `qrels` every question with a span or with `answerable: false` belongs. Raises NotFound for a
    missing file or split.
    """
    problems: list[str] = []
    questions = _questions(folder / "queries.jsonl", problems)
    marks = _marks(folder, split, questions, problems)
    spans = _spans(folder / "spans.jsonl", questions, problems)
    items = []
    for name, question in questions.items():
        if not question.answerable:
            if name in marks or name in spans:
                problems.append(f"question {name!r} is not answerable and yet marked; left out")
            elif question.split in ("", split):
                items.append(question.item(name))
        elif name in (spans if marks is _ALL else marks):
            grades = marks.get(name, {})
            ways, judged = _ways(spans.get(name, ()), grades, question.answers)
            items.append(question.item(name, ways, judged))
    if not items:
        raise InputError(
            f"{folder} has no marked question in split {split!r}", problems[0] if problems else ""
        )
    return GoldenSet(f"{folder.name}-{split}", tuple(items), _digest(folder, split)), tuple(
        problems
    )


_ALL: Mapping[str, Mapping[str, int]] = {}


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    answers: tuple[str, ...]
    answerable: bool
    category: str
    group: str
    tags: tuple[str, ...]
    split: str

    def item(
        self,
        name: str,
        ways: tuple[tuple[Evidence, ...], ...] = (),
        judged: tuple[Evidence, ...] = (),
    ) -> GoldenItem:
        return GoldenItem(
            name,
            self.text,
            ways[0] if ways else (),
            ways[1:],
            self.answers,
            self.answerable,
            self.category,
            self.group,
            self.tags,
            judged,
        )


@dataclass(frozen=True, slots=True)
class _Marked:
    """One row of spans.jsonl."""

    evidence: Evidence
    way: str
    ambiguous: bool | None
    graded: bool
    judged: bool


def _questions(path: Path, problems: list[str]) -> dict[str, _Question]:
    found: dict[str, _Question] = {}
    for place, row in objects(path, problems):
        name, text = identifier(row.get("_id")), row.get("text")
        if name is None or not isinstance(text, str) or not text.strip():
            problems.append(f"{place}: a question needs _id and text")
            continue
        if name in found:
            problems.append(f"{place}: question {name!r} stands twice; the first is kept")
            continue
        about = row.get("metadata")
        about = about if isinstance(about, dict) else {}
        answerable = about.get("answerable", True)
        if not isinstance(answerable, bool):
            problems.append(f"{place}: answerable is {answerable!r}, not true or false")
            continue
        found[name] = _Question(
            text,
            _texts(about.get("answers")),
            answerable,
            _text(about.get("category")),
            _text(about.get("group")),
            _texts(about.get("tags")),
            _text(about.get("split")),
        )
    return found


def _marks(
    folder: Path, split: str, questions: Mapping[str, _Question], problems: list[str]
) -> Mapping[str, Mapping[str, int]]:
    path = folder / "qrels" / f"{split}.tsv"
    if not path.is_file():
        there = sorted(p.stem for p in (folder / "qrels").glob("*.tsv"))
        if there or not (folder / "spans.jsonl").is_file():
            raise NotFound(f"no judgements {path}", f"splits here: {', '.join(there) or 'none'}")
        return _ALL
    return judgements(path, questions, problems)


def _spans(
    path: Path, questions: Mapping[str, _Question], problems: list[str]
) -> dict[str, list[_Marked]]:
    found: dict[str, list[_Marked]] = {}
    if not path.is_file():
        return found
    for place, row in objects(path, problems):
        name, document = identifier(row.get("query_id")), identifier(row.get("corpus_id"))
        start, end, text = row.get("start"), row.get("end"), row.get("text", "")
        stretch = span(start, end)
        grade = row.get("grade", 1)
        judged = row.get("judged") is True
        if name is None or document is None or type(start) is not int or type(end) is not int:
            problems.append(f"{place}: a span needs query_id, corpus_id, start and end")
        elif name not in questions:
            problems.append(f"{place}: question {name!r} is not in queries.jsonl")
        elif stretch is None or not isinstance(text, str):
            problems.append(f"{place}: span {start}..{end} of {document!r} is none")
        elif text and len(text) != end - start:
            problems.append(f"{place}: span {start}..{end} is not as long as its text")
        elif type(grade) is not int:
            problems.append(f"{place}: grade {grade!r} is no whole number")
        else:
            ambiguous = row.get("ambiguous")
            way = row.get("way")
            found.setdefault(name, []).append(
                _Marked(
                    Evidence(document, text, stretch, grade),
                    "" if way is None else str(way),
                    ambiguous if isinstance(ambiguous, bool) else None,
                    "grade" in row,
                    judged or grade <= 0,
                )
            )
    return found


def _ways(
    spans: Sequence[_Marked], grades: Mapping[str, int], answers: tuple[str, ...]
) -> tuple[tuple[tuple[Evidence, ...], ...], tuple[Evidence, ...]]:
    """The ways of answering, and what was only judged."""
    marked = [one for one in spans if not one.judged]
    sure = [one.evidence for one in marked if not one.ambiguous]
    ways: dict[object, list[Evidence]] = {}
    for number, one in enumerate(marked):
        if one.ambiguous and sure and not any(_touch(one.evidence, other) for other in sure):
            continue
        any_will_do = one.ambiguous is not None or one.evidence.quote in answers
        key = one.way or (number if any_will_do else "together")
        ways.setdefault(key, []).append(_graded(one, grades))
    placed = {one.evidence.document for one in spans}
    rest = {document: grade for document, grade in grades.items() if document not in placed}
    whole = sorted((d for d, grade in rest.items() if grade > 0), key=lambda d: -rest[d])
    judged = [_graded(one, grades) for one in spans if one.judged]
    judged += [Evidence(d, grade=grade) for d, grade in rest.items() if grade <= 0]
    # Places are known for this question, so a document without one is no way of answering.
    if ways:
        judged += [Evidence(d, grade=rest[d]) for d in whole]
        whole = []
    return (
        (
            *(tuple(way) for way in ways.values()),
            *((Evidence(d, grade=rest[d]),) for d in whole),
        ),
        tuple(judged),
    )


def _graded(one: _Marked, grades: Mapping[str, int]) -> Evidence:
    """Evidence with the grade of its document where the span has none of its own."""
    if one.graded:
        return one.evidence
    return replace(one.evidence, grade=max(1, grades.get(one.evidence.document, 1)))


def _touch(one: Evidence, other: Evidence) -> bool:
    return (
        one.document == other.document
        and one.span is not None
        and other.span is not None
        and one.span.overlaps(other.span)
    )


def _digest(folder: Path, split: str) -> str:
    """Over the names and bytes of all files read."""
    whole = sha256()
    for name in ("queries.jsonl", f"qrels/{split}.tsv", "spans.jsonl"):
        path = folder / name
        if path.is_file():
            whole.update(f"{name}\0".encode() + sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
