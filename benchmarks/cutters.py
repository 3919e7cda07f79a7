"""Cutting side by side: ours against LangChain and Chonkie on the same Markdown.

    python benchmarks/cutters.py [--docs DIR] [--tokenizer FILE] [--size 512] [--megabytes 8]

Prints MB per CPU-second (median and spread over alternating runs), the ratio to LangChain with
the same unit, the largest piece counted by the reference tokenizer, and what twelve cuttings of
one tokenisation cost against one. All arms get the same canonical text of one parsed document
made of all files; parsing is measured elsewhere, our sections and sentences are found on the clock.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import tokenizers
import tokie
from chonkie import RecursiveChunker, TokenChunker
from langchain_text_splitters import RecursiveCharacterTextSplitter

from answerable.adapters.models import wordpiece
from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.records.index import Piece
from answerable.text import ruler as rulers
from answerable.text.cutters import atoms
from answerable.text.cutters.headings import Headings
from answerable.text.cutters.recursive import Recursive
from answerable.text.cutters.sentences import Sentences
from answerable.text.cutters.tokens import Tokens
from answerable.text.parsers import markdown

Cut = Callable[[], list[str]]


def texts(root: Path, megabytes: float) -> list[str]:
    """The Markdown files in order of name, up to a total size."""
    found, total = [], 0
    for path in sorted(root.rglob("*.md")) + sorted(root.rglob("*.mdx")):
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        found.append(text)
        total += len(text.encode())
        if total > megabytes * 1e6:
            break
    return found


def ours(
    cutter: Callable[..., tuple[Piece, ...]], docs: Sequence[Document], ruler: rulers.Ruler
) -> Cut:
    def run() -> list[str]:
        return [
            doc.text[piece.span.start : piece.span.end]
            for doc in docs
            for piece in cutter(doc, ruler, lambda offset: "")
        ]

    return run


def seconds(cut: Cut, *, fresh: bool = True) -> tuple[float, list[str]]:
    if fresh:
        atoms.layout.forget()
    began = time.process_time()
    pieces = cut()
    return time.process_time() - began, pieces


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    data = Path(os.environ.get("ANSWERABLE_DATA", "../shared/data"))
    asked.add_argument("--docs", type=Path, default=data / "docs")
    asked.add_argument("--tokenizer", type=Path, default=wordpiece.VOCABULARY)
    asked.add_argument("--size", type=int, default=512)
    asked.add_argument("--megabytes", type=float, default=4)
    asked.add_argument("--runs", type=int, default=5)
    args = asked.parse_args()
    # Before the first tokenizer is made: threads would only blur the CPU time.
    os.environ["RAYON_NUM_THREADS"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"

    joined = "\n\n".join(texts(args.docs, args.megabytes))
    docs = [markdown.parse(RawDoc("bench.md", joined.encode()), NOTHING_KNOWN)]
    raw = [doc.text for doc in docs]
    size = sum(len(text.encode()) for text in raw) / 1e6
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{size:.1f} MB of Markdown as one text, {args.size} tokens or characters a piece\n")

    reference = tokenizers.Tokenizer.from_file(str(args.tokenizer))
    reference.no_truncation()
    reference.no_padding()
    fast = tokie.Tokenizer.from_json(str(args.tokenizer))
    piece = wordpiece.load(args.tokenizer)
    tokens = rulers.Tokens(piece.count, piece.spans, additive=True)

    def slow_count(text: str) -> int:
        return len(reference.encode(text, add_special_tokens=False).ids)

    def chain(length: Callable[[str], int]) -> Cut:
        splitter = RecursiveCharacterTextSplitter(
            chunk_size=args.size, chunk_overlap=0, length_function=length
        )
        return lambda: [found for text in raw for found in splitter.split_text(text)]

    def chonk(kind: type, given: object) -> Cut:
        chunker = kind(given, chunk_size=args.size)
        return lambda: [found.text for text in raw for found in chunker(text)]

    arms: dict[str, tuple[Cut, bool]] = {
        "ours tokens": (ours(Tokens(args.size), docs, tokens), True),
        "ours recursive": (ours(Recursive(args.size), docs, tokens), True),
        "ours sentences": (ours(Sentences(args.size), docs, tokens), True),
        "ours headings": (ours(Headings(args.size), docs, tokens), True),
        "langchain, tokenizers": (chain(slow_count), True),
        "langchain, tokie": (chain(fast.count_tokens), True),
        "chonkie recursive, tokenizers": (chonk(RecursiveChunker, reference), True),
        "chonkie token, tokenizers": (chonk(TokenChunker, reference), True),
        "ours recursive, characters": (
            ours(Recursive(args.size), docs, rulers.Characters()),
            False,
        ),
        "langchain, characters": (chain(len), False),
    }
    rates: dict[str, list[float]] = {name: [] for name in arms}
    largest: dict[str, int] = {}
    number: dict[str, int] = {}
    for _ in range(args.runs):
        for name, (cut, by_tokens) in arms.items():
            spent, pieces = seconds(cut)
            rates[name].append(size / spent)
            if name not in largest:
                number[name] = len(pieces)
                largest[name] = max((slow_count if by_tokens else len)(p) for p in pieces)
    print("| arm | MB per CPU-second | range | against LangChain | pieces | largest |")
    print("|---|---|---|---|---|---|")
    for name, (_, by_tokens) in arms.items():
        base = rates["langchain, tokenizers" if by_tokens else "langchain, characters"]
        ratios = [one / other for one, other in zip(rates[name], base, strict=True)]
        print(
            f"| {name} | {statistics.median(rates[name]):.2f} "
            f"| {min(rates[name]):.2f}-{max(rates[name]):.2f} "
            f"| {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}) "
            f"| {number[name]} | {largest[name]} |"
        )

    sizes = [args.size * step // 12 for step in range(1, 13)]
    for name, kind in (("tokens", Tokens), ("recursive", Recursive), ("headings", Headings)):
        one, _ = seconds(ours(kind(args.size), docs, rulers.Remembering(tokens)))
        shared = rulers.Remembering(tokens, 10**9)
        atoms.layout.forget()
        twelve = sum(seconds(ours(kind(each), docs, shared), fresh=False)[0] for each in sizes)
        print(f"\n{name}: 12 cuttings cost {twelve / one:.2f} times one", end="")
    print()


if __name__ == "__main__":
    main()
