"""The tuning procedures put together: documents, golden set, recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from answerable import config
from answerable.adapters.shelf import Shelf
from answerable.errors import NotFound
from answerable.flow.ask import Asking
from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located, locate
from answerable.flow.run import Unrecorded, run_arm
from answerable.ports import Progress
from answerable.records.answers import Trace
from answerable.records.recipe import Recipe
from answerable.records.runs import Failure, FoundPiece
from answerable.wire.base import KnowledgeBase, open_base, silent
from answerable.wire.corpus import corpus_of, open_corpus
from answerable.wire.golden import folder_of, read_golden
from answerable.wire.table import build


@dataclass(frozen=True, slots=True)
class Bench:
    """What a procedure works on; `problems` names golden lines that could not be used."""

    corpus: Corpus
    recipe: Recipe
    located: Located
    problems: tuple[str, ...]
    seconds: Callable[[], float]


def open_bench(
    golden: Path,
    kb: str,
    documents: Sequence[Path] = (),
    overrides: Sequence[str] = (),
    progress: Progress = silent,
) -> Bench:
    """The golden set over the documents of the paths, of the BEIR folder itself, or of `kb`.

    The recipe is that of `kb` with the overrides; the default one where documents are named and
    there is no knowledge base. Vectors are kept between runs beside the index of `kb`.
    """
    folder = folder_of(golden)
    if not documents and (folder / "corpus.jsonl").is_file():
        documents = (folder,)
    base = _base(kb, overrides, bool(documents))
    settings = base.settings if base else config.plain_settings(Path.cwd())
    recipe = base.recipe if base else config.recipe_of(overrides)
    cache = base.settings.store.parent / "tune" if base else None
    if documents:
        corpus = open_corpus(documents, cache, settings, progress)
    elif base is not None:
        corpus = _indexed(base, cache, progress)
    found, problems = read_golden(golden)
    located = locate(found, corpus.rows(), corpus.document)
    return Bench(corpus, recipe, located, problems, build("clock", "system").seconds)


def ask_all(
    bench: Bench,
    jobs: int,
    progress: Progress = silent,
    failed: Callable[[Failure], None] = lambda failure: None,
) -> Callable[[Recipe, Sequence[tuple[str, str]]], Mapping[str, Trace]]:
    """Asks questions under a recipe; those that fail have no trace, `failed` is told of them."""

    def run(recipe: Recipe, questions: Sequence[tuple[str, str]]) -> Mapping[str, Trace]:
        kept = _Kept({}, failed)
        asking = Asking(
            finder=bench.corpus.finder(recipe),
            documents=bench.corpus.document,
            recipe=recipe,
            audit=Unrecorded(),
            clock=build("clock", "system"),
            new_id=str,
        )
        run_arm(questions, asking, str, kept, jobs=jobs, progress=progress)
        return kept.traces

    return run


@dataclass(frozen=True, slots=True)
class _Kept:
    """Traces by item id, in memory."""

    traces: dict[str, Trace]
    failed: Callable[[Failure], None]

    def traced(self, item_id: str, trace: Trace, pieces: Sequence[FoundPiece]) -> None:
        self.traces[item_id] = trace


def _base(kb: str, overrides: Sequence[str], optional: bool) -> KnowledgeBase | None:
    try:
        return open_base(kb, overrides)
    except NotFound:
        if not optional or kb != ".":
            raise
        return None


def _indexed(base: KnowledgeBase, cache: Path | None, progress: Progress) -> Corpus:
    snapshot = base.store.current()
    if snapshot is None:
        raise NotFound(
            "nothing is indexed yet", "run `answerable add PATH` first, or give --documents PATH"
        )
    try:
        rows = snapshot.documents().values()
        documents = [base.document(row.id, row.sha256) for row in rows]
    finally:
        snapshot.close()
    shelf = Shelf(cache / "corpus.db") if cache else None
    return corpus_of(documents, base.settings, shelf, (), progress)
