"""A filter as masks over chunks: which may be seen, worked out on documents and kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerable.adapters.stores.embedded.chunk_table import Mask
from answerable.adapters.stores.embedded.document_table import (
    ACCESS,
    LANGUAGE,
    ORDINAL,
    SEGMENT,
    SOURCE,
    TYPE,
    DocumentTable,
    allowed_codes,
)
from answerable.adapters.stores.embedded.manifest import Facets
from answerable.adapters.stores.embedded.segment import Segment
from answerable.records.index import Filter


def alive(documents: DocumentTable, segments: Sequence[Segment]) -> list[Mask]:
    """For each segment which of its documents belong to the generation."""
    everything = np.ones(len(documents), dtype=np.bool_)
    return by_segment(documents, segments, everything)


def by_segment(documents: DocumentTable, segments: Sequence[Segment], chosen: Mask) -> list[Mask]:
    """A mask over the generation's documents as one mask per segment over its documents."""
    places = documents.places[chosen]
    masks = []
    for number, segment in enumerate(segments):
        mask = np.zeros(len(segment.table.documents), dtype=np.bool_)
        mask[places[places[:, SEGMENT] == number, ORDINAL]] = True
        masks.append(mask)
    return masks


def may_see(documents: DocumentTable, facets: Facets, filter: Filter) -> Mask:
    """Which documents a filter lets through, as `Filter.lets` has it.

    Access, type, language and source are compared by their codes, without reading the rows.
    """
    places = documents.places
    seen = np.ones(len(documents), dtype=np.bool_)
    if filter.principals is not None:
        seen &= allowed_codes(facets.access, filter.principals)[places[:, ACCESS]]
    coded = {
        "type": (facets.type, TYPE),
        "language": (facets.language, LANGUAGE),
        "source": (facets.source, SOURCE),
    }
    for key, value in filter.where:
        if key in coded:
            values, column = coded[key]
            code = values.index(value) if value in values else -1
            seen &= places[:, column] == code
            continue
        for number in np.flatnonzero(seen).tolist():
            seen[number] = documents.row(number).has(key, value)
    return seen
