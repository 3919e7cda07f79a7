"""Ranking measures over judged documents, equal to trec_eval on trec_eval's inputs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import InputError, UsageError
from answerable.records.evals import Score

Grades = Mapping[str, int]
"""Grade by document id; above 0 is relevant, 0 and below is judged and not relevant."""

Ranked = Sequence[str]
"""Document ids, best first, each once."""

_GREATEST = 1000


def in_trec_order(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Ids as trec_eval ranks them: score falling, ties by id falling (as strings).

    trec_eval keeps scores in single precision, so two that differ only beyond it are a tie.
    """
    given = np.fromiter(scores.values(), np.float64, len(scores))
    with np.errstate(over="ignore"):
        single = dict(zip(scores, given.astype(np.float32).tolist(), strict=True))
    return tuple(sorted(scores, key=lambda name: (single[name], name), reverse=True))


def relevant(grades: Grades) -> int:
    """How many documents are marked relevant."""
    return sum(grade > 0 for grade in grades.values())


def linear(grade: int) -> float:
    """The grade itself (trec_eval; Järvelin & Kekäläinen, TOIS 2002)."""
    return float(grade)


def exponential(grade: int) -> float:
    """2^grade - 1 (Burges et al., ICML 2005; the form of many benchmark programs).

    Raises InputError for a grade whose gain is no number any more.
    """
    if grade > _GREATEST:
        raise InputError(f"grade {grade} is too great for 2^grade - 1", "measure nDCG instead")
    return float(2**grade - 1)


def ndcg(
    ranked: Ranked, grades: Grades, k: int, gain: Callable[[int], float] = linear
) -> float | None:
    """Discounted gain of the first k over the best possible, 0..1; None without a relevant one.

    Discount log2(1 + rank); the ideal list is built from all judgements. k = 0 takes all.
    """
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[: k or None]
    if not ideal:
        return None
    best = sum(gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(ideal, 1))
    got = 0.0
    for rank, name in enumerate(ranked[: k or None], 1):
        grade = grades.get(name, 0)
        if grade > 0:
            got += gain(grade) / math.log2(rank + 1)
    return got / best


def recall(ranked: Ranked, grades: Grades, k: int) -> float | None:
    """Share of the relevant documents that are among the first k; None without a relevant one."""
    total = relevant(grades)
    return _found(ranked, grades, k) / total if total else None


def precision(ranked: Ranked, grades: Grades, k: int) -> float | None:
    """Share of k places that hold a relevant document (k divides even when fewer came back)."""
    return _found(ranked, grades, k) / k if relevant(grades) else None


def hit(ranked: Ranked, grades: Grades, k: int) -> float | None:
    """1 if a relevant document is among the first k, else 0 (trec_eval's success)."""
    return float(_found(ranked, grades, k) > 0) if relevant(grades) else None


def reciprocal_rank(ranked: Ranked, grades: Grades, k: int = 0) -> float | None:
    """1 / rank of the first relevant document (0 if none, or none in the first k when k > 0)."""
    if not relevant(grades):
        return None
    for rank, name in enumerate(ranked[: k or None], 1):
        if grades.get(name, 0) > 0:
            return 1.0 / rank
    return 0.0


def average_precision(ranked: Ranked, grades: Grades, k: int = 0) -> float | None:
    """Mean over the relevant documents of the precision at their ranks, 0 for those missing."""
    total = relevant(grades)
    if not total:
        return None
    found, summed = 0, 0.0
    for rank, name in enumerate(ranked[: k or None], 1):
        if grades.get(name, 0) > 0:
            found += 1
            summed += found / rank
    return summed / total


def r_precision(ranked: Ranked, grades: Grades) -> float | None:
    """Precision at R, the number of relevant documents."""
    total = relevant(grades)
    return _found(ranked, grades, total) / total if total else None


def judged(ranked: Ranked, grades: Grades, k: int) -> float | None:
    """Share of the first k retrieved (fewer if fewer came back) that have any judgement."""
    top = ranked[:k]
    return sum(name in grades for name in top) / len(top) if top else None


def _found(ranked: Ranked, grades: Grades, k: int) -> int:
    return sum(grades.get(name, 0) > 0 for name in ranked[:k])


_AT = {
    "ndcg": ndcg,
    "recall": recall,
    "r": recall,
    "p": precision,
    "precision": precision,
    "hit": hit,
    "success": hit,
    "mrr": reciprocal_rank,
    "rr": reciprocal_rank,
    "map": average_precision,
    "ap": average_precision,
    "judged": judged,
}
_UNCUT = ("ndcg", "mrr", "rr", "map", "ap")
_TREC = re.compile(r"(ndcg|map|p|recall|success)(?:_cut)?[_.](\d+)\Z")


def measure(name: str) -> Callable[[Ranked, Grades], float | None]:
    """The measure of a name such as `nDCG@10`, `ndcg_exp@10`, `recall@100`, `P@5`, `MRR`, `rprec`.

    Case does not matter; trec_eval's own names (`ndcg_cut_10`, `recip_rank`) are known too. Raises
    UsageError for a name that is none.
    """
    if trec := _TREC.match(name.lower()):
        return measure(f"{trec[1]}@{trec[2]}")
    if name.lower() == "recip_rank":
        return reciprocal_rank
    base, _, depth = name.lower().partition("@")
    k = int(depth) if depth.isascii() and depth.isdigit() and len(depth) < 10 else 0
    if (depth and k < 1) or not (depth or base in (*_UNCUT, "rprec")):
        raise UsageError(f"no measure {name!r}: a depth of 1 or more must follow", "as nDCG@10")
    if base == "rprec" and not depth:
        return r_precision
    if base == "ndcg_exp":
        return lambda ranked, grades: ndcg(ranked, grades, k, exponential)
    if base not in _AT:
        raise UsageError(f"no measure {name!r}", f"one of {', '.join([*_AT, 'ndcg_exp', 'rprec'])}")
    chosen = _AT[base]
    return lambda ranked, grades: chosen(ranked, grades, k)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A run under one measure: a score per judged question, in the order of the judgements.

    `missing` are judged questions that the run has nothing for (they count), `unjudged` questions
    of the run without judgements (left out). `strangers` says that no retrieved id is judged
    anywhere, which is a fault of the set-up rather than a result.
    """

    metric: str
    scores: tuple[Score, ...]
    missing: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    strangers: bool = False


def evaluate(
    metric: str,
    run: Mapping[str, Ranked],
    judgements: Mapping[str, Grades],
    *,
    as_trec: bool = False,
) -> Evaluation:
    """Score every judged question; one missing from the run has an empty ranking and counts 0.

    A question without a relevant document is not measurable: value None, with why. With `as_trec`
    it counts 0, as in trec_eval, if it has any judgement.
    """
    formula = measure(metric)
    scores = []
    for item, grades in judgements.items():
        value = formula(run.get(item, ()), grades)
        why = ""
        if value is None:
            why = "nothing retrieved" if relevant(grades) else "no relevant document is marked"
            if as_trec and grades and not relevant(grades):
                value, why = 0.0, ""
        scores.append(Score(item, metric, value, why))
    known = {name for grades in judgements.values() for name in grades}
    retrieved = {name for item in judgements for name in run.get(item, ())}
    return Evaluation(
        metric,
        tuple(scores),
        tuple(item for item in judgements if not run.get(item)),
        tuple(item for item in run if item not in judgements),
        bool(retrieved) and not retrieved & known,
    )
