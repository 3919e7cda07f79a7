"""From pieces to chunks: the only place where leads and ids are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from answerable.errors import ConfigError
from answerable.records.docs import Document
from answerable.records.index import Chunk, Piece
from answerable.text.cutters.atoms import Layout, layout
from answerable.text.cutters.frame import stacked
from answerable.text.cutters.window import word_start
from answerable.text.outline import Outline
from answerable.text.ruler import Measured, Remembering, Ruler, measured

LEADS = ("none", "title", "headings", "title+headings")
BETWEEN = " > "
"""What stands between the title and the headings of a lead."""


def lead_for(document: Document, outline: Outline, offset: int, how: str) -> str:
    """The lead of a piece that starts at `offset`: one line, `Title > Heading > Sub-heading`.

    `how` is none, title, headings or title+headings. What the piece itself begins with (its
    heading, or a heading that is the title) is not repeated, nor a heading equal to the title.
    """
    return BETWEEN.join(lead_parts(document, outline, offset, how))


def lead_parts(document: Document, outline: Outline, offset: int, how: str) -> list[str]:
    """The parts of `lead_for`, outermost first; ConfigError for an unknown `how`."""
    if how not in LEADS:
        raise ConfigError(f"unknown lead {how!r}", f"one of {', '.join(LEADS)}")
    section = outline.sections()[outline.index_at(offset)]
    title = " ".join(document.title.split())
    own = section.path[-1] if section.path and offset == section.span.start else None
    parts = []
    if "title" in how and title and not (own and _same(own, title)):
        parts.append(title)
    if "headings" in how:
        path = section.path if own is None else section.path[:-1]
        parts += [name for name in path if "title" not in how or not _same(name, title)]
    return parts


def shortened(parts: Sequence[str], ruler: Ruler, most: int, titled: bool = True) -> str:
    """A lead of at most `most` units: outer headings go first, then the title, then words.

    `parts` are as in `lead_parts`, the first a title if `titled`. The innermost heading loses
    words from its left; the lead is '' if not even the last word has room.
    """
    left = list(parts)
    while len(left) > 1 and ruler.count(BETWEEN.join(left) + "\n") > most:
        del left[1 if titled and len(left) > 2 else 0]
    lead = BETWEEN.join(left)
    begin = 0
    while begin < len(lead) and ruler.count(lead[begin:] + "\n") > most:
        earliest = measured(lead, ruler).back(len(lead), most)
        begin = word_start(lead, max(begin + 1, earliest), len(lead))
    return lead[begin:]


@dataclass(frozen=True, slots=True)
class Leads:
    """`lead_at` of one document: leads of at most `most` units (None: as they are)."""

    document: Document
    outline: Outline
    how: str
    ruler: Ruler
    most: int | None = None
    known: dict[tuple[int, bool], str] = field(default_factory=dict)

    def __call__(self, offset: int) -> str:
        index = self.outline.index_at(offset)
        key = (index, offset == self.outline.starts[index])
        if key not in self.known:
            parts = lead_parts(self.document, self.outline, offset, self.how)
            if self.most is None:
                self.known[key] = BETWEEN.join(parts)
            else:
                titled = "title" in self.how and parts[:1] == [
                    " ".join(self.document.title.split())
                ]
                self.known[key] = shortened(parts, self.ruler, self.most, titled)
        return self.known[key]


def dress(
    document: Document,
    outline: Outline,
    pieces: Sequence[Piece],
    lead_at: Callable[[int], str],
    rulers: Mapping[str, Ruler],
) -> tuple[Chunk, ...]:
    """The chunks of `pieces`, in order.

    `path` is that of the first text under a heading in the piece; `words` and `tokens` count
    the searched text (`tokens` is 0 if `rulers` has none).
    """
    blocks = layout(document)
    counts = {name: _counter(document.text, rulers.get(name)) for name in ("words", "tokens")}
    chunks = []
    for piece in pieces:
        start, end = piece.span.start, piece.span.end
        lead = stacked(lead_at(start), piece.lead) if piece.lead else lead_at(start)
        content, kind = _inside(blocks, start, end)
        chunks.append(
            Chunk(
                id=chunk_id(document.id, start, end, lead),
                document_id=document.id,
                span=piece.span,
                lead=lead,
                path=outline.path_at(content),
                kind=kind,
                words=counts["words"](lead, start, end),
                tokens=counts["tokens"](lead, start, end),
                over=piece.over,
                parent=piece.parent,
            )
        )
    return tuple(chunks)


def chunk_id(document_id: str, start: int, end: int, lead: str) -> str:
    """The first 16 hex digits of SHA-256 over document id, start, end and lead, line by line."""
    name = f"{document_id}\n{start}\n{end}\n{lead}"
    return sha256(name.encode(errors="surrogatepass")).hexdigest()[:16]


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _counter(text: str, ruler: Ruler | None) -> Callable[[str, int, int], int]:
    if ruler is None:
        return lambda lead, start, end: 0
    # Measuring the whole text pays for a ruler that keeps the measure, or a cheap one.
    if isinstance(ruler, Remembering) or ruler.unit == "words":
        return measured(text, ruler).count
    return Measured(text, ruler, [], additive=False).count


def _inside(blocks: Layout, start: int, end: int) -> tuple[int, str]:
    """Where the piece's first text under a heading begins, and what most of it is.

    The first is the start of the first atom that is no heading, the piece's own if all are
    headings; the second the kind of block that most characters belong to, the first of equals.
    """
    atoms, at = blocks.atoms, blocks.at(start)
    content = -1
    share: dict[str, int] = {}
    while at < len(atoms) and atoms[at].start < end:
        atom = atoms[at]
        kind = blocks.kind(atom)
        if content < 0 and kind != "heading":
            content = max(start, atom.start)
        share[kind] = share.get(kind, 0) + min(end, atom.end) - max(start, atom.start)
        at += 1
    most = max(share, key=share.__getitem__) if share else "paragraph"
    return (content if content >= 0 else start), most
