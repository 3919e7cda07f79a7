"""Dense search beside faiss and hnswlib on the same vectors: time, recall, build.

python benchmarks/dense.py [--rows 100000] [--questions 100] [--vectors FILE.npy] [--hnsw]

One thread each. Without --vectors the rows are drawn around 2,000 centres in 384 dimensions with
falling spread, so that neighbours exist; with it they are read from a file of float32 unit rows
and the questions are taken from its end. Systems alternate question by question, so each finds
the caches as the others left them; recall@10 is against exact cosines. CPU milliseconds of the
thread are given first, because a busy machine disturbs them least.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import faiss
import numpy as np

from answerable.rank import dense

K = 10
WIDTH = 384


def drawn(rows: int, questions: int) -> np.ndarray:
    draw = np.random.default_rng(7)
    spread = 1 / np.sqrt(np.arange(1, WIDTH + 1))
    centres = draw.standard_normal((2_000, WIDTH)) * spread
    turn = np.linalg.qr(draw.standard_normal((WIDTH, WIDTH)))[0].astype(np.float32)
    made = np.empty((rows + questions, WIDTH), dtype=np.float32)
    for start in range(0, len(made), 50_000):
        part = made[start : start + 50_000]
        near = centres[draw.integers(0, len(centres), len(part))]
        part[:] = (near + 0.8 * draw.standard_normal(part.shape) * spread).astype(np.float32) @ turn
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return made


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--vectors")
    parser.add_argument("--hnsw", action="store_true", help="also faiss HNSW16 and hnswlib (slow)")
    given = parser.parse_args()
    made = np.load(given.vectors) if given.vectors else drawn(given.rows, given.questions)
    vectors, asked = made[: -given.questions], made[-given.questions :]
    rows = len(vectors)
    faiss.omp_set_num_threads(1)
    builds: dict[str, float] = {}
    systems: dict[str, Callable[[np.ndarray], list[int]]] = {}

    start = time.process_time()
    segment = dense.build(vectors, np.arange(rows))
    builds["ours"] = time.process_time() - start
    live = [np.ones(rows, dtype=bool)]
    allow = [np.random.default_rng(3).random(rows) < 0.01]
    kept = np.flatnonzero(allow[0])
    systems["ours"] = lambda q: [o for _, o, _ in dense.search([segment], live, q, K)]
    systems["ours, 1 % filter"] = lambda q: [
        o for _, o, _ in dense.search([segment], live, q, K, allow)
    ]
    systems["numpy float32"] = lambda q: np.argpartition(-(vectors @ q), K)[:K].tolist()

    start = time.process_time()
    flat = faiss.IndexScalarQuantizer(
        WIDTH, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    flat.train(vectors[:50_000])
    flat.add(vectors)
    builds["faiss flat int8"] = time.process_time() - start
    systems["faiss flat int8"] = lambda q: flat.search(q[None], K)[1][0].tolist()
    only = faiss.SearchParameters(sel=faiss.IDSelectorBatch(kept))
    systems["faiss flat int8, 1 % filter"] = lambda q: flat.search(q[None], K, params=only)[1][
        0
    ].tolist()
    if given.hnsw:
        _graphs(vectors, builds, systems)

    truth = [np.argsort(-(vectors @ q), kind="stable")[:K] for q in asked]
    truth_kept = [kept[np.argsort(-(vectors[kept] @ q), kind="stable")[:K]] for q in asked]
    times: dict[str, list[float]] = {name: [] for name in systems}
    walls: dict[str, list[float]] = {name: [] for name in systems}
    hits = dict.fromkeys(systems, 0)
    for number, question in enumerate(asked):
        for name, run in systems.items():
            start, cpu = time.perf_counter(), time.thread_time()
            found = run(question)
            times[name].append((time.thread_time() - cpu) * 1e3)
            walls[name].append((time.perf_counter() - start) * 1e3)
            right = truth_kept[number] if "filter" in name else truth[number]
            hits[name] += len(set(found) & set(right.tolist()))
    print(f"{rows} rows, {WIDTH} dimensions, {len(asked)} questions, top {K}, one thread\n")
    print("| system | CPU ms, median | p95 | wall ms, median | to ours | recall@10 | build CPU s |")
    print("|---|---|---|---|---|---|---|")
    for name, seen in times.items():
        recall = hits[name] / (K * len(asked))
        p95 = float(np.quantile(seen, 0.95))
        print(
            f"| {name} | {statistics.median(seen):.2f} | {p95:.2f} "
            f"| {statistics.median(walls[name]):.2f} "
            f"| {statistics.median(seen) / statistics.median(times['ours']):.2f} | {recall:.4f} "
            f"| {f'{builds[name]:.1f}' if name in builds else '-'} |"
        )


def _graphs(
    vectors: np.ndarray,
    builds: dict[str, float],
    systems: dict[str, Callable[[np.ndarray], list[int]]],
) -> None:
    start = time.process_time()
    graph = faiss.IndexHNSWFlat(WIDTH, 16, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efSearch = 128
    graph.add(vectors)
    builds["faiss HNSW16"] = time.process_time() - start
    systems["faiss HNSW16"] = lambda q: graph.search(q[None], K)[1][0].tolist()
    try:
        import hnswlib
    except ImportError:
        print("hnswlib is not installed: left out\n")
        return
    start = time.process_time()
    index = hnswlib.Index(space="ip", dim=WIDTH)
    index.init_index(max_elements=len(vectors), M=16, ef_construction=200)
    index.set_num_threads(1)
    index.add_items(vectors, num_threads=1)
    index.set_ef(128)
    builds["hnswlib"] = time.process_time() - start
    systems["hnswlib"] = lambda q: index.knn_query(q[None], k=K)[0][0].tolist()


if __name__ == "__main__":
    main()
