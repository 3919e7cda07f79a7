"""Whole abstracts by BM25, by vectors, and by both: what each step of fusion gains, held out.

Run: python benchmarks/studies/dense_table.py [FOLDER] [--vectors FILE.npz] [--cuts]
Writes benchmarks/results/beir-dense.md. The dense weight is chosen on SciFact train and NFCorpus
dev; the test questions are measured with it. Vectors of texts seen before come from FILE.
"""

import argparse
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from answerable.adapters.formats.beir import load
from answerable.adapters.models.minilm import MiniLM
from answerable.flow.beir import BeirResult, BeirRule, measure_rules
from answerable.measure.stats import paired
from answerable.rank.analyze import Analyzer
from answerable.records.recipe import FusionRule
from answerable.text.cutters.whole import Whole
from answerable.text.cutters.words import Words
from answerable.text.ruler import Words as InWords

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
DEFAULT = FusionRule().weight
SETS = {"scifact": "train", "nfcorpus": "dev"}
STEP = 2048
"""Texts embedded between two writes of the file of vectors: what an interruption can cost."""
LEXICAL = {"k1 0.9, b 0.4": (0.9, 0.4), "k1 1.2, b 0.75": (1.2, 0.75)}
# nDCG@10 as a published study prints it for this model, and as a reference run gave it.
PRINTED = {
    ("scifact", "dense", 0): "0.6550",
    ("scifact", "dense", 25): "0.6908",
    ("nfcorpus", "dense", 0): "0.3126",
    ("nfcorpus", "dense", 25): "0.3365",
    ("scifact", "rrf", 0): "0.6900 (seen)",
    ("nfcorpus", "rrf", 0): "0.3395 (seen)",
    ("scifact", "convex", 0): "0.7155 (seen)",
    ("nfcorpus", "convex", 0): "0.3558 (seen)",
}


class Remembered:
    """An embedder whose vectors are kept by the text they stand for."""

    def __init__(self, model: MiniLM, file: Path | None) -> None:
        self.model, self.file = model, file
        self.fingerprint, self.dimensions, self.limit = (
            model.fingerprint,
            model.dimensions,
            model.limit,
        )
        self.known: dict[str, np.ndarray] = {}
        self.seconds, self.embedded = 0.0, 0
        if file is not None and file.is_file():
            with np.load(file) as stored:
                self.known = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        keys = [sha256(f"{self.fingerprint}\0{text}".encode()).hexdigest()[:32] for text in texts]
        found = {key: text for key, text in zip(keys, texts, strict=True) if key not in self.known}
        new = list(found.items())
        for start in range(0, len(new), STEP):
            part = dict(new[start : start + STEP])
            began = time.process_time()
            rows = self.model.passages(list(part.values()))
            self.seconds += time.process_time() - began
            self.embedded += len(part)
            self.known.update(zip(part, rows, strict=True))
            self.save()
            print(f"{start + len(part):,} of {len(new):,} texts embedded", flush=True)
        return np.stack([self.known[key] for key in keys])

    questions = passages

    def count(self, text: str) -> int:
        return self.model.count(text)

    def spans(self, text: str) -> np.ndarray:
        return self.model.spans(text)

    def save(self) -> None:
        if self.file is not None:
            keys = np.array(list(self.known))
            np.savez(self.file, keys=keys, rows=np.stack(list(self.known.values())))


def cutter(size: int):
    chosen, ruler = (Words(size) if size else Whole()), InWords()
    return lambda document: chosen(document, ruler, lambda _: document.title)


def per_question(result: BeirResult) -> dict[str, float]:
    return {one.id: one.ndcg for one in result.per_question if one.ndcg is not None}


def difference(base: BeirResult, other: BeirResult) -> str:
    first, second = per_question(base), per_question(other)
    found = paired(list(first.values()), [second[key] for key in first], seed=0)
    return (
        f"{found.delta:+.4f} [{found.low:+.4f}, {found.high:+.4f}] "
        f"{found.wins}/{found.ties}/{found.losses}"
    )


def table(folder: Path, name: str, size: int, model: Remembered) -> list[str]:
    analyzer, cut = Analyzer("en"), cutter(size)
    train, test = load(folder / name, SETS[name]), load(folder / name)
    mixed = BeirRule(mode="hybrid", fusion="convex")
    grid = {str(weight): replace(mixed, weight=weight) for weight in WEIGHTS}
    tried = {r.cut: r.ndcg.value or 0.0 for r in measure_rules(train, cut, analyzer, grid, model)}
    chosen = float(max(tried, key=lambda weight: tried[weight]))
    rules = {"dense": BeirRule(mode="dense")}
    for label, (k1, b) in LEXICAL.items():
        rules[f"BM25, {label}"] = BeirRule(k1=k1, b=b)
        rules[f"RRF, {label}"] = BeirRule(k1=k1, b=b, mode="hybrid")
        for weight in dict.fromkeys((chosen, DEFAULT)):
            how = f"chosen on {SETS[name]}" if weight == chosen else "the recipe's default"
            rule = replace(mixed, k1=k1, b=b, weight=weight)
            rules[f"convex {weight} ({how}), {label}"] = rule
    results = {result.cut: result for result in measure_rules(test, cut, analyzer, rules, model)}
    out = [
        f"## {name}, {size or 'whole'}{' words a piece' if size else ' abstracts'}",
        "",
        f"{len(test.documents):,} documents; weight chosen on {len(train.questions)} {SETS[name]} "
        f"questions (k1 0.9, b 0.4), measured on {len(test.questions)} test questions.",
        "",
        "| search | nDCG@10 [95 %] | held@10 % | printed | against BM25: difference, "
        "wins/ties/losses | against RRF |",
        "|---|---|---|---|---|---|",
    ]
    for what, found in results.items():
        kind, _, label = what.partition(", ")
        kind = kind.split()[0].lower()
        bm25, rrf = results.get(f"BM25, {label}"), results.get(f"RRF, {label}")
        mean, held = found.ndcg, found.held.value or 0.0
        against = difference(bm25, found) if bm25 and kind in ("rrf", "convex") else ""
        other = difference(rrf, found) if rrf and kind == "convex" else ""
        out.append(
            f"| {what} | {mean.value:.4f} [{mean.low:.3f}, {mean.high:.3f}] | {100 * held:.1f} "
            f"| {PRINTED.get((name, kind, size), '')} | {against} | {other} |"
        )
    by_weight = ", ".join(f"{weight}: {value:.4f}" for weight, value in tried.items())
    return [*out, "", f"nDCG@10 on {SETS[name]} by weight: {by_weight}.", ""]


def main() -> None:
    default = os.environ.get("ANSWERABLE_DATA", str(ROOT / "../shared/data"))
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, nargs="?", default=Path(default))
    options.add_argument("--vectors", type=Path, help="an .npz file that keeps vectors")
    options.add_argument("--cuts", action="store_true", help="also pieces of 100 words")
    given = options.parse_args()
    model = Remembered(MiniLM(), given.vectors)
    lines = [
        "# Dense and hybrid search",
        "",
        "all-MiniLM-L6-v2, one vector a piece with the title above it, compared exactly; first "
        "1,000 pieces, each replaced by its document. `convex`: weight times the cosine plus the "
        "rest times BM25 over the greatest score the question could reach. Trec_eval's form of "
        "nDCG; intervals and differences: 95 % bootstrap over questions, seed 0. `printed` is a "
        "study's figure for the same model, `seen` that of a reference run.",
        "",
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"numpy {np.__version__}, {model.fingerprint.replace('|', ' ')}.",
        "",
    ]
    for size in (0, 100) if given.cuts else (0,):
        for name in SETS:
            lines += table(given.folder, name, size, model)
            print("\n".join(lines[-14:]), flush=True)
    if model.embedded:
        lines += [f"{model.embedded:,} texts embedded in {model.seconds:,.0f} CPU seconds.", ""]
    out = ROOT / "benchmarks" / "results" / "beir-dense.md"
    out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
