"""The pieces that arms found, from run folders or by searching now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from answerable import config
from answerable.adapters.formats.run_folder import RunFolder
from answerable.errors import NotFound, UsageError
from answerable.flow.corpus import Corpus
from answerable.flow.pool import Found
from answerable.flow.search import search
from answerable.measure.match import Place
from answerable.ports import Progress
from answerable.records.evals import GoldenItem
from answerable.records.index import Filter
from answerable.records.recipe import Recipe
from answerable.wire.arms import NAMED
from answerable.wire.corpus import open_corpus
from answerable.wire.experiment import open_experiment


def found_in_run(path: Path, items: Iterable[GoldenItem], depth: int) -> tuple[Found, list[str]]:
    """A run's best pieces by item, and which items it does not tell of.

    The last ranking of each trace counts. A question that was worded otherwise then is left out.
    """
    folder = RunFolder(path)
    traces, pieces = folder.traces(), folder.pieces()
    if not traces:
        raise NotFound(f"no traces in {path}", "give a folder that `answerable run` made")
    found: dict[str, list[Place]] = {}
    problems = []
    for item in items:
        trace = traces.get(item.id)
        if trace is None:
            problems.append(f"{path}: item {item.id!r} was not asked")
        elif trace.question != item.question:
            problems.append(f"{path}: item {item.id!r} was asked in other words")
        else:
            ranking = trace.rankings[-1][1] if trace.rankings else ()
            known = [pieces[hit.chunk_id] for hit in ranking[:depth] if hit.chunk_id in pieces]
            found[item.id] = [(piece.document_id, piece.span) for piece in known]
    return found, problems


def found_by(recipe: Recipe, corpus: Corpus, items: Sequence[GoldenItem], depth: int) -> Found:
    """The best pieces of a recipe by item, searched now."""
    finder = corpus.finder(recipe)
    found: dict[str, list[Place]] = {}
    for item in items:
        final = search(item.question, recipe.ask, finder, Filter()).final[:depth]
        chunks = [finder.snapshot.chunk(hit.chunk_id) for hit in final]
        found[item.id] = [(chunk.document_id, chunk.span) for chunk in chunks]
    return found


def arms_of(
    experiment: Path | None, names: Sequence[str], documents: Sequence[Path], progress: Progress
) -> tuple[Corpus, tuple[Recipe, ...]]:
    """What to search and by which recipes: arms of an experiment, or named arms over documents.

    Raises UsageError for an arm that is not known.
    """
    if experiment is not None:
        opened = open_experiment(experiment, progress=progress)
        known = {arm.name: arm.recipe for arm in opened.experiment.arms}
        return opened.corpus, tuple(_recipe(name, known) for name in names or known)
    if not documents:
        raise UsageError("named arms need documents", "give --documents PATH")
    made = {
        name: config.read_recipe(config.overridden({}, changes, name), name)
        for name, changes in NAMED.items()
    }
    return open_corpus(documents, progress=progress), tuple(_recipe(name, made) for name in names)


def _recipe(name: str, known: Mapping[str, Recipe]) -> Recipe:
    if name not in known:
        raise UsageError(f"no arm {name!r}", f"one of: {', '.join(known)}")
    return known[name]
