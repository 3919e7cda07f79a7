"""The lock of an experiment: what it stands on, and what of that has moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from answerable.records.codec import canonical_json, flat
from answerable.records.docs import Document
from answerable.records.evals import GoldenItem
from answerable.records.experiments import Experiment, Lock
from answerable.records.index import Skipped

JUDGING = ("keys", "measures", "code", "depth", "seed")
"""Parts that may move without a question having to be asked again (and every `checker:`)."""


@dataclass(frozen=True, slots=True)
class Basis:
    """All that an experiment stands on, as it is now.

    `measures` are digests of the source files that score, `checkers` of the user's own by name;
    `prompts` texts by name; `models` fingerprints by arm; `code` says which program runs.
    """

    experiment: Experiment
    documents: Sequence[Document]
    skipped: Sequence[Skipped]
    items: Sequence[GoldenItem]
    measures: Mapping[str, str]
    checkers: Mapping[str, str]
    prompts: Mapping[str, str]
    models: Mapping[str, str]
    code: Mapping[str, str]


def lock(basis: Basis, version: int = 1) -> Lock:
    """The lock of what stands now; questions and their keys are separate parts."""
    details: dict[str, dict[str, str]] = {
        "corpus": {
            **{document.uri: document.sha256 for document in basis.documents},
            **{skipped.uri: "skipped" for skipped in basis.skipped},
        },
        "golden": {item.id: _digest(item.question) for item in basis.items},
        "keys": {item.id: _digest(replace(item, question="")) for item in basis.items},
        "measures": dict(basis.measures),
        "prompts": {name: _digest(text) for name, text in basis.prompts.items()},
        "code": dict(basis.code),
        "seed": {"seed": str(basis.experiment.seed)},
        "depth": {"depth": str(basis.experiment.depth)},
    }
    for name, digest in basis.checkers.items():
        details[f"checker:{name}"] = {name: digest}
    for arm in basis.experiment.arms:
        details[f"arm:{arm.name}"] = {
            **dict(flat(arm.recipe)),
            "model": basis.models.get(arm.name, ""),
        }
    parts = tuple((part, _digest(inside)) for part, inside in details.items())
    return Lock(
        basis.experiment.name,
        version,
        _digest(parts),
        parts,
        tuple((part, tuple(sorted(inside.items()))) for part, inside in details.items()),
    )


def moved(frozen: Lock, now: Lock) -> tuple[str, ...]:
    """The parts that differ, by name, in the order of the lock."""
    old, new = dict(frozen.parts), dict(now.parts)
    return tuple(part for part in {**old, **new} if old.get(part) != new.get(part))


def describe(frozen: Lock, now: Lock, parts: Sequence[str]) -> tuple[str, ...]:
    """What moved inside each of the parts, one line for each document, question, file or key."""
    old, new = dict(frozen.details), dict(now.details)
    return tuple(
        line
        for part in parts
        for line in _changes(part, dict(old.get(part, ())), dict(new.get(part, ())))
    )


def needs_asking(parts: Sequence[str], arm: str) -> tuple[str, ...]:
    """Those of the parts that moved by which this arm's traces no longer hold."""
    return tuple(
        part
        for part in parts
        if part not in JUDGING
        and not part.startswith("checker:")
        and not (part.startswith("arm:") and part != f"arm:{arm}")
    )


_NOUNS = {
    "corpus": "document",
    "golden": "question",
    "keys": "the key of question",
    "measures": "measure file",
    "prompts": "prompt",
}


def _changes(part: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    kind, _, owner = part.partition(":")
    if kind in ("arm", "checker") and (not old or not new):
        yield f"{kind} {owner} is {'gone' if old else 'new'}"
        return
    for name in sorted({**old, **new}):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        if kind == "arm":
            yield f"arm {owner}: {name} was {before or 'unset'}, is {after or 'unset'}"
        elif kind in ("code", "seed", "depth"):
            label = name if kind == name else f"{kind} {name}"
            yield f"{label} was {before or 'unknown'}, is {after or 'unknown'}"
        else:
            fate = "is new" if before is None else "is gone" if after is None else "changed"
            yield f"{_NOUNS.get(kind, kind)} {name} {fate}"


def _digest(value: object) -> str:
    return sha256(canonical_json(value).encode("utf-8", "replace")).hexdigest()
