"""Documents opened for measuring: read once, cut and searched under any number of recipes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from answerable import config
from answerable.adapters.formats.beir import load_corpus
from answerable.adapters.shelf import Shelf
from answerable.adapters.vector_memory import ShelvedVectors
from answerable.errors import InputError
from answerable.flow.corpus import Corpus
from answerable.flow.reuse import Reusing
from answerable.ports import Embedder, Progress
from answerable.rank.analyze import Analyzer
from answerable.records.docs import Document
from answerable.records.index import Chunk, Skipped
from answerable.records.recipe import AnalyzerRule, EmbedderRule, Ingest
from answerable.text.once import CHARACTERS
from answerable.wire.base import make_analyzer, make_embedder, make_rulers, silent
from answerable.wire.cutting import make_cut, make_late
from answerable.wire.limits import Limited
from answerable.wire.reading import read_sources, sources_of
from answerable.wire.table import load

SAMPLE = 50
"""Documents of a BEIR folder whose language is looked at."""


def open_corpus(
    paths: Sequence[Path],
    cache: Path | None = None,
    settings: config.Settings | None = None,
    progress: Progress = silent,
    without: Sequence[Path] = (),
) -> Corpus:
    """Everything readable under `paths`, and `corpus.skipped` with why the rest is not.

    A path is a folder, a file or a `.jsonl`, named as `add` names its documents, or a folder with
    corpus.jsonl and queries.jsonl (BEIR), where a document's uri is its `_id` and all are in the
    language that most of them are in. `cache` is a folder that keeps parsed documents and vectors
    between runs; files and folders `without` count as not there. Raises NotFound for a path that
    is not there, InputError when nothing is left.
    """
    settings = settings or config.plain_settings(Path.cwd())
    shelf = Shelf(cache / "corpus.db") if cache else None
    folders = [path for path in paths if _is_beir(path)]
    sources = sources_of([path for path in paths if path not in folders], without)
    documents, skipped = read_sources(sources, shelf, progress)
    for folder in folders:
        found, problems = load_corpus(folder / "corpus.jsonl")
        documents += _in_one_language(found)
        skipped += [Skipped(*problem.split(": ", 1)) for problem in problems]
    if not documents:
        raise InputError(
            f"no document can be read in {', '.join(map(str, paths)) or 'no path'}",
            f"{skipped[0].uri}: {skipped[0].reason}" if skipped else "give a folder or a file",
        )
    return corpus_of(documents, settings, shelf, skipped, progress)


def corpus_of(
    documents: Sequence[Document],
    settings: config.Settings,
    shelf: Shelf | None = None,
    skipped: Sequence[Skipped] = (),
    progress: Progress = silent,
) -> Corpus:
    """A corpus of documents at hand, with the parts of the table; a `shelf` keeps vectors."""
    parts = _Parts(settings)
    return Corpus(
        documents,
        parts.analyzer,
        parts.cut,
        parts.embedder,
        ShelvedVectors(shelf) if shelf else None,
        skipped,
        make_late,
        progress,
    )


class _Parts:
    """The parts of rules, each made once; texts are measured once for all cuttings."""

    def __init__(self, settings: config.Settings) -> None:
        self.embedder = cache(lambda rule: self._embedder(rule, settings))
        self._rulers = cache(lambda rule: make_rulers(self.embedder(rule), CHARACTERS))
        # A semantic cut of another size compares the same sentences.
        self._sentences = cache(lambda rule: _reusing(self.embedder(rule)))

    def analyzer(self, rule: AnalyzerRule) -> Callable[[str], Analyzer]:
        return cache(lambda language: make_analyzer(rule, language))

    def cut(self, ingest: Ingest) -> Callable[[Document], tuple[Chunk, ...]]:
        rule = ingest.embedder
        embedder = self.embedder(rule)
        run = make_cut(ingest, self._rulers(rule), lambda: self._sentences(rule))
        whole = embedder is None or rule.pooling == "late"
        return Limited(run, 0 if whole or embedder is None else embedder.limit, rule.long)

    def _embedder(self, rule: EmbedderRule, settings: config.Settings) -> Embedder | None:
        return make_embedder(rule, settings) if rule.name else None


def _reusing(embedder: Embedder | None) -> Embedder | None:
    return Reusing(embedder) if embedder else None


def _is_beir(path: Path) -> bool:
    return (path / "corpus.jsonl").is_file() and (path / "queries.jsonl").is_file()


def _in_one_language(documents: Sequence[Document]) -> list[Document]:
    detect = load("languages", "detected")
    sample = documents[:: max(1, len(documents) // SAMPLE)]
    language = Counter(detect(document.text) for document in sample).most_common(1)[0][0]
    return [replace(document, language=language) for document in documents]
