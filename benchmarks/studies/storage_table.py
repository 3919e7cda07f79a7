"""Confluence pages in storage format read by us, against their counterparts: words and cells.

python benchmarks/studies/storage_table.py [--worst 5] [--write]

The counterparts are what Confluence itself rendered, Markdown from which the pages were made, or
which another tool made of them: none is our own. Each line is a sum over pages; below it stand the
pages where the smallest share of words was recovered. Needs ANSWERABLE_DATA.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lxml.html
from recovery import Recovery, Share, recover, words

from answerable.records.docs import EVERYONE, NOTHING_KNOWN, RawDoc
from answerable.text.parsers.storage import parse

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[2] / "../shared/data"))
RESULT = Path(__file__).parents[1] / "results" / "storage.md"
NOTE = """Where words are missing they are not in the page: diagrams whose source lies in an
attachment (plantuml, mermaid), parts that the tool was told to leave out, names of its own tags,
titles that it took from elsewhere. Words too many are names of macros without a body, file names of
pictures, the code of macros that a counterpart left out, and `Info:` before a panel. Tables that
the MDX writes as tags count as found and not true; against what Confluence rendered all are
there."""
_JSX = re.compile(r"</?[A-Za-z][^<>]*>")


@dataclass(frozen=True)
class Pair:
    """One page: where it lies, and the text that it should give as Markdown."""

    set: str
    page: Path
    truth: str


def markdown(path: Path) -> str:
    """A Markdown or MDX file without front matter, imports and tags."""
    text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text("utf-8"), flags=re.S)
    text = re.sub(r"^(?:import|export) .*$", "", text, flags=re.M)
    return _JSX.sub(" ", text)


def rendered(path: Path) -> str:
    """What Confluence rendered: its words, and its tables in pipes with every span filled in."""
    tree = lxml.html.fromstring(path.read_text("utf-8"))
    for one in tree.xpath("//script|//style"):
        one.drop_tree()
    for table in reversed(tree.xpath("//table[not(.//table)]")):
        table.addprevious(_piped(table))
        table.drop_tree()
    return "\n".join(tree.itertext())


def _piped(table: lxml.html.HtmlElement) -> lxml.html.HtmlElement:
    grid: dict[tuple[int, int], str] = {}
    rows = table.xpath(".//tr")
    for y, tr in enumerate(rows):
        x = 0
        for cell in tr.xpath("./td|./th"):
            while (y, x) in grid:
                x += 1
            text = " ".join(" ".join(cell.itertext()).replace("|", " ").split())
            high, wide = int(cell.get("rowspan") or 1), int(cell.get("colspan") or 1)
            for at in ((y + i, x + j) for i in range(high) for j in range(wide)):
                grid[at] = text
    width = 1 + max((x for _, x in grid), default=0)
    lines = [
        "| " + " | ".join(grid.get((y, x), "") for x in range(width)) + " |"
        for y in range(len(rows))
    ]
    new = lxml.html.Element("pre")
    new.text = "\n\n" + "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]]) + "\n\n"
    return new


def pairs(docs: Path) -> Iterator[Pair]:
    """Every page that has a counterpart."""
    for page in sorted((docs / "querypie-docs" / "confluence").glob("*/page.xhtml")):
        if (other := page.with_name("page.html")).exists():
            yield Pair("querypie, rendered by Confluence", page, rendered(other))
        if (other := page.with_name("expected.mdx")).exists():
            yield Pair("querypie, MDX", page, markdown(other))
    for page in sorted((docs / "confluence-jsonix" / "Jsonix").glob("*.xml")):
        if (other := page.with_suffix(".md")).exists():
            yield Pair("jsonix, Markdown", page, markdown(other))
    for page in sorted((docs / "confluence-md2conf" / "tests" / "target").rglob("*.xml")):
        other = docs / "confluence-md2conf" / "tests" / "source"
        other = other / page.relative_to(docs / "confluence-md2conf" / "tests" / "target")
        if (other := other.with_suffix(".md")).exists():
            yield Pair("md2conf, its Markdown source", page, markdown(other))
    for page in sorted((docs / "confluence-mark" / "testdata").glob("*.html")):
        if (other := page.with_suffix(".md")).exists():
            yield Pair("mark, its Markdown source", page, markdown(other))


def read(page: Path) -> str:
    """The canonical text that we make of a page."""
    raw = RawDoc(page.name, page.read_bytes(), "application/x-confluence-storage", access=EVERYONE)
    return parse(raw, NOTHING_KNOWN).text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worst", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table to results/")
    given = parser.parse_args()
    scores: dict[str, list[tuple[Path, Recovery]]] = {}
    for pair in pairs(DATA / "docs"):
        if not words(pair.truth):
            continue
        found = read(pair.page)
        scores.setdefault(pair.set, []).append((pair.page, recover(pair.truth, found)))
    lines = [
        "| pages | | words recovered | words that are right | in order | cells recovered | right |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, found_scores in scores.items():
        lines.append(row(name, [score for _, score in found_scores]))
    worst = []
    for name, found_scores in scores.items():
        ordered = sorted(found_scores, key=lambda pair: pair[1].words.recall or 0.0)
        for page, score in ordered[: given.worst]:
            place = page.relative_to(DATA / "docs")
            worst.append(
                f"| {name} | {place} | {share(score.words.recall)} of {score.words.true} |"
            )
    text = "\n".join(
        [*lines, "", "| set | worst pages | words recovered |", "|---|---|---|", *worst, ""]
    )
    print(text)
    if given.write:
        RESULT.write_text(f"# Storage format against its counterparts\n\n{NOTE}\n\n{text}", "utf-8")


def row(name: str, found: list[Recovery]) -> str:
    """One line of the table."""
    all_words = sum((one.words for one in found), Share(0, 0, 0))
    cells = sum((one.cells for one in found), Share(0, 0, 0))
    order = sum(one.in_order for one in found) / max(1, all_words.shared)
    return (
        f"| {name} | {len(found)} | {share(all_words.recall)} | {share(all_words.precision)} "
        f"| {share(order)} | {share(cells.recall)} of {cells.true} | {share(cells.precision)} |"
    )


def share(value: float | None) -> str:
    """A share in per cent, or a dash where there is nothing to share."""
    return "-" if value is None else f"{value:.1%}"


if __name__ == "__main__":
    main()
