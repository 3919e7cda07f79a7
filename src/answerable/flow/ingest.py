"""Sources to one new generation: read what changed, carry over the rest, swap at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import accumulate

from answerable.errors import AnswerableError, ConfigError, InputError, ServiceError, StaleIndex
from answerable.flow.job import Job
from answerable.flow.plan import as_listed, is_disturbed, plan
from answerable.flow.prepare import row
from answerable.flow.repeats import without_repeats
from answerable.flow.stale import refuse_stale
from answerable.flow.swap import Fresh, Next, swap
from answerable.ports import Ahead, Entry, Listing, Source
from answerable.records.docs import Document, Known
from answerable.records.index import (
    Change,
    GenerationInfo,
    IndexedDocument,
    IngestReport,
    Skipped,
)

SAVE_EVERY = 64
"""Documents read between two saves: what an interruption can cost."""

WITHDRAWN = "taken out until its new text is published: it shows text of pages that are gone"


@dataclass(frozen=True, slots=True)
class _Before:
    info: GenerationInfo | None
    rows: tuple[IndexedDocument, ...]


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    parsed: int = 0
    failed: int = 0
    changes: list[Change] = field(default_factory=list)
    troubled: set[str] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[Skipped] = field(default_factory=list)
    touched: bool = False
    keep: dict[str, IndexedDocument] = field(default_factory=dict)
    fresh: list[Fresh] = field(default_factory=list)
    unsaved: list[Document] = field(default_factory=list)
    dropped: list[IndexedDocument] = field(default_factory=list)


def ingest(
    sources: Sequence[Source],
    job: Job,
    *,
    rebuild: bool = False,
    others: Set[str] | None = None,
) -> IngestReport:
    """Bring `sources` up to date and swap in one new generation, if anything changed.

    Documents of other sources stay: of all (None), or of those named in `others`. A document that
    another source holds already is skipped. A document that cannot be read is skipped with its
    reason and, if it was indexed before, its last readable version stays. Nothing is removed on the
    word of an incomplete listing. Of several sources one that cannot be listed costs itself; the
    fault is raised when there is no other. Raises StaleIndex when the index was made by another
    recipe or model, unless `rebuild`.
    """
    began, listed_at = job.clock.seconds(), job.clock.now()
    before = _current(job, rebuild)
    indexed = {doc.uri: doc for doc in before.rows}
    if before.info and not rebuild:
        refuse_stale(before.info, job.ingest_hash, job.fingerprint)
    listings, down = _listings(sources)
    gone = _gone(before.rows, listings, others)
    left = {doc.id for doc in gone}
    listings, repeats = without_repeats(listings, [d for d in before.rows if d.id not in left])
    gone = _gone(before.rows, listings, others)
    listed = {entry.uri for _, listing in listings for entry in listing.entries}
    tally = _Tally(skipped=repeats)
    for source, listing in listings:
        tally.skipped.extend(listing.skipped)
        tally.notes.extend(Skipped(source.name, note) for note in listing.notes)
    lost = {doc.uri for doc in gone}
    tally.keep = {
        doc.id: doc for uri, doc in indexed.items() if uri not in listed and uri not in lost
    }
    planned = plan(listings, indexed, lost, rebuild=rebuild)
    for row_now in planned.staying:
        tally.unchanged += 1
        tally.keep[row_now.id] = row_now
        if row_now != indexed[row_now.uri]:
            tally.touched = True
            tally.changes.append(Change(row_now.uri, "relisted", row_now.source))
        tally.notes.extend(Skipped(row_now.uri, note) for note in row_now.notes)
    known = job.surroundings(listings)
    reading = _Reading(
        job, job.archive.parsed(), job.archive.skips(), tally, rebuild, planned.moved
    )
    reading.announce(planned.reading)
    total, done = len(listed), len(planned.staying)
    for source, entry in planned.reading:
        job.progress("read", done, total)
        reading.take(source, entry, indexed.get(entry.uri), known(entry))
        done += 1
    if total:
        job.progress("read", total, total)
    reading.save()
    if rebuild:
        # What cannot be read again now is cut and embedded again from its last readable version.
        tally.fresh.extend(Fresh(d.id, d.sha256, d.source, d.access) for d in tally.keep.values())
        tally.keep.clear()
    gone += tally.dropped
    tally.changes.extend(Change(doc.uri, "removed", doc.source) for doc in gone)
    made = Next(before.info, before.rows, tally.keep, tally.fresh, gone, tally.touched)
    done_so = swap(made, job, forced=rebuild)
    tally.notes.extend(Skipped(uri, WITHDRAWN) for uri in done_so.hidden)
    return IngestReport(
        added=tally.added,
        changed=tally.changed,
        unchanged=tally.unchanged,
        removed=len(gone),
        skipped=tuple(tally.skipped),
        generation=done_so.generation,
        seconds=round(job.clock.seconds() - began, 3),
        complete=all(listing.complete for _, listing in listings),
        notes=tuple(tally.notes),
        parsed=tally.parsed,
        failed=tally.failed,
        checkpoints=tuple(
            (source.name, "" if source.name in tally.troubled else listing.checkpoint)
            for source, listing in listings
        ),
        changes=tuple(tally.changes),
        incomplete=tuple(source.name for source, listing in listings if not listing.complete),
        down=down,
        listed_at=listed_at,
        swapped=done_so.swapped,
        swapped_at=done_so.at,
        withdrawn=done_so.withdrawn,
    )


def _listings(sources: Sequence[Source]) -> tuple[list[tuple[Source, Listing]], tuple[str, ...]]:
    """What each source holds, and the names of those that fail; raises when all of them do."""
    listings: list[tuple[Source, Listing]] = []
    faults: dict[str, AnswerableError] = {}
    for source in sources:
        try:
            listings.append((source, source.list()))
        except AnswerableError as fault:
            faults[source.name] = fault
            lines = (f"cannot be listed, stays as it was: {fault}",)
            listings.append((source, Listing((), complete=False, notes=lines)))
    if faults and len(faults) == len(sources):
        raise next(iter(faults.values()))
    return listings, tuple(faults)


def _gone(
    rows: Sequence[IndexedDocument],
    listings: Sequence[tuple[Source, Listing]],
    others: Set[str] | None,
) -> list[IndexedDocument]:
    """The indexed documents that no source has any more; an incomplete listing proves nothing.

    What is skipped is there, and so is what lay in an archive that cannot be opened just now.
    """
    there = {entry.uri for _, listing in listings for entry in listing.entries}
    skipped = {skip.uri for _, listing in listings for skip in listing.skipped}
    there |= skipped
    complete = {source.name: listing.complete for source, listing in listings}

    def gone(doc: IndexedDocument) -> bool:
        if doc.source in complete:
            inside = any(above in skipped for above in accumulate(_parts(doc.uri)))
            return complete[doc.source] and doc.uri not in there and not inside
        return others is not None and doc.source not in others

    return [doc for doc in rows if gone(doc)]


def _parts(uri: str) -> list[str]:
    """The pieces of a uri before each slash, which joined one by one are what it lies in."""
    first, *rest = uri.split("/")[:-1] or [uri]
    return [first, *(f"/{one}" for one in rest)]


def _current(job: Job, rebuild: bool) -> _Before:
    try:
        snapshot = job.store.current()
    except (InputError, StaleIndex):
        if not rebuild:
            raise
        return _Before(None, ())  # a rebuild needs nothing of a damaged index
    if snapshot is None:
        return _Before(None, ())
    try:
        return _Before(snapshot.info, tuple(snapshot.documents().values()))
    finally:
        snapshot.close()


class _SkippedBeforeError(AnswerableError):
    """A document that was skipped before and has not changed since."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads one listed document after another into a tally."""

    job: Job
    parsed: Mapping[tuple[str, str], tuple[str, str]]
    skips: Mapping[tuple[str, str], str]
    tally: _Tally
    rebuild: bool
    moved: frozenset[str]

    def announce(self, reading: Sequence[tuple[Source, Entry]]) -> None:
        """Tell each source that fetches ahead what it will be asked for."""
        wanted: dict[str, tuple[Source, list[Entry]]] = {}
        had = () if self.rebuild else {*self.parsed, *self.skips}
        for source, entry in reading:
            if (entry.uri, entry.revision) not in had:
                wanted.setdefault(source.name, (source, []))[1].append(entry)
        for source, entries in wanted.values():
            if isinstance(source, Ahead):
                source.expect(entries)

    def take(self, source: Source, entry: Entry, old: IndexedDocument | None, known: Known) -> None:
        tally = self.tally
        try:
            document = self._read(source, entry, known)
        except Exception as fault:  # one bad document costs itself, whatever its parser met
            self._left_out(source, entry, old, fault)
            return
        tally.notes.extend(Skipped(document.uri, note) for note in document.notes)
        if old and old.sha256 == document.sha256 and not self.rebuild:
            tally.unchanged += 1
            renewed = replace(
                row(document, source.name, old.chunks), words=old.words, language=old.language
            )
            if renewed != old:
                tally.touched = True
                tally.changes.append(Change(old.uri, "relisted", source.name))
            tally.keep[old.id] = renewed
            return
        tally.changed += old is not None
        tally.added += old is None
        what = "changed" if old else "added"
        tally.changes.append(Change(document.uri, what, source.name))
        tally.fresh.append(Fresh(document.id, document.sha256, source.name, document.access))

    def _left_out(
        self, source: Source, entry: Entry, old: IndexedDocument | None, fault: Exception
    ) -> None:
        tally = self.tally
        if isinstance(fault, ServiceError | ConfigError):
            tally.troubled.add(source.name)
        reason = fault.message if isinstance(fault, AnswerableError) else repr(fault)
        reason = reason.removeprefix(f"{entry.uri}: ").replace(f": {entry.uri}", "")
        tally.failed += 1
        if not isinstance(fault, _SkippedBeforeError | ServiceError | ConfigError):
            self.job.archive.put_skips([(Skipped(entry.uri, reason), entry.revision)])
        if old and is_disturbed(old, self.moved):
            # Its last version shows text that may have been deleted or hidden since.
            tally.dropped.append(old)
            reason += "; taken out until it can be read again: it shows text of pages that changed"
        elif old:
            tally.keep[old.id] = as_listed(old, entry)
            tally.touched = tally.touched or tally.keep[old.id] != old
            reason += "; the last readable version stays indexed"
        tally.skipped.append(Skipped(entry.uri, reason))

    def save(self) -> None:
        self.job.archive.put_many(self.tally.unsaved)
        self.tally.unsaved.clear()

    def _read(self, source: Source, entry: Entry, known: Known) -> Document:
        at = (entry.uri, entry.revision)
        if not self.rebuild:
            if at in self.skips and not (known.pages or known.passwords):
                raise _SkippedBeforeError(self.skips[at])
            if at in self.parsed:
                before = self.job.archive.get(*self.parsed[at])
                if not (known.pages and before.includes):
                    return self._again(before, entry)
        raw = as_listed(source.fetch(entry), entry)
        # What the document says of itself is not in listings, and must not come and go with them.
        document = as_listed(self.job.read(raw, known), entry)
        self.tally.parsed += 1
        self._keep(document)
        return document

    def _again(self, before: Document, entry: Entry) -> Document:
        document = as_listed(before, entry)
        if document != before:
            self._keep(document)
        return document

    def _keep(self, document: Document) -> None:
        self.tally.unsaved.append(document)
        if len(self.tally.unsaved) >= SAVE_EVERY:
            self.save()
