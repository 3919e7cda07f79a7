"""Whether a generation fits the recipe and model in use."""

from __future__ import annotations

from answerable.errors import StaleIndex
from answerable.records.index import GenerationInfo


def refuse_stale(info: GenerationInfo, ingest_hash: str, fingerprint: str) -> None:
    """StaleIndex, naming both sides, unless the generation fits the recipe and model in use."""
    if info.embedder != fingerprint:
        raise StaleIndex(
            f"embedder mismatch: the index holds vectors of {info.embedder or 'no model'}, "
            f"the recipe names {fingerprint or 'no model'}",
            "run `answerable sync --rebuild` to embed again, or put the old model back",
        )
    if info.ingest_hash != ingest_hash:
        raise StaleIndex(
            f"the index was made by ingest recipe {info.ingest_hash}, "
            f"the recipe in use is {ingest_hash}",
            "run `answerable sync --rebuild`, or undo the change in answerable.toml",
        )
