"""Experiments: the arms that are compared, and the lock on all that must not move."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Arm:
    """One named recipe of an experiment."""

    name: str
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class Checker:
    """A measure of the user's own: `name`, and `use`, as `file.py:function` beside it."""

    name: str
    use: str


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is asked of which documents under which arms.

    `golden` and `documents` are paths as written, relative to the experiment's file; `depth` is
    how many pieces go to the model.
    """

    name: str
    golden: str
    documents: tuple[str, ...]
    arms: tuple[Arm, ...]
    depth: int = 5
    seed: int = 0
    checkers: tuple[Checker, ...] = ()


@dataclass(frozen=True, slots=True)
class Lock:
    """SHA-256 of each part that a run stands on, frozen before the first question.

    `parts` maps names such as `corpus`, `golden`, `arm:NAME`, `checker:NAME`, `prompt:NAME`,
    `code` to digests; `details` holds the digests under a part (each document, each source file),
    so that a part that moved names what moved in it. `version` counts the freezes of this name.
    """

    experiment: str
    version: int
    sha256: str
    parts: tuple[tuple[str, str], ...]
    details: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
