"""The database: documents by content, sources, staged work and the trail, filling `ports.Library`.

SQLite in a file by default (WAL, one writer, others wait), PostgreSQL by its URL.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import batched
from typing import Any

import sqlalchemy as sa

from answerable.adapters.audit import Trail
from answerable.adapters.connect import Connections
from answerable.adapters.staging import Staging
from answerable.adapters.tables import documents, parsed, skips, sources
from answerable.adapters.upsert import upsert
from answerable.errors import InputError, NotFound
from answerable.records.answers import Trace
from answerable.records.codec import canonical_json, from_plain
from answerable.records.docs import Document


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A registered source: what `kind` of the parts table it is, with its options."""

    name: str
    kind: str
    options: Mapping[str, Any]
    added_at: str
