"""The BEIR folder: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv, and spans.jsonl where given."""

from __future__ import annotations

from collections.abc import Container
from hashlib import sha256
from pathlib import Path

from answerable.adapters.formats.lines import identifier, lines, objects
from answerable.errors import InputError, NotFound
from answerable.records.codec import canonical_json
from answerable.records.collection import Collection
from answerable.records.docs import EVERYONE, Block, Document, Span
from answerable.text.canonical import document_id


def load(folder: Path, split: str = "test") -> Collection:
    """The collection of `folder` with the questions that `qrels/SPLIT.tsv` judges.

    A line that cannot be used costs itself and is named in `problems`; so do judgements of
    unknown questions, and documents that are judged but not there. Raises NotFound for a missing
    file, InputError when no document or no judged question is left.
    """
    problems: list[str] = []
    documents = _corpus(folder / "corpus.jsonl", problems)
    questions = _questions(folder / "queries.jsonl", problems)
    qrels = folder / "qrels" / f"{split}.tsv"
    if not qrels.is_file():
        there = ", ".join(sorted(p.stem for p in (folder / "qrels").glob("*.tsv"))) or "none"
        raise NotFound(f"no judgements {qrels}", f"splits here: {there}")
    judged = judgements(qrels, questions, problems, documents)
    if not documents or not judged:
        raise InputError(
            f"{folder}: {len(documents)} documents and {len(judged)} judged questions",
            problems[0] if problems else "nothing to measure",
        )
    spans = _spans(folder / "spans.jsonl", judged, documents, problems)
    return Collection(
        folder.name,
        split,
        tuple(documents.values()),
        {item: questions[item] for item in judged},
        judged,
        spans,
        tuple(problems),
    )


def load_corpus(path: Path) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """The documents of a corpus.jsonl, and the lines that could not be used.

    Raises NotFound for a missing file, InputError when no document is left.
    """
    problems: list[str] = []
    documents = tuple(_corpus(path, problems).values())
    if not documents:
        raise InputError(f"{path}: no documents", problems[0] if problems else "it is empty")
    return documents, tuple(problems)


def document(uri: str, title: str, text: str) -> Document:
    """A plain text as a document of one paragraph, its characters unchanged."""
    span = Span(0, len(text))
    blocks = (Block("paragraph", span, span),) if text else ()
    digest = sha256(canonical_json([title, "plain", text, blocks]).encode()).hexdigest()
    return Document(document_id(uri), uri, title, text, blocks, digest, "plain", access=EVERYONE)


def _corpus(path: Path, problems: list[str]) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for place, row in objects(path, problems):
        uri = identifier(row.get("_id"))
        title, text = row.get("title") or "", row.get("text")
        if uri is None:
            problems.append(f"{place}: no usable _id ({row.get('_id')!r})")
        elif not isinstance(text, str) or not isinstance(title, str):
            problems.append(f"{place}: document {uri!r} has no text")
        elif uri in found:
            problems.append(f"{place}: document {uri!r} stands twice; the first is kept")
        else:
            found[uri] = document(uri, title, text)
    return found


def _questions(path: Path, problems: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for place, row in objects(path, problems):
        item, text = identifier(row.get("_id")), row.get("text")
        if item is None or not isinstance(text, str):
            problems.append(f"{place}: a question needs _id and text")
        elif item in found:
            problems.append(f"{place}: question {item!r} stands twice; the first is kept")
        else:
            found[item] = text
    return found


def judgements(
    path: Path,
    questions: Container[str],
    problems: list[str],
    documents: Container[str] | None = None,
) -> dict[str, dict[str, int]]:
    """Grades by question and document of a `qrels/SPLIT.tsv`, with or without its head line.

    A document that is not among `documents` (None: any) is named, and counts all the same: it is
    judged and can never be found.
    """
    found: dict[str, dict[str, int]] = {}
    for number, line in lines(path):
        place = f"{path.name}:{number}"
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and len(cells) == 3 and not _whole(cells[2]):
            continue
        if len(cells) != 3 or not _whole(cells[2]):
            problems.append(f"{place}: not question, document and whole grade: {line[:80]!r}")
        elif cells[0] not in questions:
            problems.append(f"{place}: question {cells[0]!r} is not in queries.jsonl")
        elif cells[1] in found.get(cells[0], ()):
            problems.append(f"{place}: {cells[1]!r} is judged twice for {cells[0]!r}")
        else:
            if documents is not None and cells[1] not in documents:
                problems.append(f"{place}: document {cells[1]!r} is not in corpus.jsonl")
            found.setdefault(cells[0], {})[cells[1]] = int(cells[2])
    return found


def _spans(
    path: Path,
    judgements: dict[str, dict[str, int]],
    documents: dict[str, Document],
    problems: list[str],
) -> dict[str, tuple[tuple[str, Span], ...]]:
    found: dict[str, list[tuple[str, Span]]] = {}
    if not path.is_file():
        return {}
    for place, row in objects(path, problems):
        item, uri = identifier(row.get("query_id")), identifier(row.get("corpus_id"))
        start, end = row.get("start"), row.get("end")
        if item is None or uri is None or not isinstance(start, int) or not isinstance(end, int):
            problems.append(f"{place}: a span needs query_id, corpus_id, start and end")
        elif item not in judgements:
            continue
        elif uri not in documents:
            problems.append(f"{place}: document {uri!r} is not in corpus.jsonl")
        elif not 0 <= start < end <= len(documents[uri].text):
            problems.append(f"{place}: span {start}..{end} lies outside document {uri!r}")
        elif "text" in row and documents[uri].text[start:end] != row["text"]:
            problems.append(f"{place}: span {start}..{end} of {uri!r} is not the text given")
        else:
            found.setdefault(item, []).append((uri, Span(start, end)))
    return {item: tuple(places) for item, places in found.items()}


def _whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 10
