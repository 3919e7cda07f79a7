"""Lexical search side by side on the same terms: build, open, query; ratios with their spread.

python benchmarks/lexical.py [--million | --chunks N] [--rounds 3] [--systems ours,tantivy]

Each system builds and then, in alternating rounds, opens and answers in a process of its own, so
that memory and the first query are its own. Times of queries are CPU milliseconds of the process
(all threads), which a busy machine disturbs least; wall is shown beside. Needs ANSWERABLE_DATA.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import Stemmer

HERE = Path(__file__).resolve()
K = 100
K1, B = 1.2, 0.75
# Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.
STOP = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by for if in into is it no not of on or such that the their "
        "then there these they this to was will with",
    )
)
WORD = re.compile(r"\w+")
SYSTEMS = ("ours", "ours-numpy", "bm25s-numba", "bm25s", "tantivy", "rank_bm25")
FEW = {"rank_bm25": 20}
"""Systems that get one round and only the first questions, because they take so long."""


# The terms that all systems share


def texts(data: Path) -> Iterator[str]:
    for file in sorted(data.rglob("corpus.jsonl")):
        for line in file.open(encoding="utf-8"):
            row = json.loads(line)
            yield f"{row.get('title', '')} {row['text']}"
    for file in sorted((data / "docs").rglob("*")):
        if file.suffix in {".md", ".mdx", ".txt", ".rst", ".html", ".xhtml"}:
            yield file.read_text(encoding="utf-8", errors="replace")


def write_terms(data: Path, folder: Path, chunks: int) -> None:
    """stream.npy (term id per word, -1 for a stop word), spans.npy (n, 2), vocabulary, queries."""
    stem = Stemmer.Stemmer("porter")
    ids: dict[str, int] = {}
    by_word: dict[str, int] = dict.fromkeys(STOP, -1)
    parts = []
    for text in texts(data):
        words = WORD.findall(text.lower())
        for word in set(words):
            if word not in by_word:
                by_word[word] = ids.setdefault(stem.stemWord(word), len(ids))
        parts.append(np.fromiter(map(by_word.__getitem__, words), np.int32, len(words)))
    stream = np.concatenate(parts)
    # Passes over the same stream begin elsewhere and vary in size, so no two chunks are equal.
    random = np.random.default_rng(7)
    spans: list[np.ndarray] = []
    made = 0
    while made < chunks:
        sizes = random.integers(60, 141, len(stream) // 60 + 1)
        edges = int(random.integers(0, 100)) + np.concatenate(([0], np.cumsum(sizes)))
        edges = edges[edges <= len(stream)]
        spans.append(np.stack((edges[:-1], edges[1:]), axis=1))
        made += len(edges) - 1
    np.save(folder / "stream.npy", stream)
    np.save(folder / "spans.npy", np.concatenate(spans)[:chunks])
    (folder / "vocabulary.json").write_text(json.dumps(list(ids)))
    queries = []
    for name in ("scifact", "nfcorpus"):
        test = (data / name / "qrels" / "test.tsv").read_text().splitlines()[1:]
        wanted = {line.split("\t")[0] for line in test}
        for line in (data / name / "queries.jsonl").open(encoding="utf-8"):
            row = json.loads(line)
            if row["_id"] in wanted:
                words = [w for w in WORD.findall(row["text"].lower()) if w not in STOP]
                queries.append(list(dict.fromkeys(stem.stemWords(words))))
    (folder / "queries.json").write_text(json.dumps([query for query in queries if query]))


def chunks_of(folder: Path) -> Iterator[list[str]]:
    vocabulary = json.loads((folder / "vocabulary.json").read_text())
    stream, spans = np.load(folder / "stream.npy"), np.load(folder / "spans.npy")
    for start, end in spans.tolist():
        yield [vocabulary[i] for i in stream[start:end].tolist() if i >= 0]


# One system each: build(folder, out) and open(out) -> ask(terms)


def build(system: str, folder: Path, out: Path) -> None:
    if system.startswith("ours"):
        from answerable.rank.sparse import Builder

        builder = Builder()
        for terms in chunks_of(folder):
            builder.add(terms)
        for name, array in builder.finish().arrays().items():
            np.save(out / f"{name}.npy", array)
    elif system.startswith("bm25s"):
        import bm25s

        index = bm25s.BM25(method="lucene", k1=K1, b=B)
        index.index([terms or ["~"] for terms in chunks_of(folder)], show_progress=False)
        index.save(str(out), show_progress=False)
    elif system == "tantivy":
        import tantivy

        index = tantivy.Index(tantivy_schema(), path=str(out))
        writer = index.writer(heap_size=256_000_000, num_threads=1)
        for terms in chunks_of(folder):
            writer.add_document(tantivy.Document(body=" ".join(terms)))
        writer.commit()
        writer.wait_merging_threads()


def tantivy_schema():
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    return schema.build()


def opened(system: str, folder: Path, out: Path):
    if system.startswith("ours"):
        from answerable.rank import bm25
        from answerable.rank.sparse import SparseSegment, totals

        arrays = {file.stem: np.load(file, mmap_mode="r") for file in out.glob("*.npy")}
        segments = [SparseSegment.of(arrays)]
        live = [np.ones(len(segments[0]), np.bool_)]
        counted = totals(segments, live)

        # The first question goes as by default (numpy): opening must not wait for numba.
        fast = iter([None])

        def ask(terms):
            return bm25.search(
                segments,
                live,
                dict.fromkeys(terms, 1.0),
                K,
                k1=K1,
                b=B,
                lead_boost=1.0,
                counted=counted,
                fast=next(fast, system == "ours"),
            )

        return ask
    if system.startswith("bm25s"):
        import bm25s

        index = bm25s.BM25.load(str(out), mmap=True, load_corpus=False)
        backend = "numba" if system.endswith("numba") else "numpy"
        index.backend = backend
        if backend == "numba":
            index.activate_numba_scorer()
        return lambda terms: index.retrieve([terms], k=K, show_progress=False, sorted=True)
    if system == "tantivy":
        import tantivy

        index = tantivy.Index.open(str(out))
        schema, searcher = tantivy_schema(), index.searcher()

        def ask_tantivy(terms):
            parts = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "body", t))
                     for t in terms]  # fmt: skip
            # Counting all matches would switch pruning off.
            return searcher.search(tantivy.Query.boolean_query(parts), K, count=False).hits

        return ask_tantivy
    from rank_bm25 import BM25Okapi

    slow = BM25Okapi(list(chunks_of(folder)), k1=K1, b=B)

    def ask_slow(terms):
        scores = slow.get_scores(terms)
        best = np.argpartition(scores, -K)[-K:]
        return best[np.argsort(-scores[best])]

    return ask_slow


# The worker's two jobs, each in a fresh process, answering with one line of JSON


def work(job: str, system: str, folder: Path) -> dict[str, float]:
    out = folder / ("bm25s" if system.startswith("bm25s") else system.removesuffix("-numpy"))
    if job == "build":
        # tantivy would add to an index that stands there already.
        shutil.rmtree(out, ignore_errors=True)
    out.mkdir(exist_ok=True)
    if job == "build":
        started = time.process_time()
        for _ in chunks_of(folder):
            pass
        fed = time.process_time() - started
        started = time.process_time()
        build(system, folder, out)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        return {"build": time.process_time() - started - fed, "peak": peak}
    queries = json.loads((folder / "queries.json").read_text())[: FEW.get(system)]
    started, wall = time.process_time(), time.perf_counter()
    ask = opened(system, folder, out)
    ask(queries[0])
    first, first_wall = time.process_time() - started, time.perf_counter() - wall
    for query in queries[:50]:
        ask(query)
    cpu, walls = [], []
    for query in queries:
        started, wall = time.process_time(), time.perf_counter()
        ask(query)
        cpu.append((time.process_time() - started) * 1e3)
        walls.append((time.perf_counter() - wall) * 1e3)
    return {
        "open": first,
        "open wall": first_wall,
        "median": statistics.median(cpu),
        "p95": float(np.quantile(cpu, 0.95)),
        "median wall": statistics.median(walls),
        "p95 wall": float(np.quantile(walls, 0.95)),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def run(job: str, system: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, str(HERE), "--job", job, "--systems", system, "--work", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{system} {job} failed: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    return json.loads(done.stdout.splitlines()[-1])


# The table


ROWS = (
    ("build", "build, CPU s (feeding terms taken off)"),
    ("peak", "build, peak memory GB"),
    ("open", "open + first query, CPU s"),
    ("open wall", "open + first query, wall s"),
    ("median", "query median, CPU ms"),
    ("p95", "query p95, CPU ms"),
    ("median wall", "query median, wall ms"),
    ("p95 wall", "query p95, wall ms"),
    ("memory", "searching, peak memory GB"),
)


def table(seen: dict[str, dict[str, list[float]]], base: str) -> str:
    others = [system for system in seen if system != base]
    lines = [
        f"| | {base} | " + " | ".join(f"{other} / {base}" for other in others) + " |",
        "|---" * (len(others) + 2) + "|",
    ]
    for key, title in ROWS:
        own = seen[base].get(key, [])
        cells = [spread(own)]
        for other in others:
            pairs = zip(seen[other].get(key, []), own, strict=False)
            cells.append(spread([theirs / ours for theirs, ours in pairs if ours]))
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def spread(values: list[float]) -> str:
    if not values:
        return "-"
    shown = [f"{v:.3g}" for v in (min(values), statistics.median(values), max(values))]
    return shown[1] if len(values) == 1 else f"{shown[1]} ({shown[0]}-{shown[2]})"


def machine() -> str:
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{os.cpu_count()} cores, {model}"


def versions() -> str:
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in ("numpy", "numba", "bm25s", "tantivy", "rank-bm25"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} absent")
    return ", ".join(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--work", type=Path, help="keep terms and indexes in this folder")
    parser.add_argument("--out", type=Path, help="default benchmarks/results/lexical-N.md")
    parser.add_argument("--job", choices=("build", "search"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        print(json.dumps(work(given.job, given.systems, given.work)))
        return
    chunks = 1_000_000 if given.million else given.chunks
    systems = given.systems.split(",")
    if chunks > 200_000 and "rank_bm25" in systems:
        systems.remove("rank_bm25")
    data = Path(os.environ.get("ANSWERABLE_DATA", HERE.parents[2] / "shared" / "data"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.work or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "queries.json").exists():
            write_terms(data, folder, chunks)
        seen: dict[str, dict[str, list[float]]] = {system: {} for system in systems}

        def note(system: str, result: dict[str, float]) -> None:
            for key, value in result.items():
                seen[system].setdefault(key, []).append(value)

        for _ in range(given.rounds):
            for system in systems:
                if system not in ("ours-numpy", "bm25s-numba", "rank_bm25"):
                    note(system, run("build", system, folder))
        if not any(system == "bm25s" for system in systems) and "bm25s-numba" in systems:
            note("bm25s-numba", run("build", "bm25s-numba", folder))
        for number in range(given.rounds):
            for system in systems:
                if number and system in FEW:
                    continue
                note(system, run("search", system, folder))
        asked = len(json.loads((folder / "queries.json").read_text()))
    shown = "1m" if chunks == 1_000_000 else f"{chunks // 1000}k"
    report = (
        f"# Lexical search, {chunks:,} chunks of about 100 words, top {K}\n\n"
        f"Machine: {machine()}. {versions()}.\n"
        f"{asked} questions (SciFact, NFCorpus; test) with Porter stems and without Lucene's stop "
        f"words, k1 {K1}, b {B}; rank_bm25 the first {FEW['rank_bm25']} in one round (its open "
        f"is its build). Median of {given.rounds} alternating rounds (lowest-highest); columns "
        f"after the first are ratios to it from the same round: above 1 means that the other "
        f"needs more. tantivy rounds lengths to a byte; bm25s fixes k1 and b when it builds.\n"
        f"Command: `python benchmarks/lexical.py{' --million' if given.million else ''}`\n\n"
        f"{table(seen, systems[0])}\n"
    )
    out = given.out or HERE.parent / "results" / f"lexical-{shown}.md"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(report)
    print(report)


if __name__ == "__main__":
    main()
