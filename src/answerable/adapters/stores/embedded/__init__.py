"""The store that lives in a folder: memory-mapped generations, swapped in whole."""

from answerable.adapters.stores.embedded.snapshot import EmbeddedSnapshot
from answerable.adapters.stores.embedded.store import EmbeddedStore

__all__ = ["EmbeddedSnapshot", "EmbeddedStore"]
