"""Answerable: documents in, proven answers out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "open_base": "answerable.wire.base",
    "KnowledgeBase": "answerable.wire.base",
    "read_folder": "answerable.wire.look",
    "Recipe": "answerable.records.recipe",
    "CutRule": "answerable.records.recipe",
    "Document": "answerable.records.docs",
    "Span": "answerable.records.docs",
    "Access": "answerable.records.docs",
    "Chunk": "answerable.records.index",
    "Filter": "answerable.records.index",
    "IngestReport": "answerable.records.index",
    "Trace": "answerable.records.answers",
    "Answer": "answerable.records.answers",
    "Citation": "answerable.records.answers",
    "GoldenItem": "answerable.records.evals",
    "AnswerableError": "answerable.errors",
}

__all__ = ["__version__", *_WHERE]

if TYPE_CHECKING:
    from answerable.errors import AnswerableError as AnswerableError
    from answerable.records.answers import Answer as Answer
    from answerable.records.answers import Citation as Citation
    from answerable.records.answers import Trace as Trace
    from answerable.records.docs import Access as Access
    from answerable.records.docs import Document as Document
    from answerable.records.docs import Span as Span
    from answerable.records.evals import GoldenItem as GoldenItem
    from answerable.records.index import Chunk as Chunk
    from answerable.records.index import Filter as Filter
    from answerable.records.index import IngestReport as IngestReport
    from answerable.records.recipe import CutRule as CutRule
    from answerable.records.recipe import Recipe as Recipe
    from answerable.wire.base import KnowledgeBase as KnowledgeBase
    from answerable.wire.base import open_base as open_base
    from answerable.wire.look import read_folder as read_folder


def __getattr__(name: str) -> Any:
    """A public name, loaded at its first use so that importing the package stays cheap."""
    if name not in _WHERE:
        raise AttributeError(f"module 'answerable' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
