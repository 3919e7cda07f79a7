"""Whole documents against pieces, BM25: the published tables beside what this project gives.

Run: python benchmarks/studies/beir_table.py [FOLDER]; writes benchmarks/results/beir-lexical.md.
The analyzer was chosen on SciFact train and NFCorpus dev; the test questions are measured here.
"""

import os
import platform
import sys
import time
from pathlib import Path

import numpy as np

from answerable.adapters.formats.beir import load
from answerable.flow.beir import BeirRule, measure_many
from answerable.measure.stats import Mean
from answerable.rank.analyze import Analyzer
from answerable.text.cutters.whole import Whole
from answerable.text.cutters.words import Words
from answerable.text.ruler import Words as InWords

ROOT = Path(__file__).resolve().parents[2]
RULES = (BeirRule(), BeirRule(k1=1.2, b=0.75))
SIZES = {
    "scifact": (0, 200, 100, 50, 25),
    "nfcorpus": (0, 200, 100, 50, 25),
    "covidqa": (0, 800, 400, 200, 100, 50),
}
# nDCG@10 and held as a published study prints them, and as a reference run with bm25s gave them.
PUBLISHED = {
    ("scifact", 0): ("0.6814", "83 %"),
    ("scifact", 25): ("0.6613-0.6877 over all", "76 %"),
    ("nfcorpus", 0): ("0.3283", "70 %"),
    ("nfcorpus", 50): ("0.3254", ""),
    ("nfcorpus", 25): ("0.3190-0.3313 over all", "63 %"),
}
SEEN = {
    "scifact": ("0.6769 0.6843 0.6802 0.6771 0.6611", "82.3 83.0 80.3 78.3 75.0"),
    "nfcorpus": ("0.3205 0.3168 0.3183 0.3163 0.3090", "68.7 67.2 65.9 64.1 61.0"),
    "covidqa": ("0.7042 0.7782 0.7980 0.8118 0.8148 0.8166", "85.4 87.8 88.8 90.0 89.7 90.0"),
}


def cutter(size: int):
    chosen = Words(size) if size else Whole()
    ruler = InWords()
    return lambda document: chosen(document, ruler, lambda _: document.title)


def interval(value: Mean) -> str:
    if value.value is None:
        return "-"
    return f"{value.value:.4f} [{value.low:.3f}, {value.high:.3f}]"


def share(value: Mean) -> str:
    return "-" if value.value is None else f"{100 * value.value:.1f}"


def table(folder: Path, name: str, rule: BeirRule) -> list[str]:
    collection = load(folder / name)
    sizes = SIZES[name]
    began = time.process_time()
    results = measure_many(
        collection, {str(size or "whole"): cutter(size) for size in sizes}, Analyzer("en"), rule
    )
    spent = time.process_time() - began
    base = {asked.id: asked for asked in results[0].per_question}
    out = [
        f"## {name}, k1 = {rule.k1}, b = {rule.b}",
        "",
        f"{len(collection.documents)} documents, {len(collection.questions)} questions; "
        f"{spent:.1f} CPU seconds for {len(sizes)} cuttings.",
        "",
        "| words | pieces | nDCG@10 (grade) | nDCG@10 (2^g-1) | published | seen | recall@100 "
        "| held@10 % | published | seen | words in ten | span held % | better / worse than whole |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    seen = [column.split() for column in SEEN[name]]
    for number, (size, result) in enumerate(zip(sizes, results, strict=True)):
        published = PUBLISHED.get((name, size), ("", ""))
        moves = [
            (asked.ndcg or 0.0) - (base[asked.id].ndcg or 0.0) for asked in result.per_question
        ]
        out.append(
            f"| {result.cut} | {result.pieces} | {interval(result.ndcg)} "
            f"| {result.ndcg_exponential.value:.4f} | {published[0]} | {seen[0][number]} "
            f"| {result.recall.value:.4f} | {share(result.held)} | {published[1]} "
            f"| {seen[1][number]} | {result.words.value:,.0f} | {share(result.span_held)} "
            f"| {sum(m > 1e-9 for m in moves)} / {sum(m < -1e-9 for m in moves)} |"
        )
    return [*out, ""]


def main() -> None:
    default = os.environ.get("ANSWERABLE_DATA", str(ROOT / "../shared/data"))
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    lines = [
        "# BM25: whole documents against pieces",
        "",
        "Title in front of every piece; first 1,000 pieces, each replaced by its document, repeats "
        "dropped, first 100 documents. Intervals: 95 % bootstrap over questions, seed 0. The "
        "English analyzer was chosen on SciFact train and NFCorpus dev (k1 = 0.9, b = 0.4), never "
        "on these questions. `Published` is a study's print, `seen` a reference run (bm25s, method "
        "lucene, Porter stems, 33 stop words).",
        "",
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"numpy {np.__version__}.",
        "",
    ]
    for name in SIZES:
        for rule in RULES[: 1 if name == "covidqa" else 2]:
            lines += table(folder, name, rule)
            print("\n".join(lines[-len(SIZES[name]) - 3 :]), flush=True)
    out = ROOT / "benchmarks" / "results" / "beir-lexical.md"
    out.parent.mkdir(exist_ok=True)
    out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
