"""Golden evidence to places in the indexed documents: names to documents, quotes to spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from unicodedata import normalize

from answerable.errors import NotFound
from answerable.records.docs import Document
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.index import IndexedDocument
from answerable.text.anchor import find

WAYS = 64
"""The most readings kept of one way of answering whose quotes stand in several places."""

Read = Callable[[str, str], Document]
"""The document of an id and a sha256."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Evidence that could not be placed, and why; `lost` when its item has no other evidence."""

    item_id: str
    document: str
    quote: str
    why: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Located:
    """A golden set whose evidence names document ids and spans.

    `items` are all items, in order; one in `unmeasured` (item id to why) has its evidence taken
    away, so that only its answer can be judged. `problems` lists every place that was not found,
    also where another way of answering the item is left.
    """

    golden: GoldenSet
    items: tuple[GoldenItem, ...]
    unmeasured: Mapping[str, str]
    problems: tuple[Problem, ...]


def locate(golden: GoldenSet, rows: Mapping[str, IndexedDocument], read: Read) -> Located:
    """Place the evidence of every item in the documents of a generation.

    A document is named by its uri, or by an end of it (after a slash) that only one uri has. A
    quote that stands in several places may be found in any of them, unless its span names one. An
    answerable item without evidence, and one of which no way of answering is placed whole, is
    unmeasured. A judged or wholly marked document that is not there stays in `judged` by its name:
    graded measures count it as never found.
    """
    names = Names(row.uri for row in rows.values())
    ids = {row.uri: row for row in rows.values()}
    read_once: dict[str, Document] = {}

    def document(uri: str) -> Document:
        if uri not in read_once:
            read_once[uri] = read(ids[uri].id, ids[uri].sha256)
        return read_once[uri]

    items: list[GoldenItem] = []
    unmeasured: dict[str, str] = {}
    problems: list[Problem] = []
    for item in golden.items:
        ways: list[tuple[Evidence, ...]] = []
        faults: list[Problem] = []
        judged = list(item.judged)
        for way in (item.evidence, *item.alternatives):
            readings = [_readings(item.id, one, names, document) for one in way]
            faults += [found for found in readings if isinstance(found, Problem)]
            whole = [found for found in readings if not isinstance(found, Problem)]
            if len(whole) < len(way):
                judged += [one for one in way if not one.quote and one.span is None]
            if way and len(whole) == len(way):
                ways += islice(product(*whole), WAYS)
        lost = bool(faults) and not ways
        problems += [replace(fault, lost=lost) for fault in faults]
        if item.answerable and not ways:
            unmeasured[item.id] = faults[0].why if faults else "it has no evidence"
        items.append(
            replace(
                item,
                evidence=ways[0] if ways else (),
                alternatives=tuple(ways[1:]),
                judged=tuple(
                    one if isinstance(found, Problem) else found[0]
                    for one in judged
                    for found in [_readings(item.id, one, names, document)]
                ),
            )
        )
    return Located(golden, tuple(items), unmeasured, tuple(problems))


class Names:
    """Uris by each of their ends."""

    def __init__(self, uris: Iterable[str]) -> None:
        self._exact = frozenset(uris)
        self._ends: dict[str, list[str]] = {}
        for uri in sorted(self._exact):
            parts = uri.split("/")
            for start in range(1, len(parts)):
                self._ends.setdefault("/".join(parts[start:]), []).append(uri)

    def __call__(self, name: str) -> str:
        """The one uri of a name; NotFound says whether there is none or there are several."""
        name = normalize("NFC", name).removeprefix("./")
        if name in self._exact:
            return name
        found = self._ends.get(name, [])
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"{name!r} names {len(found)} documents: {', '.join(found[:3])}")
        raise NotFound(f"no document {name!r} is indexed")


def _readings(
    item_id: str, evidence: Evidence, names: Names, document: Callable[[str], Document]
) -> list[Evidence] | Problem:
    """The places that evidence may mean: one, or one for each place of its quote."""
    try:
        read = document(names(evidence.document))
    except NotFound as fault:
        return Problem(item_id, evidence.document, evidence.quote, fault.message)
    if not evidence.quote:
        span = evidence.span
        if span is not None and span.end > len(read.text):
            why = f"its span ends at {span.end:,}, the document at {len(read.text):,}"
            return Problem(item_id, evidence.document, "", why)
        return [replace(evidence, document=read.id)]
    place = evidence.span
    if place is not None and read.text[place.start : place.end] == evidence.quote:
        return [replace(evidence, document=read.id)]
    spans = find(read, evidence.quote).spans
    if not spans:
        why = f"the quote is not in {read.uri}"
        return Problem(item_id, evidence.document, evidence.quote, why)
    if place in spans:
        spans = (place,)
    return [replace(evidence, document=read.id, span=span) for span in spans]
