"""`answerable tune cut` against trying everything: how far its advice is from the best cut.

Run: python benchmarks/studies/tune_grid.py [FOLDER] [--only NAME ...] [--sample 1000]
Writes benchmarks/results/tune-grid.md; sets that are not named keep their section.

On each set the procedure starts once from pieces of 200 words at headings and once from whole
documents; the grid is every size, cutter and overlap below. All aim at the same figure, that of
the first start, by lexical search.
"""

import argparse
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from printed import DATA, ROOT, chance, machine, sampled, signed, write, written

from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located, locate
from answerable.flow.probe import Aim, aim_for, probe
from answerable.flow.tune_cut import TunedCut, described, tune_cut
from answerable.measure.stats import paired
from answerable.records.recipe import Ask, CutRule, EmbedderRule, Ingest, Recipe, SearchRule
from answerable.wire.corpus import open_corpus
from answerable.wire.golden import read_golden

SIZES = (1600, 800, 400, 200, 100, 50, 25)
CUTTERS = ("headings", "recursive", "words")
STARTS = {
    "headings of 200 words": CutRule("headings", 200, "words", 0, "title"),
    "whole documents": CutRule("whole", 0, "words", 0, "title"),
}
SETS: Mapping[str, tuple[str, ...]] = {
    "scifact": ("scifact",),
    "nfcorpus": ("nfcorpus",),
    "covidqa": ("covidqa",),
    "squad-v1.1-dev": ("squad-v1.1-dev",),
    "legalbench-rag-contractnli": ("legalbench-rag-contractnli",),
    "handbooks": ("docs/sourcegraph-handbook", "docs/civicactions-handbook"),
}
GOLDEN = {"handbooks": ROOT / "tests" / "collections" / "handbooks.jsonl"}

Values = Mapping[str, float]


@dataclass(frozen=True)
class Tried:
    """A start of the procedure, what came of it, and what it cost."""

    start: str
    found: TunedCut
    rule: CutRule
    name: str
    cpu: float
    wall: float


def recipe_of(rule: CutRule) -> Recipe:
    return Recipe(
        Ingest(cut=(rule,), embedder=EmbedderRule(name="")), Ask(search=SearchRule(mode="lexical"))
    )


def grid() -> list[CutRule]:
    rules = [STARTS["whole documents"]]
    for size in SIZES:
        for by in CUTTERS:
            rules += [CutRule(by, size, "words", over, "title") for over in (0, size // 4)]
    return rules


def mean(values: Values) -> float:
    return sum(values.values()) / len(values)


def tune(corpus: Corpus, located: Located, aim: Aim, start: str) -> Tried:
    cpu, wall = time.process_time(), time.perf_counter()
    recipe = recipe_of(STARTS[start])
    found = tune_cut(corpus, recipe, located, aim, seconds=time.perf_counter)
    change = dict(found.advice.change)
    keys = {key: change[f"ingest.cut.{key}"] for key in KEYS if f"ingest.cut.{key}" in change}
    rule = replace(
        STARTS[start],
        **{key: int(value) if key in ("size", "overlap") else value for key, value in keys.items()},
    )
    return Tried(
        start,
        found,
        rule,
        found.held_out.final if found.advice.change else "current",
        time.process_time() - cpu,
        time.perf_counter() - wall,
    )


KEYS = ("by", "size", "unit", "overlap", "lead")


def against(best: Values, other: Values) -> str:
    """The difference of an arm to the best of the grid, question by question."""
    shared = [item for item in best if item in other]
    found = paired([best[i] for i in shared], [other[i] for i in shared], seed=0)
    return f"{signed(found.delta, found.low, found.high)}, {chance(found.p)}"


def halvings(rule: CutRule, best: CutRule) -> str:
    if bool(rule.size) != bool(best.size):
        return "whole against cut"
    steps = math.log2(best.size / rule.size) if rule.size else 0.0
    return f"{steps:+.0f}" if steps else "0"


def as_good(arms: Mapping[CutRule, Values], best: CutRule) -> list[CutRule]:
    """Arms that cannot be told from the best one (p above 0.05)."""
    top = arms[best]
    return [
        rule
        for rule, values in arms.items()
        if paired([top[i] for i in top], [values[i] for i in top], seed=0).p > 0.05
    ]


def section(name: str, folder: Path, sample: int) -> list[str]:
    began = time.perf_counter()
    paths = [folder / part for part in SETS[name]]
    golden, problems = read_golden(GOLDEN.get(name, paths[0]))
    items = tuple(item for item in golden.items if item.answerable)
    total = len(items)
    golden = replace(golden, items=sampled(items, sample))
    corpus = open_corpus(paths)
    located = locate(golden, corpus.rows(), corpus.document)
    aim = aim_for(corpus, recipe_of(STARTS["headings of 200 words"]), located)
    opened = time.perf_counter() - began
    tried = [tune(corpus, located, aim, start) for start in STARTS]
    cpu, wall = time.process_time(), time.perf_counter()
    arms: dict[CutRule, Values] = {}
    for rule in grid():
        arms[rule] = probe(corpus, recipe_of(rule), located, aim).values
        print(f"{name}: {described(rule)}: {mean(arms[rule]):.4f}", flush=True)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    best = max(arms, key=lambda rule: mean(arms[rule]))
    told = as_good(arms, best)
    drawn = f" of {total:,} (a sample, seed 0)" if total > len(located.items) else ""
    out = [
        f"{len(corpus.documents):,} documents ({opened:.0f} s to read), "
        f"{len(arms[best]):,} questions{drawn}; {len(problems)} golden lines and "
        f"{len(located.unmeasured)} questions left out. Raised: **{aim.metric}** "
        f"({aim.because}).",
        "",
        f"Grid: {len(arms)} arms, {wall:,.0f} s ({cpu:,.0f} CPU s) after the two procedures, which "
        f"had cut some of them. Best: **{described(best)}**, {mean(arms[best]):.4f}. "
        f"{len(told)} of the arms cannot be told from it (p above 0.05): {spans(told)}.",
        "",
        "| start | advice | its figure | difference to the best [95 %] | halvings off | best step "
        "| its figure | difference to the best [95 %] | steps | s | CPU s |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one in tried:
        values, top = one.found.arms[one.name], one.found.arms[one.found.held_out.final]
        advice = described(one.rule) if one.found.advice.change else "keep what is"
        out.append(
            f"| {one.start} | {advice} | {mean(values):.4f} | {against(arms[best], values)} "
            f"| {halvings(one.rule, best)} | {one.found.held_out.final} | {mean(top):.4f} "
            f"| {against(arms[best], top)} | {len(one.found.steps)} | {one.wall:.1f} "
            f"| {one.cpu:.1f} |"
        )
    out += ["", *by_size(arms)]
    for one in tried:
        out += ["", *steps(one)]
    return out


def spans(rules: Sequence[CutRule]) -> str:
    """The sizes and cutters of arms, shortly."""
    sizes = sorted({rule.size for rule in rules if rule.size}, reverse=True)
    names = sorted({rule.by for rule in rules if rule.size})
    parts = ["whole"] if any(not rule.size for rule in rules) else []
    if sizes:
        parts.append(f"{'/'.join(map(str, sizes))} words by {', '.join(names)}")
    return "; ".join(parts)


def by_size(arms: Mapping[CutRule, Values]) -> list[str]:
    heads = [f"{by}{', overlap 25 %' if over else ''}" for by in CUTTERS for over in (0, 1)]
    whole = next(rule for rule in arms if not rule.size)
    out = [
        f"Whole documents: {mean(arms[whole]):.4f}.",
        "",
        f"| words | {' | '.join(heads)} |",
        "|---" * (len(heads) + 1) + "|",
    ]
    for size in SIZES:
        cells = [
            f"{mean(values):.4f}"
            for rule, values in arms.items()
            if rule.size and rule.size == size
        ]
        out.append(f"| {size} | {' | '.join(cells)} |")
    return out


def steps(one: Tried) -> list[str]:
    advice = one.found.advice
    held = "" if advice.delta is None else signed(advice.delta, advice.low, advice.high)
    out = [
        f"From {one.start}: {advice.because}. Held out: {held}.",
        "",
        "| step | what | figure | difference [95 %] | decision | s |",
        "|---|---|---|---|---|---|",
    ]
    for step in one.found.steps:
        figure = f"{step.values[0][1]:.4f}" if step.values else ""
        delta = "" if step.delta is None else signed(step.delta, step.low, step.high)
        out.append(
            f"| {step.name} | {step.change} | {figure} | {delta} | {step.decision} "
            f"| {step.seconds:.1f} |"
        )
    return out


def summary(sections: Mapping[str, Sequence[str]]) -> list[str]:
    """One row a set and start, out of the sections that there are."""
    out = [
        "| set | start | advice | its figure | best of the grid | difference [95 %] "
        "| halvings off |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, lines in sections.items():
        best = next(
            m for line in lines if (m := re.search(r"Best: \*\*(.+?)\*\*, (\d\.\d+)", line))
        )
        for line in lines:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if cells[0] in STARTS:
                start, advice, figure, difference, off = cells[:5]
                out.append(
                    f"| {name} | {start} | {advice} | {figure} | {best[2]} ({best[1]}) "
                    f"| {difference} | {off} |"
                )
    return out


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, nargs="?", default=DATA)
    options.add_argument("--only", nargs="*", choices=tuple(SETS), default=tuple(SETS))
    options.add_argument("--sample", type=int, default=1000, help="questions at most, per set")
    given = options.parse_args()
    head = [
        "# `tune cut` against a grid of every cut",
        "",
        "Lexical search, k1 1.2, b 0.75, title in front of every piece. `tune cut` starts from "
        "pieces of 200 words at headings, and once more from whole documents; the grid is whole "
        f"and {', '.join(map(str, SIZES))} words by {', '.join(CUTTERS)}, overlap 0 and 25 %. All "
        "are measured on the same questions and the same figure, so the best of the grid is the "
        "best by luck as well: the advice is held out, the grid is not. `best step`: the best that "
        "the procedure saw, advised or not. `halvings off`: log2 of the best size over the advised "
        "one. Intervals: 95 % bootstrap over questions; p: paired "
        "randomisation; seed 0. `complete in N words` compares sizes at equal cost (a piece "
        "longer than N is not in); `held@5`, where only documents are marked, at equal numbers of "
        "pieces, which favours large ones. Times of the second start and of the grid are after "
        "the first, "
        "whose terms and cuttings they use again.",
        "",
        machine(),
    ]
    for name in given.only:
        lines = section(name, given.folder, given.sample)
        print(f"\n## {name}\n", *lines, sep="\n", flush=True)
        write(
            "tune-grid",
            [*head, "", *summary({**written("tune-grid"), name: lines})],
            [(name, lines)],
        )


if __name__ == "__main__":
    main()
