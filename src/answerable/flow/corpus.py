"""Documents parsed once, cut in any number of ways: terms and vectors are worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from answerable.errors import NotFound
from answerable.flow.embed import embed_chunks
from answerable.flow.lexemes import Lexemes
from answerable.flow.prepare import Late, row
from answerable.flow.remember import EmbedOnce, PoolOnce
from answerable.flow.reuse import Reusing
from answerable.flow.search import Finder, languages_of
from answerable.flow.trial import Cutting, Trial, split_vectors
from answerable.ports import Embedder, Floats, Progress, VectorMemory
from answerable.rank.analyze import Analyzer, Terms
from answerable.records.docs import Document
from answerable.records.index import Chunk, GenerationInfo, IndexedDocument, Skipped
from answerable.records.recipe import AnalyzerRule, EmbedderRule, Ingest, Recipe, digest
from answerable.text.cut import searched

KEPT = 400_000
"""Chunks of the cuttings remembered; what is forgotten is cut again when it is asked for."""

BATCH = 512
"""Pieces embedded between two writes to the memory: what an interruption can cost."""


class Corpus:
    """Documents parsed once, with terms per analyzer rule and vectors per text remembered.

    `analyzer`, `cut` and `embedder` make the parts of a rule (no embedder for a rule that names
    none); `late` gives what pools vectors from whole documents, where a rule says so. `vectors`
    keeps vectors between runs, None only within this corpus. `skipped` are the inputs that could
    not be read, `kept` how many chunks of cuttings are remembered. Two documents with one id: the
    first counts.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        analyzer: Callable[[AnalyzerRule], Callable[[str], Analyzer]],
        cut: Callable[[Ingest], Callable[[Document], tuple[Chunk, ...]]],
        embedder: Callable[[EmbedderRule], Embedder | None],
        vectors: VectorMemory | None = None,
        skipped: Sequence[Skipped] = (),
        late: Callable[[EmbedderRule, Embedder], Late | None] = lambda rule, embedder: None,
        progress: Progress = lambda stage, done, total: None,
        kept: int = KEPT,
    ) -> None:
        self._by_id: dict[str, Document] = {}
        for document in documents:
            self._by_id.setdefault(document.id, document)
        self.documents = tuple(self._by_id.values())
        self.skipped = tuple(skipped)
        self._analyzer, self._cut, self._embedder = analyzer, cut, embedder
        self._memory = vectors or _Within()
        self._late, self._progress, self._kept = late, progress, kept
        self._rows: dict[str, IndexedDocument] = {}
        self._lexemes: dict[str, Lexemes] = {}
        self._cuttings: dict[str, Cutting] = {}
        self._questions: dict[tuple[str, tuple[str, ...]], dict[str, dict[str, float]]] = {}
        self._reusing: dict[str, Reusing | None] = {}
        self._trials: dict[tuple[str, bool], Trial] = {}

    def rows(self) -> Mapping[str, IndexedDocument]:
        """Rows of all documents by id, as if nothing were cut (`chunks` is 0)."""
        if not self._rows:
            self._rows = {
                document.id: row(document, document.uri.rpartition("/")[0].partition("/")[0], 0)
                for document in self.documents
            }
        return self._rows

    def document(self, id: str, sha256: str) -> Document:
        """A document as it was read; NotFound for another version than the one here."""
        found = self._by_id.get(id)
        if found is None or found.sha256 != sha256:
            raise NotFound(f"no document {id} with the content {sha256[:12]} is here")
        return found

    def finder(self, recipe: Recipe) -> Finder:
        """What searches the corpus under a recipe."""
        trial, rule = self.trial(recipe), recipe.ingest.analyzer
        languages = languages_of(trial)
        return Finder(
            trial,
            self._analyzer(rule),
            languages,
            self._asking(recipe.ingest.embedder) if _dense(recipe) else None,
            self._questions.setdefault((digest(rule), languages), {}),
        )

    def limit(self, recipe: Recipe) -> int:
        """The tokens that its model reads at once, 0 where a search needs no vectors."""
        rule = recipe.ingest.embedder
        embedder = self._embedder(rule) if _dense(recipe) else None
        return embedder.limit if embedder and rule.pooling != "late" else 0

    def trial(self, recipe: Recipe) -> Trial:
        """The corpus cut and indexed under a recipe, embedded where its search needs vectors."""
        ingest = recipe.ingest
        key = (digest(ingest), _dense(recipe))
        trial = self._trials.get(key)
        if trial is None:
            trial = self._trials[key] = self._made(ingest, *key)
            self._forget()
        return trial

    def _forget(self) -> None:
        """Let go of the oldest cuttings but the last while there are more than `kept` chunks."""
        while len(self._cuttings) > 1 and (
            sum(len(cutting.chunks) for cutting in self._cuttings.values()) > self._kept
        ):
            name = next(iter(self._cuttings))
            del self._cuttings[name]
            for dense in (False, True):
                self._trials.pop((name, dense), None)

    def _made(self, ingest: Ingest, name: str, dense: bool) -> Trial:
        cutting = self._cutting(ingest, name)
        counts = np.diff(cutting.first).tolist()
        rows = {
            id: replace(row, chunks=count)
            for (id, row), count in zip(self.rows().items(), counts, strict=True)
        }
        info = GenerationInfo(
            name=f"trial-{name}",
            at="",
            ingest_hash=name,
            embedder="",
            documents=len(rows),
            chunks=len(cutting.chunks),
            vectors=0,
            over_limit=sum(bool(chunk.over) for chunk in cutting.chunks),
        )
        embedder = self._embedder(ingest.embedder) if dense else None
        if embedder is None:
            return Trial(info, rows, cutting)
        vectors, owners = self._vectors(cutting, ingest.embedder, embedder)
        info = replace(info, embedder=embedder.fingerprint, vectors=len(owners))
        return Trial(info, rows, cutting, *split_vectors(vectors, owners, cutting.first))

    def _asking(self, rule: EmbedderRule) -> Embedder | None:
        key = digest(rule)
        if key not in self._reusing:
            embedder = self._embedder(rule)
            self._reusing[key] = Reusing(embedder) if embedder else None
        return self._reusing[key]

    def _cutting(self, ingest: Ingest, name: str) -> Cutting:
        if name not in self._cuttings:
            cut = self._cut(ingest)
            found = []
            for number, document in enumerate(self.documents, 1):
                found.append(cut(document))
                self._progress("cut", number, len(self.documents))
            spans = [(c.span.start, c.span.end) for own in found for c in own]
            terms = self._terms(ingest.analyzer).segment(
                np.repeat(np.arange(len(found)), [len(own) for own in found]),
                np.array(spans, np.int64).reshape(-1, 2),
                [chunk.lead for own in found for chunk in own],
            )
            self._cuttings[name] = Cutting.of(found, terms)
        return self._cuttings[name]

    def _terms(self, rule: AnalyzerRule) -> Lexemes:
        key = digest(rule)
        if key not in self._lexemes:
            of = self._analyzer(rule)

            def analyze(text: str, language: str) -> Terms:
                return of(language).terms(text)

            self._lexemes[key] = Lexemes(self.documents, analyze)
        return self._lexemes[key]

    def _vectors(
        self, cutting: Cutting, rule: EmbedderRule, embedder: Embedder
    ) -> tuple[Floats, list[int]]:
        """The rows of all chunks and the chunk of each."""
        late = self._late(rule, embedder)
        if late is not None:
            return self._pooled(cutting, embedder, late)
        memory = self._memory
        space = f"{embedder.fingerprint} {rule.long}"
        rows: list[Floats] = [np.zeros((0, embedder.dimensions), np.float32)]
        owners: list[int] = []

        def embed(texts: Sequence[str]) -> tuple[Floats, tuple[int, ...]]:
            done = embed_chunks(embedder, texts, rule.long)
            return done.vectors, done.owners

        once = EmbedOnce(
            embed,
            lambda keys: memory.recall(space, keys),
            lambda found: memory.keep(space, found),
        )
        for start in range(0, len(cutting.chunks), BATCH):
            part = cutting.chunks[start : start + BATCH]
            texts = [searched(chunk, self._by_id[chunk.document_id]) for chunk in part]
            vectors, owned = once(texts)
            rows.append(vectors)
            owners += [start + owner for owner in owned]
            self._progress("embed", start + len(part), len(cutting.chunks))
        return np.concatenate(rows), owners

    def _pooled(self, cutting: Cutting, embedder: Embedder, late: Late) -> tuple[Floats, list[int]]:
        """As `_vectors`, a document at a time."""
        memory, space = self._memory, f"{embedder.fingerprint} late"
        once = PoolOnce(
            late,
            lambda keys: memory.recall(space, keys),
            lambda found: memory.keep(space, found),
        )
        rows: list[Floats] = [np.zeros((0, embedder.dimensions), np.float32)]
        bounds = zip(cutting.first[:-1].tolist(), cutting.first[1:].tolist(), strict=True)
        for number, (document, (begin, end)) in enumerate(
            zip(self.documents, bounds, strict=True), 1
        ):
            if begin < end:
                rows.append(once(document, cutting.chunks[begin:end]))
            self._progress("embed", number, len(self.documents))
        return np.concatenate(rows), list(range(len(cutting.chunks)))


class _Within(VectorMemory):
    """Vectors remembered as long as this object lives."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], Floats] = {}

    def recall(self, space: str, keys: Sequence[str]) -> Mapping[str, Floats]:
        return {key: self._rows[space, key] for key in keys if (space, key) in self._rows}

    def keep(self, space: str, rows: Mapping[str, Floats]) -> None:
        self._rows.update({(space, key): found for key, found in rows.items()})


def _dense(recipe: Recipe) -> bool:
    return recipe.ask.search.embeds and bool(recipe.ingest.embedder.name)
