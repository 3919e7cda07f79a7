"""A knowledge base opened: its recipe and settings, and every verb on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from answerable import config
from answerable.errors import (
    AnswerableError,
    ConfigError,
    InputError,
    NotFound,
    ServiceError,
    StaleIndex,
    UsageError,
)
from answerable.flow.ask import Asking, ask
from answerable.flow.search import Finder, Found, languages_of, search
from answerable.flow.stale import refuse_stale
from answerable.ports import Embedder, Progress, Snapshot, Source
from answerable.rank.analyze import Analyzer
from answerable.records.answers import Trace
from answerable.records.docs import Document, Known, RawDoc
from answerable.records.index import Chunk, Filter, GenerationInfo, IngestReport
from answerable.records.recipe import AnalyzerRule, EmbedderRule, Recipe, digest
from answerable.text.ruler import Characters, Remembering, Ruler, Tokens, Words
from answerable.wire.ahead import open_ahead
from answerable.wire.sources import free_name, make_source, target_of
from answerable.wire.table import build, load, parser_of
from answerable.wire.where import check_where

if TYPE_CHECKING:
    from answerable.wire.sync import Gate


def silent(stage: str, done: int, total: int) -> None:
    """The progress of work that nobody watches."""


@dataclass(frozen=True)
class KnowledgeBase:
    """One folder with an `answerable.toml`: open it with `open_base`."""

    settings: config.Settings
    recipe: Recipe

    @cached_property
    def database(self) -> Any:
        """Documents, sources and the trail."""
        self.settings.store.parent.mkdir(parents=True, exist_ok=True)
        return build("database", "sql", url=self.settings.database_url)

    @cached_property
    def store(self) -> Any:
        """The generations of the index."""
        return build("store", "embedded", folder=self.settings.store, keep=self.settings.keep)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The recipe's model, loaded at its first use; None when nothing is embedded."""
        rule = self.recipe.ingest.embedder
        return make_embedder(rule, self.settings) if rule.name else None

    @cached_property
    def _opening(self) -> Thread | None:
        lexical = self.recipe.ask.search.mode == "lexical"
        return None if lexical else open_ahead(self.embedder)

    def _open_all(self) -> tuple[Thread | None, Any]:
        """What a question needs, the model beside the database."""
        return self._opening, self.database

    @cached_property
    def clock(self) -> Any:
        """Wall time."""
        return build("clock", "system")

    @property
    def ingest_hash(self) -> str:
        """The hash of the recipe's ingest half."""
        return digest(self.recipe.ingest)

    @property
    def fingerprint(self) -> str:
        """The embedder's fingerprint, '' when nothing is embedded."""
        return self.embedder.fingerprint if self.embedder else ""

    def add(
        self,
        given: str,
        options: Sequence[str] = (),
        *,
        name: str = "",
        progress: Progress = silent,
        rebuild: bool = False,
        gate: Gate | None = None,
    ) -> IngestReport:
        """Register a folder, file, JSONL or URI as a source and ingest it; a rebuild takes in all.

        `options` are KEY=VALUE of its kind. A source of the same place keeps its name and gets the
        new options; `name` gives it another. What `gate` refuses is as `sync` says. A source that
        fails as a whole when it is first added is not registered.
        """
        target = target_of(given, options)
        taken = {row.name: row.options for row in self.database.sources()}
        called = name or free_name(target, taken)
        if taken.get(called, target.options) != target.options:
            self.database.ledger.from_the_start(called)
        source = self._source(called, target.kind, target.options, rebuild)
        self.database.put_source(
            load("database", "source")(called, target.kind, target.options, self.clock.now())
        )
        try:
            if rebuild:
                return self.sync(progress=progress, rebuild=True, gate=gate)
            return self._bring([source], progress, gate=gate)
        except (ConfigError, NotFound, ServiceError):
            if called not in taken:
                self.database.forget_source(called)
            raise

    def sync(
        self, *, progress: Progress = silent, rebuild: bool = False, gate: Gate | None = None
    ) -> IngestReport:
        """Bring every registered source up to date; documents of dropped sources go.

        What `gate` refuses is not published; removals and narrowed access are, in any case.
        """
        rows = self.database.sources()
        if not rows:
            raise NotFound("no source is registered", "run `answerable add PATH` first")
        sources = [self._source(row.name, row.kind, row.options, rebuild) for row in rows]
        return self._bring(sources, progress, rebuild=rebuild, others=frozenset(), gate=gate)

    def drop(self, source: str) -> IngestReport:
        """Forget a source and take its documents out in a new generation; NotFound if none."""
        self.database.forget_source(source)
        others = frozenset(row.name for row in self.database.sources())
        if self.info() is None:
            return IngestReport(0, 0, 0, 0, (), generation="", seconds=0.0, complete=True)
        try:
            return self._bring([], silent, others=others)
        except StaleIndex as fault:
            raise StaleIndex(
                f"source {source!r} is dropped, its documents are still indexed: {fault.message}",
                fault.hint,
            ) from fault

    def rollback(self, generation: str = "", *, force: bool = False) -> GenerationInfo:
        """Make a kept generation current again: the newest before the current one if none is named.

        NotFound when it is not kept; UsageError, unless `force`, when documents would be open to
        more readers than now.
        """
        with self.store.writing():
            kept = [info.name for info in self.store.generations()]
            if not kept:
                raise NotFound("nothing is indexed yet", "run `answerable add PATH` first")
            older = sorted(name for name in kept if name < kept[0])
            if not generation and not older:
                raise NotFound(
                    f"no generation before {kept[0]} is kept",
                    f"kept: {', '.join(kept)}; settings.keep says how many stay",
                )
            name = generation or older[-1]
            opened = [] if force else self._opened_by(name)
            if opened:
                raise UsageError(
                    f"{len(opened)} documents would be open to more readers than now, "
                    f"{opened[0]} first",
                    "give --force, and run `answerable sync` at once",
                )
            found: GenerationInfo = self.store.rollback(name)
            self.database.ledger.from_the_start()
        return found

    def _opened_by(self, generation: str) -> list[str]:
        """The uris of documents that another generation shows to more readers than this one."""
        now, then = self.store.current(), self.store.open(generation)
        try:
            rows = now.documents()
            return [
                row.uri
                for id, row in then.documents().items()
                if id in rows and not row.access.within(rows[id].access)
            ]
        finally:
            now.close()
            then.close()

    def search(
        self, question: str, filter: Filter | None = None
    ) -> tuple[Found, Mapping[str, Chunk], Mapping[str, Document]]:
        """Every stage's ranking, with the chunks of the last one and their documents."""
        with self.snapshot() as snapshot:
            wanted = self._filter(filter, snapshot)
            check_where(snapshot, wanted)
            self._open_all()
            found = search(question, self.recipe.ask, self.finder(snapshot), wanted)
            chunks = {hit.chunk_id: snapshot.chunk(hit.chunk_id) for hit in found.final}
            rows = snapshot.documents()
            documents = {
                id: replace(self.document(id, rows[id].sha256), link=rows[id].link)
                for id in {chunk.document_id for chunk in chunks.values()}
            }
        return found, chunks, documents

    def ask(self, question: str, filter: Filter | None = None, principal: str = "") -> Trace:
        """An answer with citations or a refusal, as one recorded trace."""
        question = question.encode("utf-8", "replace").decode("utf-8")
        with self.snapshot() as snapshot:
            wanted = self._filter(filter, snapshot)
            check_where(snapshot, wanted)
            self._open_all()
            asking = Asking(
                finder=self.finder(snapshot),
                documents=self.document,
                recipe=self.recipe,
                audit=self.database,
                clock=self.clock,
                new_id=lambda: uuid4().hex,
            )
            return ask(question, asking, wanted, principal)

    def hides(self, filter: Filter | None) -> bool:
        """Whether some documents are hidden from a search that names nobody who asks."""
        if self.settings.principals or (filter and filter.principals is not None):
            return False
        with self.snapshot() as snapshot:
            return not snapshot.all_open_to(())

    def document(self, id: str, sha: str) -> Document:
        """A document as it was read."""
        found: Document = self.database.get(id, sha)
        return found

    def info(self) -> GenerationInfo | None:
        """What the current generation says of itself; None when nothing is indexed."""
        snapshot = self.store.current()
        if snapshot is None:
            return None
        try:
            return snapshot.info  # type: ignore[no-any-return]
        finally:
            snapshot.close()

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """The current generation, checked against the recipe; closed at the end."""
        snapshot = self.store.current()
        if snapshot is None:
            raise NotFound("nothing is indexed yet", "run `answerable add PATH` first")
        try:
            refuse_stale(snapshot.info, self.ingest_hash, self.fingerprint)
            yield snapshot
        finally:
            snapshot.close()

    def finder(self, snapshot: Snapshot) -> Finder:
        """What searches a generation."""
        embedder = self.embedder if self.recipe.ask.search.embeds else None
        return Finder(snapshot, self.analyzer, languages_of(snapshot), embedder)

    def analyzer(self, language: str) -> Analyzer:
        """The recipe's analyzer for documents of a language."""
        return make_analyzer(self.recipe.ingest.analyzer, language)

    def rulers(self) -> Mapping[str, Ruler]:
        """The rulers of every unit, each measuring a document once."""
        return make_rulers(self.embedder)

    def read(self, raw: RawDoc, known: Known) -> Document:
        """A document read by the parser of its media type, with its language named."""
        return read(raw, known)

    def cut(self, document: Document) -> tuple[Chunk, ...]:
        """The chunks of a document under the recipe."""
        return self._cut(document)

    @cached_property
    def _cut(self) -> Callable[[Document], tuple[Chunk, ...]]:
        # loaded here, as `_bring` is: a question needs neither
        made: Callable[[Document], tuple[Chunk, ...]] = load("base", "cut")(
            self.recipe.ingest, self.rulers(), lambda: self.embedder
        )
        return made

    def _bring(self, sources: Sequence[Source], progress: Progress, **more: Any) -> IngestReport:
        report: IngestReport = load("base", "bring")(self, sources, progress, **more)
        return report

    def _filter(self, given: Filter | None, snapshot: Snapshot) -> Filter:
        """Who nobody is named as reads what is open to everyone, and nothing else."""
        filter = given or Filter()
        who = self.settings.principals if filter.principals is None else filter.principals
        return replace(filter, principals=None if snapshot.all_open_to(who) else who)

    def _source(
        self, name: str, kind: str, options: Mapping[str, Any], afresh: bool = False
    ) -> Source:
        listed = None if afresh else self.database.ledger.listed().get(name)
        since = listed.checkpoint if listed and self._is_indexed() else ""
        return make_source(name, kind, options, self.settings, self.clock, since)

    def _is_indexed(self) -> bool:
        try:
            return self.info() is not None
        except AnswerableError:
            return False  # what cannot be read is listed again from the start


def open_base(folder: str | Path = ".", overrides: Sequence[str] = ()) -> KnowledgeBase:
    """The knowledge base of a folder (or the nearest above it), with recipe overrides."""
    return KnowledgeBase(*config.load(config.find_base(Path(folder)), overrides))


def make_embedder(rule: EmbedderRule, settings: config.Settings) -> Embedder:
    """The embedder of a rule; the threads of the settings go to the embedded model."""
    given = {"threads": settings.threads} if rule.name == "minilm" else {}
    made: Embedder = build("embedder", rule.name, rule.options, **given)
    return made


def make_rulers(embedder: Embedder | None, characters: int = 1_000_000) -> Mapping[str, Ruler]:
    """Rulers by unit, remembering `characters` of text; tokens are the embedder's or default."""
    if embedder is None:
        embedder = build("embedder", "minilm")
    return {
        "words": Remembering(Words(), characters),
        "characters": Characters(),
        "tokens": Remembering(Tokens(embedder.count, embedder.spans, additive=True), characters),
    }


def read(raw: RawDoc, known: Known) -> Document:
    """A document read by the parser of its media type, with its language named."""
    parser: Callable[[RawDoc, Known], Document] = load("parser", parser_of(raw.media_type))
    document = parser(raw, known)
    if not document.text.strip():
        raise InputError("no text in it", "an empty or picture-only document cannot be found")
    if document.language:
        return document
    return replace(document, language=load("languages", "detected")(document.text))


def make_analyzer(rule: AnalyzerRule, language: str) -> Analyzer:
    """The analyzer of a rule for texts of a language; English where none is known."""
    named = language if rule.language == "auto" else rule.language
    made: Analyzer = build("analyzer", rule.name, rule.options, language=named or "auto")
    return made
