"""HTML parsing beside BeautifulSoup with lxml: MB per CPU-second, five paired runs.

BeautifulSoup only joins the text; Answerable also finds the content and draws headings, lists,
tables and code with exact spans. Run: python benchmarks/parsers.py [FILE.html ...]
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bs4 import BeautifulSoup
from lxml import html as lxml_html
from selectolax.lexbor import LexborHTMLParser

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers import html

RUNS = 5


def answerable(body: bytes) -> object:
    return html.parse(RawDoc(uri="page.html", body=body), NOTHING_KNOWN)


def soup(body: bytes) -> object:
    return BeautifulSoup(body, "lxml").get_text()


def lxml_text(body: bytes) -> object:
    return lxml_html.fromstring(body.decode("utf-8", "replace")).text_content()


def selectolax_text(body: bytes) -> object:
    return LexborHTMLParser(body).text()


PARSERS: dict[str, Callable[[bytes], object]] = {
    "BeautifulSoup(lxml).get_text": soup,
    "lxml.html text_content": lxml_text,
    "selectolax text": selectolax_text,
    "answerable parse": answerable,
}


def seconds(parse: Callable[[bytes], object], bodies: Sequence[bytes]) -> float:
    start = time.process_time()
    for body in bodies:
        parse(body)
    return time.process_time() - start


def main(paths: Sequence[str]) -> None:
    data = Path(os.environ.get("ANSWERABLE_DATA", "../shared/data")) / "docs"
    files = [Path(path) for path in paths] or sorted(
        [*data.glob("docling-files/**/*.html"), *data.glob("querypie-docs/**/page.html")]
    )
    bodies = [path.read_bytes() for path in files]
    size = sum(map(len, bodies)) / 1e6
    for parse in PARSERS.values():
        seconds(parse, bodies)
    taken = [{name: seconds(parse, bodies) for name, parse in PARSERS.items()} for _ in range(RUNS)]
    base = next(iter(PARSERS))
    print(f"{len(bodies)} pages, {size:.2f} MB, {RUNS} paired runs\n")
    print("| parser | MB per CPU-second | times BeautifulSoup: median (range) |")
    print("|---|---|---|")
    for name in PARSERS:
        ratios = [run[base] / run[name] for run in taken]
        rate = statistics.median(size / run[name] for run in taken)
        print(
            f"| {name} | {rate:.2f} | {statistics.median(ratios):.1f} "
            f"({min(ratios):.1f}-{max(ratios):.1f}) |"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
