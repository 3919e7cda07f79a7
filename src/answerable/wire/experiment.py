"""An experiment opened: its documents, questions and arms, and the lock of all it stands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import answerable
from answerable import config
from answerable.adapters.formats import experiment as experiment_file
from answerable.adapters.formats import lock as lock_file
from answerable.adapters.revision import revision
from answerable.adapters.source_files import digests
from answerable.adapters.user_code import load_function
from answerable.errors import NotComparable, UsageError
from answerable.flow.corpus import Corpus
from answerable.flow.judge import Check
from answerable.flow.locate import Located, locate
from answerable.flow.lock import Basis, describe, lock, moved, needs_asking
from answerable.flow.situate import PROMPT
from answerable.measure.version import CHECKER_VERSION
from answerable.ports import Progress
from answerable.records.codec import to_plain
from answerable.records.evals import GoldenSet
from answerable.records.experiments import Experiment, Lock
from answerable.records.index import Skipped
from answerable.records.recipe import EmbedderRule, Recipe
from answerable.wire.arms import NAMED
from answerable.wire.base import make_embedder, silent
from answerable.wire.corpus import open_corpus
from answerable.wire.golden import folder_of, quarantine_path, read_golden

Named = Mapping[str, Mapping[str, Any]]
"""Recipe changes by the name of an arm that people run today."""

SHOWN = 12
"""The most things that moved that an error names one by one."""

_SCORING = ("answerable.flow.judge", "answerable.flow.locate", "answerable.flow.absent")
_NOT_SCORING = ("adapters", "cli", "config", "errors", "ports", "records", "wire")


@dataclass(frozen=True)
class Opened:
    """An experiment as it stands now; `problems` are golden lines that could not be used.

    `own` are files of the experiment that lie among its documents and are not taken for some.
    `checks` are the user's own measures by name, `checker` the version of all measures together.
    """

    path: Path
    experiment: Experiment
    golden: GoldenSet
    problems: tuple[str, ...]
    own: tuple[Skipped, ...]
    corpus: Corpus
    checks: Mapping[str, Check]
    checker: str
    settings: config.Settings
    code: Mapping[str, str]
    now: Lock

    @property
    def lock_path(self) -> Path:
        """Where the lock lies, beside the experiment."""
        return self.path.with_name(f"{self.experiment.name}.lock.json")

    @property
    def default_out(self) -> Path:
        """Where runs go unless another folder is named."""
        return _default_out(self.path, self.experiment.name)

    @cached_property
    def located(self) -> Located:
        """The golden set with its evidence placed in the documents."""
        return locate(self.golden, self.corpus.rows(), self.corpus.document)

    def frozen(self) -> Lock:
        """The lock, if nothing moved since; else NotComparable says what did."""
        lock = lock_file.read(self.lock_path)
        if lock is None:
            raise UsageError(
                f"{self.path.name} is not frozen", f"run `answerable freeze {self.path}` first"
            )
        parts = moved(lock, self.now)
        if parts:
            lines = describe(lock, self.now, parts)
            more = f"; and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
            raise NotComparable(
                f"{self.experiment.name} moved since version {lock.version} was frozen: "
                + "; ".join(lines[:SHOWN])
                + more,
                "undo that, or freeze again: earlier runs stay as they are, under their version",
            )
        return lock


def open_experiment(
    path: Path, out: Path | None = None, progress: Progress = silent, named: Named = NAMED
) -> Opened:
    """Read everything that an experiment names; ConfigError or NotFound for what is not there.

    Parsed documents and vectors are kept between runs in `out`/cache (default: runs/NAME beside
    the experiment).
    """
    path = path.expanduser().resolve()
    folder = path.parent
    settings = config.plain_settings(folder)
    experiment = experiment_file.read(path, recipe_maker(folder, named))
    golden, problems = read_golden(folder / experiment.golden)
    places = [folder / document for document in experiment.documents]
    cache = (out or _default_out(path, experiment.name)) / "cache"
    own = own_files(path, experiment, out)
    corpus = open_corpus(places, cache, settings, progress, list(own))
    loaded = {}
    for checker in experiment.checkers:
        file, _, function = checker.use.rpartition(":")
        loaded[checker.name] = load_function(folder / file, function)
    checkers = {name: digest for name, (_, digest) in loaded.items()}
    code = _code()
    basis = Basis(
        experiment=experiment,
        documents=corpus.documents,
        skipped=corpus.skipped,
        items=golden.items,
        measures=digests(_SCORING, _NOT_SCORING),
        checkers=checkers,
        prompts=_prompts(experiment),
        models=_models(experiment, settings),
        code=code,
    )
    return Opened(
        path=path,
        experiment=experiment,
        golden=golden,
        problems=problems,
        own=tuple(_among(places, own, folder)),
        corpus=corpus,
        checks={name: function for name, (function, _) in loaded.items()},
        checker=_checker(checkers),
        settings=settings,
        code=code,
        now=lock(basis),
    )


def freeze_experiment(opened: Opened) -> tuple[Lock, tuple[str, ...], bool]:
    """Write the lock of what stands now; say what moved, and if answers already given still hold.

    Where nothing moved the lock stays as it is; else its version is one higher.
    """
    before = lock_file.read(opened.lock_path)
    if before is None:
        lock_file.write(opened.lock_path, opened.now)
        return opened.now, (), False
    parts = moved(before, opened.now)
    if not parts:
        return before, (), False
    new = replace(opened.now, version=before.version + 1)
    lock_file.write(opened.lock_path, new)
    holds = not any(needs_asking(parts, arm.name) for arm in opened.experiment.arms)
    return new, describe(before, new, parts), holds


def own_files(path: Path, experiment: Experiment, out: Path | None = None) -> dict[Path, str]:
    """Files and folders that belong to an experiment and are no documents, and what each is."""
    folder = path.parent
    own = {
        path: "the experiment",
        folder / f"{experiment.name}.lock.json": "the experiment's lock",
        folder / "runs": "runs of experiments",
        out or _default_out(path, experiment.name): "the experiment's runs",
    }
    golden = folder_of(folder / experiment.golden)
    if golden.is_file():
        own |= {golden: "the golden set", quarantine_path(golden): "the golden set's quarantine"}
    for checker in experiment.checkers:
        own[folder / checker.use.rpartition(":")[0]] = "a checker"
    return {place.resolve(): what for place, what in own.items()}


def _among(places: Sequence[Path], own: Mapping[Path, str], folder: Path) -> Iterator[Skipped]:
    roots = [place.expanduser().resolve() for place in places]
    for place, what in own.items():
        inside = any(place.is_relative_to(root) for root in roots)
        nested = any(other in place.parents for other in own)
        if inside and not nested and place.exists():
            name = place.relative_to(folder) if folder in place.parents else place
            yield Skipped(name.as_posix(), what)


def _default_out(path: Path, name: str) -> Path:
    return path.parent / "runs" / name


def recipe_maker(folder: Path, named: Named) -> experiment_file.RecipeOf:
    """What makes an arm's recipe; `like` is a name or a folder relative to `folder`."""

    def make(
        shared: Mapping[str, Any], like: str, changes: Mapping[str, Any], where: str
    ) -> Recipe:
        table = dict(shared)
        if like:
            table = config.overridden(table, _start(folder, like, named, where), where)
        return config.read_recipe(config.overridden(table, changes, where), where)

    return make


def _start(folder: Path, like: str, named: Named, where: str) -> Mapping[str, Any]:
    """The changes of a named arm, or the whole recipe of a knowledge base's folder."""
    if like in named:
        return named[like]
    place = folder / like
    if (place / config.FILE).is_file():
        found: Mapping[str, Any] = to_plain(config.load(place)[1])
        return found
    raise UsageError(
        f"{where}: like = {like!r} is no arm and no folder with {config.FILE}",
        f"one of: {', '.join(named)}, or the folder of a knowledge base",
    )


def _models(experiment: Experiment, settings: config.Settings) -> dict[str, str]:
    """The fingerprint of the embedder that each arm's search or cut uses."""
    known: dict[EmbedderRule, str] = {}
    found = {}
    for arm in experiment.arms:
        rule = arm.recipe.ingest.embedder
        if arm.recipe.ask.search.embeds and rule.name:
            if rule not in known:
                known[rule] = make_embedder(rule, settings).fingerprint
            found[arm.name] = known[rule]
    return found


def _prompts(experiment: Experiment) -> dict[str, str]:
    if any(arm.recipe.ingest.situate.by for arm in experiment.arms):
        return {"situate": PROMPT}
    return {}


def _code() -> dict[str, str]:
    place = revision(Path(answerable.__file__).parent)
    code = {"version": answerable.__version__}
    if place.commit:
        code |= {"revision": place.commit, "dirty": "yes" if place.dirty else "no"}
    return code


def _checker(checkers: Mapping[str, str]) -> str:
    """The built-in measures' version, with a digest of the user's own where there are any."""
    if not checkers:
        return CHECKER_VERSION
    whole = sha256(repr(sorted(checkers.items())).encode()).hexdigest()
    return f"{CHECKER_VERSION}+{whole[:8]}"
