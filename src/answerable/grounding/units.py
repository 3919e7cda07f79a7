"""The quotable units of a passage: sentences, list items, table rows, lines of code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answerable.grounding.tasks import in_words
from answerable.language.sentences import sentences
from answerable.records.answers import Passage
from answerable.records.docs import Block, Document, Span

_WHOLE_ITEM = 240
"""A list item of up to this many characters is one unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable place; `passage` and `order` count from 0 in the passages and the document.

    `kind` is sentence, item, row or code. `path` is its heading path, `lead` the words it hangs
    on (the sentence before a list, the item above, a code block's title, and what the box of a
    task means). A row has its `cells`,
    the words of each column's header in `columns`, and the spans of the header rows in `header`.
    """

    document_id: str
    span: Span
    text: str
    kind: str
    passage: int
    order: int
    block: int
    path: tuple[str, ...]
    lead: str = ""
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    header: tuple[Span, ...] = ()


def units(document: Document, passage: Passage, number: int) -> Iterator[Unit]:
    """The units of `passage` (the `number`-th) that lie in what is shown, in reading order."""
    path: list[tuple[int, str]] = []
    said, order = "", 0
    for index, block in enumerate(document.blocks):
        words = document.text[block.inner.start : block.inner.end]
        if block.kind == "heading":
            path = [open for open in path if open[0] < block.level]
            path.append((block.level, " ".join(words.split())))
            said = ""
        if block.span.start >= passage.shown.end:
            break
        if block.span.end > passage.shown.start:
            lead = _lead(document, block, said)
            for span, kind, row in _inside(document, block):
                start = max(span.start, passage.shown.start)
                end = min(span.end, passage.shown.end)
                text = document.text[start:end]
                if not any(map(str.isalnum, text)):
                    continue
                yield Unit(
                    document_id=document.id,
                    span=Span(start, end),
                    text=text,
                    kind=kind,
                    passage=number,
                    order=order,
                    block=index,
                    path=tuple(name for _, name in path) or passage.chunk.path,
                    lead=" ".join(filter(None, (lead, in_words(text)))),
                    cells=block.cells[row] if row >= 0 else (),
                    columns=_columns(block) if row >= 0 else (),
                    header=block.rows[: block.header] if row >= 0 else (),
                )
                order += 1
        if block.kind == "paragraph":
            said = words


def _inside(document: Document, block: Block) -> Iterator[tuple[Span, str, int]]:
    """Span, kind and row number (-1 for none) of each unit of a block."""
    if block.kind == "table":
        for row in range(block.header, len(block.rows)):
            yield block.rows[row], "row", row
    elif block.kind == "code":
        position = block.inner.start
        for line in document.text[block.inner.start : block.inner.end].splitlines(keepends=True):
            bare = line.strip()
            if bare:
                begin = position + line.index(bare)
                yield Span(begin, begin + len(bare)), "code", -1
            position += len(line)
    elif block.kind == "list_item" and len(block.inner) <= _WHOLE_ITEM:
        yield block.inner, "item", -1
    elif block.kind not in ("heading", "page_break"):
        for span in sentences(document.text[block.inner.start : block.inner.end]):
            begin = block.inner.start
            yield Span(begin + span.start, begin + span.end), "sentence", -1


def _lead(document: Document, block: Block, said: str) -> str:
    if block.kind == "list_item":
        above = document.blocks[block.parent] if block.parent >= 0 else None
        if above is not None and above.kind == "list_item":
            return document.text[above.inner.start : above.inner.end]
    if block.kind == "code":
        return f"{block.title} {_last(said)}".strip()
    if block.kind in ("list_item", "table"):
        return _last(said)
    return said if block.kind == "paragraph" and _is_title(said) else ""


def _is_title(said: str) -> bool:
    """Whether a paragraph only names what follows: a few words without a mark at the end."""
    return 0 < len(said.split()) <= 6 and said.rstrip()[-1].isalnum()


def _last(said: str) -> str:
    spans = sentences(said)
    return said[spans[-1].start : spans[-1].end] if spans else ""


def _columns(block: Block) -> tuple[str, ...]:
    """The words over each column, those of several header rows joined, repetitions left out."""
    heads: Sequence[tuple[str, ...]] = block.cells[: block.header]
    width = max((len(row) for row in block.cells), default=0)
    return tuple(
        " ".join(dict.fromkeys(row[column] for row in heads if column < len(row) and row[column]))
        for column in range(width)
    )
