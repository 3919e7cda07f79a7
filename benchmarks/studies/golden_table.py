"""A golden set over documents, one row for each way of cutting or searching them.

Run: python benchmarks/studies/golden_table.py --docs FOLDER [--docs FOLDER] --golden FILE
     [--kb DIR] [--name NAME] [--arm 'NAME: KEY=VALUE ...'] [--against NAME]

Without --arm, the defaults are measured beside fixed windows of 200 words without leads. A key of
an arm is one of a cut rule (by, size, unit, overlap, lead) or any recipe key (search.k1=0.9).
Each arm has a knowledge base of its own under --kb, which is used again when it is there.
Writes benchmarks/results/golden-NAME.md.
"""

import os
import platform
import sys
import tempfile
import time
import tomllib
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout
from dataclasses import dataclass, fields
from pathlib import Path

from answerable.adapters.formats import golden as golden_file
from answerable.config import FILE, write_recipe
from answerable.flow.absent import absent_words
from answerable.flow.evaluate import Evaluation, Measured, evaluate, stages
from answerable.flow.locate import locate
from answerable.flow.score import BUDGETS, DEPTHS
from answerable.measure.match import ways
from answerable.measure.stats import paired, pairs
from answerable.records.evals import GoldenSet, Score
from answerable.records.index import Filter
from answerable.records.recipe import CutRule, Ingest, Recipe
from answerable.wire.base import KnowledgeBase, open_base

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "handbook"
ARMS = (
    "default:",
    "fixed windows: by=words size=200 unit=words overlap=0 lead=none",
)
CUT_KEYS = {field.name for field in fields(CutRule)}
STAGES = ("lexical", "dense", "fused")
ANSWER = (
    "answered",
    "citation_precision",
    "citation_recall",
    "evidence_used",
    "value",
    "text",
    "right",
    "strict",
    "refused",
)
SEARCHED = (
    *(f"{stage} complete@{k}" for stage in STAGES for k in DEPTHS),
    *(f"fused complete in {words} words" for words in BUDGETS),
)
COMPARED = (
    *(f"fused complete@{k}" for k in DEPTHS),
    *(f"fused complete in {words} words" for words in BUDGETS),
    "citation_recall",
    "value",
    "right",
    "refused",
)


@dataclass(frozen=True)
class Arm:
    name: str
    cut: dict[str, object]
    overrides: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    arm: Arm
    pieces: int
    result: Evaluation
    indexing: float
    search_seconds: float
    ask_seconds: float


def arm(text: str) -> Arm:
    name, _, rest = text.partition(":")
    cut: dict[str, object] = {}
    overrides = []
    for pair in rest.split():
        key, _, value = pair.partition("=")
        if key in CUT_KEYS:
            cut[key] = literal(value)
        elif key.startswith("cut."):
            cut.setdefault("options", {})[key[4:]] = literal(value)
        else:
            overrides.append(pair)
    return Arm(name.strip(), cut, tuple(overrides))


def literal(text: str) -> object:
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text


def prepare(one: Arm, docs: list[Path], home: Path, reuse: bool) -> tuple[KnowledgeBase, float]:
    """The arm's knowledge base, filled; with the seconds that filling took."""
    cut = dict(one.cut)
    options = tuple(sorted(cut.pop("options", {}).items()))
    recipe = Recipe(Ingest(cut=(CutRule(**cut, options=options),)))
    # Arms that differ only at question time share their index.
    name = "-".join(f"{key}={value}" for key, value in sorted(one.cut.items())) or "default"
    folder = home / name.replace("/", "_").replace(" ", "")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / FILE).exists():
        (folder / FILE).write_text(write_recipe(recipe, [one.name]), encoding="utf-8")
    kb = open_base(folder, one.overrides)
    began = time.perf_counter()
    for path in () if reuse and kb.info() is not None else docs:
        kb.add(str(path))
    return kb, time.perf_counter() - began


def run(one: Arm, docs: list[Path], golden: GoldenSet, home: Path, given: Namespace) -> Row:
    kb, indexing = prepare(one, docs, home, given.reuse)
    with kb.snapshot() as snapshot:
        located = locate(golden, snapshot.documents(), kb.document)
        search = stages(kb.finder(snapshot), kb.recipe.ask, Filter())
        pieces = snapshot.info.chunks
        began = time.perf_counter()
        for item in golden.items:
            search(item.question)
        searching = (time.perf_counter() - began) / len(golden.items)
        rows = snapshot.documents()
        named = {e.document for item in located.items for way in ways(item) for e in way}
        finder = kb.finder(snapshot)
        result = evaluate(
            located,
            search,
            None if given.no_ask else kb.ask,
            documents={id: kb.document(id, rows[id].sha256) for id in named},
            absent=absent_words(finder.analyzer, finder.languages),
        )
    spent = [sum(seconds for _, seconds in trace.seconds) for _, trace in result.traces]
    return Row(one, pieces, result, indexing, searching, sum(spent) / max(len(spent), 1))


def share(measured: Measured | None) -> str:
    """The sum of the values (hits, where each is 0 or 1), of how many, and the mean's interval."""
    if measured is None or measured.mean.value is None:
        return "-"
    mean = measured.mean
    hits = sum(score.value or 0 for score in measured.scores)
    return f"{hits:.4g}/{mean.n} ({100 * mean.low:.0f}-{100 * mean.high:.0f} %)"


def of(result: Evaluation, metric: str) -> Measured | None:
    return next((one for one in result.measures if one.metric == metric), None)


def identifiers(result: Evaluation, golden: GoldenSet) -> str:
    named = {item.id for item in golden.items if item.category == "identifier"}
    found = of(result, "fused complete@5") or of(result, "lexical complete@5")
    scores = [s.value for s in found.scores if s.item_id in named] if found else []
    known = [value for value in scores if value is not None]
    return f"{sum(known):.0f}/{len(known)}"


def search_table(rows: list[Row], golden: GoldenSet) -> list[str]:
    out = [
        "| arm | pieces | "
        + " | ".join(metric.replace("complete", "").replace("  ", " ") for metric in SEARCHED)
        + " | identifiers @5 | ms a search |",
        "|---" * (len(SEARCHED) + 4) + "|",
    ]
    for row in rows:
        cells = [share(of(row.result, metric)) for metric in SEARCHED]
        out.append(
            f"| {row.arm.name} | {row.pieces:,} | {' | '.join(cells)} "
            f"| {identifiers(row.result, golden)} | {1000 * row.search_seconds:.0f} |"
        )
    return out


def answer_table(rows: list[Row]) -> list[str]:
    out = [f"| arm | {' | '.join(ANSWER)} | ms an answer |", "|---" * (len(ANSWER) + 2) + "|"]
    for row in rows:
        cells = [share(of(row.result, metric)) for metric in ANSWER]
        out.append(f"| {row.arm.name} | {' | '.join(cells)} | {1000 * row.ask_seconds:.0f} |")
    return out


def comparison(base: Row, others: list[Row]) -> list[str]:
    out = [
        f"| against {base.arm.name} | measure | difference [95 %] | wins/ties/losses | p |",
        "|---|---|---|---|---|",
    ]
    for row in others:
        for metric in COMPARED:
            first, second = of(base.result, metric), of(row.result, metric)
            if first is None or second is None:
                continue
            _, one, two = pairs(first.scores, second.scores)
            if not one:
                continue
            found = paired(one, two, seed=0)
            out.append(
                f"| {row.arm.name} | {metric} | {100 * found.delta:+.1f} "
                f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}] "
                f"| {found.wins}/{found.ties}/{found.losses} | {found.p:.3f} |"
            )
    return out


def failures(row: Row, golden: GoldenSet) -> list[str]:
    """A line for every question that did not go wholly right."""
    traces = dict(row.result.traces)
    marks: dict[str, list[str]] = {}
    for metric in ("fused complete@5", "fused complete@10", *ANSWER):
        measured = of(row.result, metric)
        for score in measured.scores if measured else ():
            if score.value == 0:
                marks.setdefault(score.item_id, []).append(metric)
    out = ["| question | not | route or value | expected |", "|---|---|---|---|"]
    for item in golden.items:
        missed = marks.get(item.id, [])
        if item.answerable and "right" not in missed and "fused complete@5" not in missed:
            continue
        if not item.answerable and "refused" not in missed:
            continue
        trace = traces.get(item.id)
        said = "-"
        if trace is not None:
            said = trace.route.reason if trace.answer.refused else f"{trace.answer.value!r}: "
            said += "" if trace.answer.refused else " ".join(trace.answer.text.split())[:160]
        expected = " / ".join(item.answers[:2]) or ("a refusal" if not item.answerable else "-")
        cells = (f"{item.id}: {item.question}", ", ".join(missed), said, expected)
        out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return out


def categories(row: Row, golden: GoldenSet) -> list[str]:
    """The shares of the first arm by category of the questions."""
    metrics = ("fused complete@5", "citation_recall", "value", "right", "refused")
    out = [f"| category | {' | '.join(metrics)} |", "|---" * (len(metrics) + 1) + "|"]
    for category in sorted({item.category for item in golden.items}):
        ids = {item.id for item in golden.items if item.category == category}
        cells = []
        for metric in metrics:
            measured = of(row.result, metric)
            scores: tuple[Score, ...] = measured.scores if measured else ()
            known = [s.value for s in scores if s.item_id in ids and s.value is not None]
            cells.append(f"{sum(known):.4g}/{len(known)}" if known else "-")
        out.append(f"| {category} | {' | '.join(cells)} |")
    return out


def report(name: str, rows: list[Row], golden: GoldenSet, base: Row, details: int) -> list[str]:
    first = rows[0].result
    out = [
        f"# Golden set {golden.name}: {name}",
        "",
        f"{len(golden.items)} questions ({sum(i.answerable for i in golden.items)} answerable), "
        f"SHA-256 {golden.sha256[:12]}. `STAGE @K`: all evidence stands whole in the first K "
        "pieces, `in W`: in the first pieces of at most W words together. Cells are sums of the "
        "values. `citation_precision/recall`: of the cited places on marked ones, of the required "
        "places cited; `evidence_used`: of those shown whole; `value`: the short answer is an "
        "accepted one; `text`: the answer's words hold one; `right`: value or text, and evidence "
        "cited; `strict`: value, exact citations and every required place, or refused where "
        "unanswerable; `refused`: of the unanswerable. Intervals: 95 % bootstrap over questions, "
        "seed 0.",
        "",
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; times "
        "are of a shared machine.",
        "",
        *search_table(rows, golden),
        "",
        *answer_table(rows),
        "",
    ]
    if len(rows) > 1:
        out += [*comparison(base, [row for row in rows if row is not base]), ""]
    if first.problems or first.unmeasured or first.failures:
        out += [f"Not measurable: {len(first.unmeasured)}.", ""]
        out += [f"- {p.item_id}: {p.why}: {p.quote!r}" for p in first.problems]
        out += [f"- {item}: {why}" for item, why in first.unmeasured]
        out += [f"- {f.item_id}: failed: {f.cause}" for f in first.failures]
        out += [""]
    for row in rows[:details]:
        out += [f"## {row.arm.name}: by category", "", *categories(row, golden), ""]
        out += [f"## {row.arm.name}: what went wrong", "", *failures(row, golden), ""]
    return out


def main() -> None:
    options = ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--docs", type=Path, action="append")
    options.add_argument("--golden", type=Path, default=EXAMPLE / "golden.jsonl")
    options.add_argument("--kb", type=Path)
    options.add_argument("--reuse", action="store_true", help="do not look for changed documents")
    options.add_argument("--name", default="handbook")
    options.add_argument("--arm", action="append")
    options.add_argument("--against", default="")
    options.add_argument("--details", type=int, default=1, help="arms whose failures are listed")
    options.add_argument("--no-ask", action="store_true", help="measure the search alone")
    options.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results")
    given = options.parse_args()
    docs = given.docs or [EXAMPLE / "docs"]
    golden, faults = golden_file.read(given.golden)
    for fault in faults:
        print(fault, file=sys.stderr)
    with tempfile.TemporaryDirectory() as temporary:
        home = given.kb or Path(temporary)
        rows = []
        for one in map(arm, given.arm or ARMS):
            with redirect_stdout(sys.stderr):
                rows.append(run(one, docs, golden, home, given))
            print(f"{one.name}: indexed in {rows[-1].indexing:.1f} s", file=sys.stderr, flush=True)
    base = next((row for row in rows if row.arm.name == given.against), rows[0])
    lines = report(given.name, rows, golden, base, given.details)
    print("\n".join(lines))
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / f"golden-{given.name}.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
