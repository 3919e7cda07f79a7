"""A pool and its labels on disk, from judging to a golden set with graded evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from answerable.adapters.formats.pool_file import (
    append_label,
    pool_text,
    read_labels,
    read_pool,
)
from answerable.adapters.staged_file import write_whole
from answerable.errors import UsageError
from answerable.flow.pool import graded, latest, settle
from answerable.measure.agreement import Agreement, agreement
from answerable.records.evals import GoldenSet
from answerable.records.labels import Label, Pooled
from answerable.wire.table import build


@dataclass(frozen=True)
class Labelling:
    """A pool, the labels given so far, and the file that new ones are added to."""

    passages: tuple[Pooled, ...]
    labels: Path
    grades: Mapping[str, dict[str, int]]
    problems: tuple[str, ...]

    def left(self, labeller: str) -> tuple[Pooled, ...]:
        """What a labeller has not graded yet, in the pool's order."""
        done = self.grades.get(labeller, {})
        return tuple(one for one in self.passages if one.id not in done)

    def add(self, passage: Pooled, labeller: str, grade: int) -> None:
        """Keep a grade; it is on disk before this returns."""
        at = build("clock", "system").now()
        append_label(self.labels, Label(passage.id, labeller, grade, at))


def open_labelling(pool: Path, labels: Path | None) -> Labelling:
    """A pool with its labels (POOL.labels.jsonl if no file is named)."""
    passages, problems = read_pool(pool)
    where = labels or pool.with_name(f"{pool.name.removesuffix('.jsonl')}.labels.jsonl")
    given, more = read_labels(where)
    known = {one.id for one in passages}
    strange = sum(label.pool_id not in known for label in given)
    if strange:
        more = (*more, f"{where.name}: {strange} labels are of passages that are not in this pool")
    grades = latest(label for label in given if label.pool_id in known)
    return Labelling(passages, where, grades, (*problems, *more))


def write_pool(passages: Sequence[Pooled], path: Path) -> None:
    """A pool in one step; UsageError rather than replace one, whose labels would lose it."""
    if path.exists():
        raise UsageError(f"{path} is there already", "labels may stand on it: name another file")
    write_whole(path, pool_text(passages))


def agreements(labelling: Labelling) -> tuple[tuple[str, str, Agreement], ...]:
    """Each two labellers on the passages that both graded; pairs with none are left out."""
    found = []
    for first, second in combinations(sorted(labelling.grades), 2):
        one, other = labelling.grades[first], labelling.grades[second]
        both = [p.id for p in labelling.passages if p.id in one and p.id in other]
        if both:
            pair = agreement([one[id] for id in both], [other[id] for id in both])
            found.append((first, second, pair))
    return tuple(found)


def grade_items(
    golden: GoldenSet, labelling: Labelling, labellers: Sequence[str] = ()
) -> tuple[GoldenSet, int, tuple[str, ...]]:
    """The set with the grades of all (or the named) labellers as evidence.

    Also how many passages were used, and what was not: passages that the labellers do not agree
    on, items marked not answerable that have an answer, items that are not in the set.
    """
    grades = labelling.grades
    if unknown := sorted(set(labellers) - set(grades)):
        raise UsageError(
            f"no labels of {unknown[0]!r}", f"labellers: {', '.join(sorted(grades)) or 'none'}"
        )
    if labellers:
        grades = {name: grades[name] for name in labellers}
    settled, unsettled = settle(grades)
    by_id = {one.id: one for one in labelling.passages}
    problems = [
        f"{by_id[id].item_id}: labellers differ by 2 or more on passage {id} "
        f"({', '.join(f'{name} {one[id]}' for name, one in sorted(grades.items()) if id in one)})"
        for id in unsettled
    ]
    names = {item.id for item in golden.items}
    strange = sorted({p.item_id for p in labelling.passages} - names)
    problems += [f"{name}: the pool has it, the golden set does not" for name in strange]
    by_item: dict[str, list[Pooled]] = {}
    for one in labelling.passages:
        by_item.setdefault(one.item_id, []).append(one)
    items = []
    used = 0
    for item in golden.items:
        own = by_item.get(item.id, [])
        new, why = graded(item, own, settled)
        if why:
            problems.append(f"{item.id}: {why}")
        else:
            used += sum(one.id in settled for one in own)
        items.append(new)
    return replace(golden, items=tuple(items)), used, tuple(problems)
