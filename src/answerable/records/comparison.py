"""Two runs side by side: the difference, and which questions moved and why."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.runs import Standing


@dataclass(frozen=True, slots=True)
class Movement:
    """One question under both runs; `traits` are what its evidence has in common with others'."""

    item_id: str
    question: str
    before: float
    after: float
    base: Standing
    candidate: Standing
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TraitCount:
    """How often a trait stands at one end against all compared questions.

    `end` is gained or lost; `here` of `of_here` questions at that end have it, `all` of `of_all`.
    `p` is the chance of at least as many by drawing blindly (hypergeometric tail); `p_holm` after
    Holm over every trait looked at, at both ends.
    """

    trait: str
    end: str
    here: int
    of_here: int
    all: int
    of_all: int
    p: float
    p_holm: float = 1.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidate minus base under one metric, paired by question.

    `low`..`high`: 95 % seeded bootstrap interval; `p`: randomisation test; `p_holm`: after Holm
    over the family of metrics compared; `detectable`: the smallest true difference that this many
    questions would show in that family with 80 % power, None where they are too few to show any.
    `wins` are the candidate's, `gained` and `lost` hold every question that moved, farthest first;
    for a metric where less is better (words), a lower value is a gain. `skipped` are (item id,
    why). `notes` hold what the mean hides, in words.
    """

    metric: str
    base: str
    candidate: str
    base_mean: float
    candidate_mean: float
    delta: float
    low: float
    high: float
    p: float
    p_holm: float
    wins: int
    ties: int
    losses: int
    n: int
    skipped: tuple[tuple[str, str], ...]
    detectable: float | None
    depth: int
    gained: tuple[Movement, ...]
    lost: tuple[Movement, ...]
    traits: tuple[TraitCount, ...]
    notes: tuple[str, ...] = ()
