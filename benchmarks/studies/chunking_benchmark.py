"""The public chunking benchmark (Smith & Troynikov 2024) with our cutters and the embedded model.

Run: python benchmarks/studies/chunking_benchmark.py [FOLDER] [--only TEXT ...] [--cache DIR]
     [--list FILE.csv]
Writes benchmarks/results/chunking-benchmark.md. Vectors are kept under --cache, so a run that was
interrupted goes on where it stopped; --only names arms by a part of their name.
"""

import argparse
import csv
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from printed import DATA, machine, signed, write

from answerable import config
from answerable.adapters.formats.beir import load
from answerable.adapters.shelf import Shelf
from answerable.flow.corpus import Corpus
from answerable.flow.search import search_many
from answerable.measure.match import Overlap, overlap
from answerable.measure.stats import mean, paired
from answerable.records.collection import Collection
from answerable.records.docs import Block, Document, Span
from answerable.records.index import Chunk, Filter
from answerable.records.recipe import Ask, CutRule, EmbedderRule, Ingest, Recipe, SearchRule
from answerable.wire.corpus import corpus_of

K = 5
BASE = "tokens 200"
"""The arm that the others are compared with."""


@dataclass(frozen=True)
class Arm:
    """One way of cutting, and how its pieces are embedded; `printed` names a published row."""

    name: str
    by: str
    size: int
    overlap: int = 0
    options: tuple[tuple[str, int], ...] = ()
    pooling: str = "piece"
    long: str = "windows"
    printed: str = ""

    @property
    def recipe(self) -> Recipe:
        rule = CutRule(self.by, self.size, "tokens", self.overlap, "none", options=self.options)
        embedder = EmbedderRule(pooling=self.pooling, long=self.long)
        return Recipe(
            Ingest(cut=(rule,), embedder=embedder),
            Ask(search=SearchRule(mode="dense", depth=K)),
        )


ARMS = (
    Arm(BASE, "tokens", 200, printed="Fixed 200 0"),
    Arm("recursive 200", "recursive", 200, printed="Recursive 200 0"),
    Arm("headings 200", "headings", 200),
    Arm("tokens 400", "tokens", 400, printed="Fixed 400 0"),
    Arm("recursive 400", "recursive", 400, printed="Recursive 400 0"),
    Arm("headings 400", "headings", 400),
    Arm("sentences 200", "sentences", 200),
    Arm("sentences 400", "sentences", 400),
    Arm("tokens 400, first window only", "tokens", 400, long="head", printed="Fixed 400 0"),
    Arm(
        "recursive 400, first window only",
        "recursive",
        400,
        long="head",
        printed="Recursive 400 0",
    ),
    Arm("tokens 400, overlap 200", "tokens", 400, 200, printed="Fixed 400 200"),
    Arm("recursive 400, overlap 200", "recursive", 400, 200, printed="Recursive 400 200"),
    Arm("hierarchical 100 in 200", "hierarchical", 100, options=(("parent", 200),)),
    Arm("hierarchical 200 in 400", "hierarchical", 200, options=(("parent", 400),)),
    Arm("recursive 200, late pooling", "recursive", 200, pooling="late"),
    Arm("recursive 400, late pooling", "recursive", 400, pooling="late"),
    Arm("semantic 400", "semantic", 400, printed="ClusterSemantic 400 0"),
    Arm("semantic 200", "semantic", 200, printed="ClusterSemantic 200 0"),
)

# Recall, precision, IoU (means) as the authors' notebook printed them for text-embedding-3-large:
# github.com/brandonstarxel/chunking_evaluation, notebook/Chroma_Research.ipynb at d4f8cef.
PRINTED = {
    "Recursive 200 0": (0.895857, 0.070978, 0.070706),
    "Fixed 200 0": (0.890414, 0.052784, 0.052563),
    "Recursive 400 0": (0.907787, 0.036391, 0.036366),
    "Fixed 400 0": (0.892321, 0.027101, 0.027071),
    "Recursive 400 200": (0.876947, 0.032982, 0.032967),
    "Fixed 400 200": (0.902341, 0.027303, 0.027268),
    "ClusterSemantic 200 0": (0.873478, 0.080195, 0.079679),
    "ClusterSemantic 400 0": (0.916413, 0.045203, 0.045060),
}

_PARAGRAPH = re.compile(r"\S.*?(?=\s*(?:\n[ \t]*\n|\Z))", re.S)
_WIKI_HEADING = re.compile(r"^ ((?:= )+)(\S.*?) (?:= ?)+$", re.M)


@dataclass(frozen=True)
class Measured:
    """What an arm gave: overlaps by question, pieces, word pieces of one."""

    arm: Arm
    found: Mapping[str, Overlap]
    pieces: int
    tokens: float


def blocks(text: str) -> Iterator[Block]:
    """Paragraphs at blank lines and WikiText's headings; no character is changed."""
    marks = list(_WIKI_HEADING.finditer(text))
    edges = [0, *(edge for mark in marks for edge in mark.span()), len(text)]
    for number, (start, end) in enumerate(pairwise(edges)):
        if number % 2:
            mark = marks[number // 2]
            level = min(6, mark[1].count("="))
            yield Block("heading", Span(start, end), Span(*mark.span(2)), level)
            continue
        for one in _PARAGRAPH.finditer(text, start, end):
            yield Block("paragraph", Span(*one.span()), Span(*one.span()))


def read(collection: Collection) -> list[Document]:
    return [
        replace(document, blocks=tuple(blocks(document.text)), language="en")
        for document in collection.documents
    ]


def measure(corpus: Corpus, collection: Collection, arm: Arm) -> Measured:
    finder = corpus.finder(arm.recipe)
    chunks = [c for document in corpus.documents for c in finder.snapshot.chunks_of(document.id)]
    uris = {document.id: document.uri for document in corpus.documents}
    names = list(collection.questions)
    rankings = search_many(list(collection.questions.values()), arm.recipe.ask, finder, Filter())
    found = {}
    for name, one in zip(names, rankings, strict=True):
        sent = [finder.snapshot.chunk(hit.chunk_id) for hit in one.final[:K]]
        places = [(uris[document], span) for document, span in dict.fromkeys(map(place, sent))]
        found[name] = overlap(collection.spans[name], places)
    return Measured(
        arm,
        found,
        len(chunks),
        sum(chunk.tokens for chunk in chunks) / len(chunks),
    )


def place(chunk: Chunk) -> tuple[str, Span]:
    """What is sent for a piece: itself, or the parent that it was cut from."""
    return chunk.document_id, chunk.parent or chunk.span


def column(measured: Measured, value: str) -> list[float]:
    return [getattr(found, value) or 0.0 for found in measured.found.values()]


def percent(measured: Measured, value: str) -> str:
    found = mean(column(measured, value), seed=0)
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def tables(all_measured: Sequence[Measured], collection: Collection) -> list[str]:
    base = next((m for m in all_measured if m.arm.name == BASE), None)
    out = [
        "| cut | pieces | word pieces each | recall % [95 %] | precision % | IoU % "
        "| printed for another embedder: recall, precision, IoU | recall against "
        f"{BASE} | IoU against {BASE} |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for one in all_measured:
        printed = PRINTED.get(one.arm.printed)
        beside = (
            f"{', '.join(f'{100 * figure:.1f}' for figure in printed)} ({one.arm.printed})"
            if printed
            else ""
        )
        moved = ["", ""]
        if base and one is not base:
            for at, value in enumerate(("recall", "iou")):
                found = paired(column(base, value), column(one, value), seed=0)
                moved[at] = (
                    f"{signed(found.delta, found.low, found.high)} "
                    f"{found.wins}/{found.ties}/{found.losses}"
                )
        out.append(
            f"| {one.arm.name} | {one.pieces:,} | {one.tokens:.0f} | {percent(one, 'recall')} "
            f"| {percent(one, 'precision')} | {percent(one, 'iou')} | {beside} | {moved[0]} "
            f"| {moved[1]} |"
        )
    return [*out, "", *by_corpus(all_measured, collection)]


def by_corpus(all_measured: Sequence[Measured], collection: Collection) -> list[str]:
    names = sorted({places[0][0] for places in collection.spans.values()})
    groups = {
        name: [q for q, places in collection.spans.items() if places[0][0] == name]
        for name in names
    }
    heads = " | ".join(f"{name} ({len(groups[name])})" for name in names)
    out = [
        "Recall / IoU in % by the corpus that a question is about (number of questions):",
        "",
        f"| cut | {heads} |",
        "|---" * (len(names) + 1) + "|",
    ]
    for one in all_measured:
        cells = []
        for name in names:
            own = [one.found[q] for q in groups[name]]
            recall = sum(found.recall or 0.0 for found in own) / len(own)
            iou = sum(found.iou or 0.0 for found in own) / len(own)
            cells.append(f"{100 * recall:.1f} / {100 * iou:.1f}")
        out.append(f"| {one.arm.name} | {' | '.join(cells)} |")
    return out


def listed(path: Path, all_measured: Sequence[Measured]) -> None:
    """Every question's figures by arm."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "cut", "recall", "precision", "iou"])
        for one in all_measured:
            for name, found in one.found.items():
                figures = (found.recall, found.precision, found.iou)
                rows.writerow([name, one.arm.name, *(f"{figure or 0.0:.6f}" for figure in figures)])


HEAD = (
    "# The public chunking benchmark",
    "",
    "Smith & Troynikov, Evaluating Chunking Strategies for Retrieval, 2024 "
    "(research.trychroma.com/evaluating-chunking): five texts searched together, 472 questions, "
    "790 marked excerpts. The five best pieces of dense search (all-MiniLM-L6-v2, int8, exact), no "
    "lead; recall, precision and IoU in characters, as the benchmark's code counts them: a "
    "character that was retrieved twice counts twice below precision and IoU. Means of questions, "
    "95 % bootstrap intervals; differences paired by question with wins/ties/losses; seed 0.",
    "",
    "**Not the same in both.** Our sizes are WordPiece tokens of the embedder, theirs cl100k "
    "tokens (tiktoken). The printed columns are the authors' notebook (text-embedding-3-large, a "
    "far larger model; ClusterSemantic is another method than our semantic cut). The report's "
    "figures for all-MiniLM-L6-v2: published figures not at hand, no source that could be read "
    "quotes them. A piece over the model's 254 word pieces has a vector per window, the best "
    "counts; `first window only` leaves its end unread, as the usual wrapper of this model does. "
    "Hierarchical: small pieces are found, their distinct parents are sent and measured. Late "
    "pooling: a piece's vector is the mean of its tokens' vectors, read with the text around "
    "them. The texts have no marked structure: blank lines divide paragraphs, ` = Title = ` lines "
    "of the WikiText file are headings; no character was changed.",
    "",
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, nargs="?", default=DATA / "chroma-chunking")
    options.add_argument("--only", nargs="*", default=[""], help="parts of names of arms")
    options.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "answerable-studies"
    )
    options.add_argument("--list", type=Path, help="a CSV file for every question's figures")
    given = options.parse_args()
    collection = load(given.folder)
    corpus = corpus_of(
        read(collection), config.plain_settings(Path.cwd()), Shelf(given.cache / "chunking.db")
    )
    done: list[Measured] = []
    for arm in ARMS:
        if not any(part in arm.name for part in given.only):
            continue
        done.append(measure(corpus, collection, arm))
        lines = tables(done, collection)
        print(lines[len(done) + 1], flush=True)
        write("chunking-benchmark", [*HEAD, machine()], [("All five texts", lines)])
        if given.list:
            listed(given.list, done)


if __name__ == "__main__":
    main()
