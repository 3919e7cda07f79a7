"""Evaluating twelve cuttings against evaluating one, and against bm25s behind LangChain's splitter.

    python benchmarks/cut_once.py [--sets nfcorpus,covidqa] [--rounds 3] [--unit tokens]

Every arm reads the collection, cuts it, indexes it and ranks 100 pieces for each question. `One` is
a cutting by itself, from the file on, at another size in every round. `Twelve` is one corpus cut at
twelve sizes. LangChain and bm25s (which share nothing between sizes) run at every fourth size, and
their mean counts twelve times. CPU seconds of the process; only ratios of one run mean something.
Needs ANSWERABLE_DATA and the bench extras.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import bm25s
import Stemmer
import tokenizers
from langchain_text_splitters import RecursiveCharacterTextSplitter

from answerable.adapters.formats import beir
from answerable.adapters.models import wordpiece
from answerable.flow.search import search_many
from answerable.rank import analyze
from answerable.records.index import Filter
from answerable.records.recipe import CutRule, EmbedderRule, Ingest, Recipe, SearchRule
from answerable.text.cutters.atoms import layout
from answerable.text.outline import outline
from answerable.wire.corpus import open_corpus

SIZES = (32, 48, 64, 96, 128, 160, 192, 256, 320, 384, 448, 512)
"""Tokens; characters are five times as many."""
DEPTH = 100
K1, B = 0.9, 0.4


def recipe(by: str, size: int, unit: str) -> Recipe:
    rule = CutRule(by=by, size=size, unit=unit, lead="title")  # type: ignore[arg-type]
    ask = replace(Recipe().ask, search=SearchRule(mode="lexical", k1=K1, b=B, depth=DEPTH))
    return Recipe(Ingest(cut=(rule,), embedder=EmbedderRule(name="")), ask)


def ours(folder: Path, questions: Sequence[str], recipes: Sequence[Recipe]) -> dict[str, float]:
    """CPU seconds of reading, cutting with indexing, and searching, from nothing known."""
    analyze._lexicons.cache_clear()
    layout.forget()
    outline.forget()
    marks = [time.process_time()]
    corpus = open_corpus([folder])
    marks.append(time.process_time())
    cut = found = 0.0
    for each in recipes:
        began = time.process_time()
        corpus.trial(each)
        made = time.process_time()
        search_many(questions, each.ask, corpus.finder(each), Filter())
        cut += made - began
        found += time.process_time() - made
    return {"read": marks[1] - marks[0], "cut": cut, "search": found}


def theirs(
    folder: Path, questions: Sequence[str], size: int, length: Callable[[str], int]
) -> float:
    """CPU seconds of one size with LangChain's recursive splitter and bm25s."""
    began = time.process_time()
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, length_function=length
    )
    texts = []
    with (folder / "corpus.jsonl").open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            title = row.get("title", "")
            texts += [f"{title}\n{piece}" for piece in splitter.split_text(row["text"])]
    stemmer = Stemmer.Stemmer("english")
    index = bm25s.BM25(method="lucene", k1=K1, b=B)
    tokens = bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)
    index.index(tokens, show_progress=False)
    asked = bm25s.tokenize(list(questions), stopwords="en", stemmer=stemmer, show_progress=False)
    index.retrieve(asked, k=min(DEPTH, len(texts)), show_progress=False)
    return time.process_time() - began


def spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    data = Path(os.environ.get("ANSWERABLE_DATA", "../shared/data"))
    asked.add_argument("--data", type=Path, default=data)
    asked.add_argument("--sets", default="nfcorpus,covidqa")
    asked.add_argument("--rounds", type=int, default=3)
    args = asked.parse_args()
    os.environ["RAYON_NUM_THREADS"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    reference = tokenizers.Tokenizer.from_file(str(wordpiece.VOCABULARY))
    reference.no_truncation()
    reference.no_padding()

    def tokens(text: str) -> int:
        return len(reference.encode(text, add_special_tokens=False).ids)

    arms = (
        ("recursive, tokens", "recursive", "tokens", SIZES, tokens),
        ("recursive, characters", "recursive", "characters", [5 * size for size in SIZES], len),
        ("words", "words", "words", SIZES, None),
    )
    print("# Cut once: twelve cuttings against one\n")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.\n")
    print(
        "| set | cut | one: read / cut / search, s | twelve: read / cut / search, s "
        "| twelve / one | goal | twelve / one, without searching "
        "| bm25s + LangChain x 12, s | over our twelve | goal |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in args.sets.split(","):
        folder = args.data / name
        questions = list(beir.load(folder).questions.values())
        ours(folder, questions, [recipe("words", 200, "words")])  # imports and page cache
        for label, by, unit, sizes, length in arms:
            one, twelve, other = [], [], []
            for turn in range(args.rounds):
                single = sizes[(2 + 4 * turn) % 12]
                one.append(ours(folder, questions, [recipe(by, single, unit)]))
                twelve.append(ours(folder, questions, [recipe(by, s, unit) for s in sizes]))
                if length is not None:
                    other.append(12 * theirs(folder, questions, sizes[(1 + 4 * turn) % 12], length))
            alone = statistics.mean(sum(times.values()) for times in one)
            bare = statistics.mean(times["read"] + times["cut"] for times in one)
            whole = [sum(times.values()) for times in twelve]
            rebuilt = statistics.mean(other) if other else None
            cells = [
                name,
                label,
                " / ".join(f"{statistics.median(t[k] for t in one):.2f}" for k in one[0]),
                " / ".join(f"{statistics.median(t[k] for t in twelve):.2f}" for k in twelve[0]),
                spread([total / alone for total in whole]),
                "2.8",
                spread([(times["read"] + times["cut"]) / bare for times in twelve]),
                f"{rebuilt:.0f}" if rebuilt else "-",
                spread([rebuilt / total for total in whole]) if rebuilt else "-",
                "10",
            ]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
