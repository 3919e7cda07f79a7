"""When to refuse on SQuAD 2.0 dev: the risk-coverage curve, the default rule and the tuned one.

Run: python benchmarks/studies/refusal_curve.py [FOLDER] [--sample 2000] [--mode hybrid]
     [--cache DIR] [--list FILE.csv]
Writes benchmarks/results/refusal-curve.md and refusal-curve.csv (100 points of the curve).
"""

import argparse
import ast
import csv
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from printed import DATA, RESULTS, machine, sampled, signed, write

from answerable.flow.locate import locate
from answerable.flow.tune_thresholds import GRID, PERMISSIVE, TunedThresholds, tune_thresholds
from answerable.measure.crossfit import FOLDS, folds
from answerable.measure.end_to_end import right
from answerable.measure.refusal import Confusion, confusion, decide, risk_coverage
from answerable.measure.stats import paired
from answerable.rank.route import route
from answerable.records.answers import Trace
from answerable.records.recipe import Recipe, RouteRule, SearchRule
from answerable.records.runs import Decision
from answerable.wire.corpus import open_corpus
from answerable.wire.golden import read_golden
from answerable.wire.tune import Bench, ask_all

SEED = 0
Ask = Callable[[Recipe, Sequence[tuple[str, str]]], Mapping[str, Trace]]


@dataclass(frozen=True)
class Answered:
    """One question answered under the rule that refuses nothing."""

    decision: Decision
    evidence: Mapping[str, float]

    def under(self, rule: RouteRule) -> Decision:
        refused = self.decision.refused or route(self.evidence, (), rule).name != "answer"
        return replace(self.decision, refused=refused)


def judged(bench: Bench, traces: Mapping[str, Trace]) -> dict[str, Answered]:
    """Answers by question, each right or wrong: counted here again, beside the procedure."""
    found = {}
    for item in bench.located.items:
        trace = traces.get(item.id)
        if trace is None:
            continue
        value = 1.0 if not item.answerable or trace.answer.refused else right(item, trace.answer)[0]
        if value is not None:
            one = decide(item.id, item.answerable, trace, value)
            found[item.id] = Answered(one, dict(trace.route.evidence))
    return found


def worth(decision: Decision, cost: float = 1.0) -> float:
    """What the procedure raises: 1 for a right answer, -cost for a wrong one, 0 for none."""
    if decision.refused:
        return 0.0
    return -cost if decision.wrong else 1.0


def rule_of(name: str) -> RouteRule:
    """The rule that the procedure names by what differs from the permissive one."""
    if " = " not in name:
        return PERMISSIVE
    pairs = (part.split(" = ") for part in name.split(", "))
    return replace(PERMISSIVE, **{key: ast.literal_eval(value) for key, value in pairs})


def held_out(known: Mapping[str, Answered], chosen: Sequence[str]) -> dict[str, Decision]:
    """Each fold's questions under the rule that the other folds chose."""
    found = {}
    for name, group in zip(chosen, folds(list(known), FOLDS, SEED), strict=True):
        found |= {item: known[item].under(rule_of(name)) for item in group}
    return found


def interval(values: Sequence[float], statistic: Callable[[np.ndarray], float]) -> str:
    """95 % percentile bootstrap over questions."""
    draw = np.random.default_rng(SEED)
    rows = np.asarray(values, dtype=float)
    found = [statistic(rows[draw.integers(0, len(rows), len(rows))]) for _ in range(1000)]
    low, high = np.percentile(found, (2.5, 97.5))
    return f"[{low:.3f}, {high:.3f}]"


def aurc(decisions: Sequence[Decision], draws: int = 300) -> str:
    """The area with a bootstrap interval over questions."""
    draw = np.random.default_rng(SEED)
    found = []
    for _ in range(draws):
        again = [decisions[at] for at in draw.integers(0, len(decisions), len(decisions))]
        found.append(risk_coverage(again).aurc or 0.0)
    low, high = np.percentile(found, (2.5, 97.5))
    curve = risk_coverage(decisions)
    return f"{curve.aurc:.4f} [{low:.4f}, {high:.4f}], a perfect order {curve.best:.4f}"


def row(name: str, decisions: Sequence[Decision]) -> str:
    found: Confusion = confusion(decisions)
    answered = [float(d.wrong is True) for d in decisions if not d.refused]
    values = [worth(decision) for decision in decisions]
    curve = risk_coverage(decisions)
    same = next((p.risk for p in curve.points if p.coverage >= (found.coverage or 0.0)), None)
    given = [float(not decision.refused) for decision in decisions]
    return (
        f"| {name} | {found.coverage:.3f} {interval(given, np.mean)} "
        f"| {found.risk:.3f} {interval(answered, np.mean)} | {same:.3f} "
        f"| {np.mean(values):+.4f} {interval(values, np.mean)} "
        f"| {found.answered} of {found.answered + found.refused} ({found.wrong} wrong) "
        f"| {found.declined} of {found.declined + found.babbled} "
        f"| {found.precision or 0:.3f} | {found.recall or 0:.3f} |"
    )


def points(decisions: Sequence[Decision], count: int) -> list[tuple[float, float, float]]:
    """(coverage, risk, confidence) at `count` equal steps of coverage."""
    curve = risk_coverage(decisions).points
    return [
        next((p.coverage, p.risk, p.confidence) for p in curve if p.coverage >= step / count - 1e-9)
        for step in range(1, count + 1)
    ]


def report(
    bench: Bench, known: Mapping[str, Answered], found: TunedThresholds, seconds: str
) -> list[str]:
    default = bench.recipe.ask.route
    under = {item: one.under(default) for item, one in known.items()}
    out_of_fold = held_out(known, found.held_out.chosen)
    tuned = [one.under(found.rule) for one in known.values()]
    gain = paired(
        [worth(under[item]) for item in known],
        [worth(out_of_fold[item]) for item in known],
        seed=SEED,
    )
    procedure = found.held_out.gain
    if abs(gain.delta - procedure.delta) > 1e-9:
        raise SystemExit(f"the procedure says {procedure.delta}, counted again {gain.delta}")
    everything = [one.decision for one in known.values()]
    unanswerable = risk_coverage(everything, answers=False)
    advice = found.advice
    change = ", ".join(f"{key} = {value}" for key, value in advice.change) or "keep what is"
    return [
        seconds,
        "",
        f"AURC (mean risk over all coverages): **{aurc(everything)}**. Risk counted by "
        f"unanswerable questions alone: {unanswerable.aurc:.4f}, a perfect order "
        f"{unanswerable.best:.4f}.",
        "",
        "| rule | coverage | risk | risk of the curve there | worth a question | answerable "
        "answered | unanswerable refused | refusal precision | recall |",
        "|---|---|---|---|---|---|---|---|---|",
        row("nothing refused", [one.under(PERMISSIVE) for one in known.values()]),
        row("fixed default", list(under.values())),
        row("tuned, held out", [out_of_fold[item] for item in known]),
        row("tuned on all (flatters)", tuned),
        "",
        f"Held-out gain of the tuned rule over the default: "
        f"**{signed(procedure.delta, procedure.low, procedure.high)}** a question (interval for "
        f"dependent folds), {procedure.wins} better, {procedure.losses} worse of {procedure.n}. "
        f"Advice: {change} ({advice.because}). Greatest similarity tried: "
        f"{max(GRID['min_similarity'])}.",
        "",
        "| fold | rule that the other folds chose |",
        "|---|---|",
        *(f"| {n} | {name} |" for n, name in enumerate(found.held_out.chosen, 1)),
        "",
        f"Default rule: min_coverage = {default.min_coverage}, min_similarity = "
        f"{default.min_similarity}, sure_coverage = {default.sure_coverage}, max_unknown = "
        f"{default.max_unknown}, need_value = {default.need_value}.",
        "",
        "| coverage | risk | confidence from |",
        "|---|---|---|",
        *(f"| {c:.3f} | {r:.3f} | {s:.3f} |" for c, r, s in dict.fromkeys(points(everything, 20))),
    ]


HEAD = (
    "# Refusing: risk and coverage on SQuAD 2.0 dev",
    "",
    "Each question is asked once of all 35 articles under a rule that refuses nothing; rules then "
    "only decide which answers stand. Risk: the share of the answers given that are wrong "
    "(not the accepted words, or without cited evidence; every answer to an unanswerable question "
    "is). Note that SQuAD's readers knew the paragraph: over all articles some questions mean "
    "nothing without it. Curve: by confidence (the mean of coverage and similarity less the weight "
    "of unknown words), surest first. `risk of the curve there`: at the coverage of the rule. "
    "Worth: a right answer 1, a wrong one -1, a refusal 0; tuned by nested cross-validation in "
    f"{FOLDS} folds of questions. The default thresholds were set on questions of this same set, "
    "so the default is not a stranger to it. Intervals: 95 % bootstrap over questions; seed 0. "
    "No published figure: SQuAD's leaderboard reads one given paragraph.",
    "",
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, nargs="?", default=DATA / "squad-v2.0-dev")
    options.add_argument("--sample", type=int, default=2000)
    options.add_argument("--mode", choices=("hybrid", "lexical"), default="hybrid")
    options.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "answerable-studies"
    )
    options.add_argument("--list", type=Path, help="a CSV file for every question's decision")
    given = options.parse_args()
    began, cpu = time.perf_counter(), time.process_time()
    recipe = Recipe()
    recipe = replace(recipe, ask=replace(recipe.ask, search=SearchRule(mode=given.mode)))
    golden, problems = read_golden(given.folder)
    total = len(golden.items)
    golden = replace(golden, items=sampled(golden.items, given.sample, SEED))
    corpus = open_corpus([given.folder], given.cache)
    located = locate(golden, corpus.rows(), corpus.document)
    bench = Bench(corpus, recipe, located, problems, time.perf_counter)
    kept: dict[str, Trace] = {}
    ask = ask_all(bench, os.cpu_count() or 1, progress)

    def remembering(recipe: Recipe, questions: Sequence[tuple[str, str]]) -> Mapping[str, Trace]:
        kept.update(ask(recipe, questions))
        return kept

    found = tune_thresholds(recipe, located, remembering, seconds=time.perf_counter, seed=SEED)
    known = judged(bench, kept)
    share = sum(item.answerable for item in located.items) / len(located.items)
    seconds = (
        f"{given.mode} search, default recipe, {len(corpus.documents)} articles; "
        f"{len(located.items):,} of {total:,} questions (a sample, seed {SEED}), "
        f"{100 * share:.0f} % answerable, {len(known):,} judged; "
        f"{time.perf_counter() - began:,.0f} s, "
        f"{time.process_time() - cpu:,.0f} CPU s."
    )
    lines = report(bench, known, found, seconds)
    write("refusal-curve", [*HEAD, machine()], [(given.mode, lines)])
    print("\n".join(lines))
    decisions = [one.decision for one in known.values()]
    with (RESULTS / "refusal-curve.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["coverage", "risk", "confidence"])
        rows.writerows([f"{value:.6f}" for value in one] for one in points(decisions, 100))
    if given.list:
        with given.list.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["question", "answerable", "confidence", "wrong", "default refuses"])
            for item, one in known.items():
                d = one.decision
                refused = one.under(recipe.ask.route).refused
                rows.writerow([item, d.answerable, d.confidence, d.wrong, refused])


def progress(stage: str, done: int, total: int) -> None:
    if done % 200 == 0:
        print(stage, done, total, flush=True)


if __name__ == "__main__":
    main()
