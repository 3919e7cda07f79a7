"""From the piece that was found to the text that is shown, within a budget of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerable.errors import ConfigError
from answerable.records.docs import Document, Span
from answerable.text.cutters.atoms import layout
from answerable.text.outline import outline
from answerable.text.ruler import word_spans

WAYS = ("piece", "window", "parent", "section", "document")


def expand(
    document: Document,
    chunk_spans: Sequence[Span],
    how: str,
    budget_words: int,
    parents: Sequence[Span | None] = (),
) -> tuple[Span, ...]:
    """What to show for chunks of one document, given best first; at most `budget_words` together.

    `how` is piece, window (a block more on both sides), parent (the larger piece a chunk was cut
    from, of `parents`, as many as chunks), section (that of the chunk's heading, with its
    sub-sections if they fit) or document; what does not fit falls back to the next narrower. Pieces
    come before expansions, so that none is pushed out by another's. Spans that meet become one; the
    result is in the order of the best chunk in each. If not even the first piece fits, its
    beginning is shown.
    """
    if how not in WAYS:
        raise ConfigError(f"unknown expansion {how!r}", f"one of {', '.join(WAYS)}")
    shown: tuple[Span, ...] = ()
    admitted: list[Span] = []
    for span in chunk_spans:
        wider = _joined(shown, span)
        if _words(document.text, wider) <= budget_words:
            shown = wider
            admitted.append(span)
        elif not admitted:
            head = _head(document.text, span, budget_words)
            return (head,) if len(head) else ()
    known = dict(zip(chunk_spans, parents, strict=False))
    for span in admitted:
        for candidate in _wider(document, span, how, known.get(span)):
            wider = _joined(shown, candidate)
            if _words(document.text, wider) <= budget_words:
                shown = wider
                break
    return shown


def _wider(document: Document, span: Span, how: str, parent: Span | None) -> Iterator[Span]:
    """Expansions of `span`, widest first."""
    text = document.text
    if how == "document":
        yield _trimmed(text, Span(0, len(text)))
    if how in ("document", "section"):
        sections = outline(document)
        first = sections.index_at(span.start)
        for whole in (sections.with_subsections(first), sections.sections()[first].span):
            yield _trimmed(text, _hull(whole, span))
    if how == "parent":
        if parent is not None:
            yield _hull(_trimmed(text, parent), span)
        return
    if how != "piece":
        atoms = layout(document).atoms
        if atoms:
            left = max(0, layout(document).at(span.start) - 1)
            right = min(len(atoms) - 1, layout(document).at(span.end - 1) + 1)
            yield _hull(Span(atoms[left].start, atoms[right].end), span)


def _joined(shown: tuple[Span, ...], span: Span) -> tuple[Span, ...]:
    """`shown` with `span`, spans that meet made one, which keeps the best place of its parts."""
    joined: list[Span] = []
    place = len(shown)
    for number, other in enumerate(shown):
        if other.overlaps(span):
            span = _hull(span, other)
            place = min(place, number)
    for number, other in enumerate(shown):
        if number == place:
            joined.append(span)
        if not other.overlaps(span):
            joined.append(other)
    if place == len(shown):
        joined.append(span)
    return tuple(joined)


def _hull(one: Span, other: Span) -> Span:
    return Span(min(one.start, other.start), max(one.end, other.end))


def _trimmed(text: str, span: Span) -> Span:
    body = text[span.start : span.end]
    return Span(span.start + len(body) - len(body.lstrip()), span.start + len(body.rstrip()))


def _words(text: str, spans: Sequence[Span]) -> int:
    return sum(len(text[span.start : span.end].split()) for span in spans)


def _head(text: str, span: Span, words: int) -> Span:
    found = word_spans(text[span.start : span.end])[: max(words, 0)]
    return Span(span.start, span.start + int(found[-1, 1])) if len(found) else Span(0, 0)
