"""What cutting and searching hand on: pieces, chunks, hits, rankings."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Access, Meta, Span


@dataclass(frozen=True, slots=True)
class Piece:
    """What a cutter returns: a span of the text and the lead repeated in front of it.

    A cutter sets as `lead` only what the piece itself needs repeated (a table's header rows, a
    fence); `text/dress.py` adds title and headings. `over` says why a piece is longer than the
    limit ('' if it is not). `parent` is the larger piece it was cut from, where there is one.
    """

    span: Span
    lead: str = ""
    over: str = ""
    parent: Span | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored piece: searched as lead + text of the span, shown as the span.

    `path` is the heading path, outermost first. `kind` is the block kind it holds most of.
    `words` and `tokens` count lead and text together; `tokens` in the embedder's word pieces,
    without special tokens. `parent` is the larger piece it was cut from, where there is one.
    """

    id: str
    document_id: str
    span: Span
    lead: str
    path: tuple[str, ...]
    kind: str
    words: int
    tokens: int
    over: str = ""
    parent: Span | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk in a ranking; `by` names what scored it (lexical, dense, rrf, convex, rerank)."""

    chunk_id: str
    score: float
    by: str


Ranking = tuple[Hit, ...]
"""Best first, ties by chunk id; scores compare only inside one ranking."""


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document's row in a generation: what filters, listings and citations need of it."""

    id: str
    uri: str
    title: str
    link: str
    type: str
    language: str
    sha256: str
    revision: str
    source: str
    access: Access
    meta: Meta
    chunks: int
    words: int
    includes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def has(self, key: str, value: str) -> bool:
        """Whether it has a value, as a filter asks: `uri` begins with it, else it is equal.

        Of several equal keys in the meta one is enough.
        """
        match key:
            case "uri":
                return self.uri.startswith(value)
            case "type":
                return self.type == value
            case "language":
                return self.language == value
            case "source":
                return self.source == value
        return (key, value) in self.meta


@dataclass(frozen=True, slots=True)
class GenerationInfo:
    """What a generation says of itself: who made it and how much it holds.

    `ingest_hash` is of the recipe's ingest half; `embedder` is the model's fingerprint ('' when
    nothing is embedded).
    """

    name: str
    at: str
    ingest_hash: str
    embedder: str
    documents: int
    chunks: int
    vectors: int
    over_limit: int


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search may see: `principals` of who asks (None: no access check) and metadata.

    `where` are (key, value) pairs that must all hold; keys are those of `IndexedDocument.meta`
    and also `uri` (prefix), `type`, `language`, `source`.
    """

    principals: tuple[str, ...] | None = None
    where: Meta = ()

    def lets(self, row: IndexedDocument) -> bool:
        """Whether a document may be seen: access first, then every pair of `where`."""
        if self.principals is not None and not row.access.allows(frozenset(self.principals)):
            return False
        return all(row.has(key, value) for key, value in self.where)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An input that was left out, with the reason."""

    uri: str
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """One document that an ingest touched: `what` is added, changed, relisted or removed.

    Relisted: its text is as it was, who may read it, its link or its metadata is not.
    """

    uri: str
    what: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Fell:
    """One golden question that is worse in a new generation than in the served one.

    `after` is None where it cannot be measured any more, with `why`.
    """

    item_id: str
    question: str
    metric: str
    before: float | None
    after: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Gated:
    """What a golden set said of a new generation before it was published.

    `checked` are the rules in words with their numbers, `failures` those that were broken.
    `quarantined` are (item id, why) of questions whose evidence is not in the new documents.
    """

    passed: bool
    questions: int
    checked: tuple[str, ...]
    failures: tuple[str, ...]
    fell: tuple[Fell, ...] = ()
    quarantined: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one add or sync did; counts are of documents, `seconds` of wall time.

    `failed` are those of `skipped` that should have been read and could not be. `checkpoints` are
    what sources gave to go on from, by their names; `incomplete` names those that could not list
    everything, `down` those of them that could list nothing. `listed_at` is when listing began,
    `swapped_at` since when what is gone cannot be
    found (ISO 8601 UTC; '' where nothing was swapped).

    `swapped`: all that changed is in the generation that is served now. Where a gate said no it is
    False: additions and changes wait, and `generation` holds only what was `withdrawn` (removals
    and who may read). `deletion_window_seconds`: the longest that a document which is removed now
    can have been found after its deletion (an upper bound); None when it cannot be told.
    """

    added: int
    changed: int
    unchanged: int
    removed: int
    skipped: tuple[Skipped, ...]
    generation: str
    seconds: float
    complete: bool
    notes: tuple[Skipped, ...] = ()
    embedded: int = 0
    parsed: int = 0
    failed: int = 0
    checkpoints: Meta = ()
    changes: tuple[Change, ...] = ()
    incomplete: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    listed_at: str = ""
    swapped_at: str = ""
    swapped: bool = False
    withdrawn: bool = False
    gate: Gated | None = None
    deletion_window_seconds: float | None = None
