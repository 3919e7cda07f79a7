"""The next generation: what is gone is withdrawn, what is new is published if it may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from answerable.flow.job import Job
from answerable.flow.prepare import prepare
from answerable.records.docs import Access, Document, all_of
from answerable.records.index import GenerationInfo, IndexedDocument


@dataclass(frozen=True, slots=True)
class Fresh:
    """A document that must be cut and indexed anew, as it lies in the archive."""

    id: str
    sha256: str
    source: str
    access: Access


@dataclass(frozen=True, slots=True)
class Next:
    """What the next generation is made of: rows that stay, documents that enter.

    `info` and `rows` are of the current generation (None and none before the first); `gone` are
    those of its rows that leave. `touched`: a row that stays is not as it was.
    """

    info: GenerationInfo | None
    rows: tuple[IndexedDocument, ...]
    keep: Mapping[str, IndexedDocument]
    fresh: Sequence[Fresh]
    gone: Sequence[IndexedDocument]
    touched: bool


@dataclass(frozen=True, slots=True)
class Swapped:
    """The generation that is current now.

    `swapped`: it holds all of the next one. `withdrawn`: what is gone left before, with `hidden`,
    the uris of pages whose old text showed some of it. `at`: since when what is gone cannot be
    found (ISO 8601 UTC), '' if nothing was swapped.
    """

    generation: str
    swapped: bool
    at: str = ""
    withdrawn: bool = False
    hidden: tuple[str, ...] = ()


def swap(made: Next, job: Job, *, forced: bool) -> Swapped:
    """Prepare the next generation and publish it, unless nothing changed or it is not accepted.

    Where `job.accept` decides, removals and changes of who may read are published before and in
    any case; additions and changes of text wait for its yes. On a no nothing that was read or
    embedded is lost, and the archive is not settled.
    """
    if made.info and not (made.fresh or made.gone or made.touched or forced):
        return Swapped(made.info.name, False)
    before = Swapped(made.info.name if made.info else "", False)
    if job.accept is not None and made.info is not None:
        before = _withdraw(made, made.info, job)
        if before.withdrawn and not (made.fresh or forced):
            _settle(made, job)
            return replace(before, swapped=True)
    info = job.store.prepare(
        prepare(_entering(made, job), job.preparation),
        keep=made.keep,
        at=job.clock.now(),
        ingest_hash=job.ingest_hash,
        embedder=job.fingerprint,
    )
    try:
        accepted = job.accept is None or job.accept(info)
    except BaseException:
        job.store.discard(info.name)
        raise
    if not accepted:
        job.store.discard(info.name)
        return before
    job.store.publish(info.name)
    at = before.at or job.clock.now()
    _settle(made, job)
    return Swapped(info.name, True, at, before.withdrawn)


def _withdraw(made: Next, info: GenerationInfo, job: Job) -> Swapped:
    """Publish the current generation without what is gone, read by no more than may read it now."""
    rows, hidden = without(made)
    if list(rows.values()) == list(made.rows):
        return Swapped(info.name, False)
    now = job.store.replace(
        (), keep=rows, at=job.clock.now(), ingest_hash=info.ingest_hash, embedder=info.embedder
    )
    at = job.clock.now()
    job.archive.forget([doc.uri for doc in made.gone])
    return Swapped(now.name, False, at, True, hidden)


def without(made: Next) -> tuple[dict[str, IndexedDocument], tuple[str, ...]]:
    """The rows of the current generation that may stay, and the uris that their text puts out.

    A text that waits to be replaced is shown to those who may read both it and what replaces it.
    It goes where it shows text of a page that is gone or has fewer readers than before.
    """
    fresh = {one.id: one for one in made.fresh}
    gone = {doc.id for doc in made.gone}
    withdrawn = {doc.uri for doc in made.gone}
    rows: dict[str, IndexedDocument] = {}
    for old in made.rows:
        if old.id in gone:
            continue
        row = made.keep.get(old.id)
        if row is None and old.id in fresh:
            row = replace(old, access=_of_both(old, fresh[old.id]))
        if row is None or not old.access.within(row.access):
            withdrawn.add(old.uri)
        if row is not None:
            rows[old.id] = row
    old_text = {
        id
        for id, row in rows.items()
        if id not in made.keep and not (id in fresh and fresh[id].sha256 == row.sha256)
    }
    hidden = [id for id in rows if id in old_text and withdrawn.intersection(rows[id].includes)]
    uris = tuple(rows[id].uri for id in hidden)
    for id in hidden:
        del rows[id]
    return rows, uris


def _of_both(old: IndexedDocument, new: Fresh) -> Access:
    if old.sha256 == new.sha256 or old.access == new.access:
        return new.access
    return all_of((*old.access.lists, *new.access.lists))


def _entering(made: Next, job: Job) -> Iterator[tuple[Document, str]]:
    replaced = {doc.id: doc for doc in made.rows}
    for number, item in enumerate(made.fresh, 1):
        if item.id in replaced:
            job.carry(replaced[item.id])
        yield job.archive.get(item.id, item.sha256), item.source
        job.progress("index", number, len(made.fresh))


def _settle(made: Next, job: Job) -> None:
    now = {(doc.id, doc.sha256) for doc in made.keep.values()}
    now |= {(item.id, item.sha256) for item in made.fresh}
    held = {(doc.id, doc.sha256) for doc in made.rows}
    job.archive.settle([doc.uri for doc in made.gone], held | now | job.older())
