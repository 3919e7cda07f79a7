"""One published-style measurement on a BEIR folder, put together from the parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from answerable import config
from answerable.adapters.formats.beir import load as load_folder
from answerable.errors import UsageError
from answerable.flow.beir import BeirResult, measure_beir
from answerable.flow.beir_lists import BeirRule
from answerable.records.collection import Collection
from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.records.recipe import AnalyzerRule, CutRule, EmbedderRule
from answerable.wire.base import make_analyzer, make_embedder, make_rulers
from answerable.wire.table import build_cutter


def measure_folder(
    folder: Path, cut: CutRule, rule: BeirRule, split: str, language: str
) -> tuple[Collection, BeirResult]:
    """The collection as read (with its problems) and what the cut and rule give on it."""
    collection = load_folder(folder, split)
    if not collection.questions:
        raise UsageError(
            f"{folder} has no judged questions in split {split!r}", "name another with --split"
        )
    embedder = None
    if rule.mode != "lexical":
        embedder = make_embedder(EmbedderRule(), config.plain_settings(folder))
    analyzer = make_analyzer(AnalyzerRule(), language)
    return collection, measure_beir(collection, _cutter(cut), analyzer, rule, embedder)


def _cutter(rule: CutRule) -> Callable[[Document], tuple[Piece, ...]]:
    cutter = build_cutter(rule)
    ruler = make_rulers(None)[rule.unit]

    def lead(document: Document) -> Callable[[int], str]:
        return lambda offset: "" if rule.lead == "none" else document.title

    return lambda document: tuple(cutter(document, ruler, lead(document)))
