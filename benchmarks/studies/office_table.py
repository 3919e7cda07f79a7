"""Files as people have them: how much of their true text and tables each reader recovers.

Run: python benchmarks/studies/office_table.py [--docs FOLDER] [--markitdown PYTHON] [--only FORMAT]

FOLDER holds FORMAT/sources/FILE and FORMAT/groundtruth/FILE.md (docling's own test files by
default). PYTHON is an interpreter in whose environment markitdown is installed; without it only
our reading is measured. Scores are those of recovery.py. Writes benchmarks/results/office.md.
"""

import json
import subprocess
import sys
import time
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path

from printed import DATA, machine, write
from recovery import Recovery, Share, recover

from answerable.adapters.sources.media_types import settle
from answerable.errors import AnswerableError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.wire.table import load, parser_of

FORMATS = ("docx", "xlsx", "pptx", "html", "pdf", "epub", "csv", "md", "odf")
OURS, PEER = "Answerable", "markitdown"
SCRIPT = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
from markitdown import MarkItDown
reader = MarkItDown(enable_plugins=False)
for line in sys.stdin:
    begun = time.perf_counter()
    try:
        text = reader.convert(line.strip()).text_content
    except Exception:  # a file that the other reader refuses, whatever it raises
        text = None
    print(json.dumps({"text": text, "seconds": time.perf_counter() - begun}), flush=True)
"""
HEAD = """# Files as people have them

Text and tables recovered of docling's test files (docling-files, MIT), against the Markdown that
docling keeps as their truth. Words and cells are counted as multisets over all files of a format,
without marks; a file that a reader refuses counts with nothing recovered. Neighbours are pairs of
cells next to each other in a row or a column (ICDAR 2013). Order is the share of recovered words
that stand in the true order. These files were read while the parsers were written; none is held
out.

What the truth does by habit counts for neither reader: placeholders of pictures, escapes, LaTeX
commands around equations. Other habits remain and cost every reader that does otherwise. The files
below 0.95, read by hand:

- xlsx_01, xlsx_03_chartsheet, xlsx_04_inflated: the truth writes the charts of a workbook out as
  tables beside the cells that they are drawn from; we give a chart's title only.
- xlsx_comments, powerpoint_comments: the truth holds what reviewers remarked; we leave comments out
  and say how many.
- powerpoint_sample, odf_presentation_01 (precision): we read the speaker's notes.
- powerpoint_with_image, docx_grouped_images, test_emf_docx (precision): we read alt texts.
- wiki_duck: the truth holds the page's navigation, which we leave out; markitdown keeps it.
- markitdown reads no OpenDocument file.
- docx_rich_cells, text_document_03: the truth sets sub- and superscripts apart (`H 2 O`).
- odf_table_with_title_01, xlsx_05, xlsx_comments (cells): a lone value over a table is a paragraph
  here, a table of one cell there.
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """One file by one reader: what it recovered, its seconds; whether it was refused."""

    recovery: Recovery
    seconds: float
    refused: bool = False


def ours(path: Path) -> tuple[str, float, bool]:
    """The canonical text of a file, the seconds it took, whether it was refused."""
    body = path.read_bytes()
    begun = time.perf_counter()
    try:
        kind = settle(path.suffix.lower().removeprefix("."), body)
        parse = load("parser", parser_of(kind))
        text = parse(RawDoc(path.name, body, kind), NOTHING_KNOWN).text
    except AnswerableError as fault:
        print(f"  {path.name}: {fault}", file=sys.stderr)
        return "", time.perf_counter() - begun, True
    return text, time.perf_counter() - begun, False


def theirs(python: str, paths: list[Path]) -> list[tuple[str, float, bool]]:
    """The same by markitdown, all files in one process."""
    done = subprocess.run(
        [python, "-c", SCRIPT],
        input="\n".join(map(str, paths)) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    out = []
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            told = json.loads(line)
            out.append((told["text"] or "", told["seconds"], told["text"] is None))
    return out


def pairs(folder: Path, format: str) -> list[tuple[Path, Path]]:
    """Files of a format with their truth."""
    found = []
    for source in sorted((folder / format / "sources").iterdir()):
        if source.suffix == ".pdf" and format != "pdf":
            continue  # a print of another file of the set
        truth = folder / format / "groundtruth" / f"{source.name}.md"
        if not truth.is_file():
            truth = folder / format / "groundtruth" / f"{source.stem}.md"
        if truth.is_file():
            found.append((source, truth))
    return found


def total(shares: list[Share]) -> Share:
    """The sum of counts."""
    return sum(shares[1:], shares[0]) if shares else Share(0, 0, 0)


def figure(value: float | None) -> str:
    """A share with three digits, a dash where it cannot be measured."""
    return "-" if value is None else f"{value:.3f}"


def summed(format: str, reader: str, readings: list[Reading]) -> str:
    """One row of the table of formats."""
    words = total([reading.recovery.words for reading in readings])
    cells = total([reading.recovery.cells for reading in readings])
    near = total([reading.recovery.neighbours for reading in readings])
    ordered = sum(reading.recovery.in_order for reading in readings)
    order = ordered / words.shared if words.shared else None
    refused = sum(reading.refused for reading in readings)
    seconds = sum(reading.seconds for reading in readings)
    return (
        f"| {format} | {reader} | {len(readings)} | {refused} | {figure(words.recall)} "
        f"| {figure(words.precision)} | {figure(order)} | {figure(cells.recall)} "
        f"| {figure(cells.precision)} | {figure(near.recall)} | {seconds:.2f} |"
    )


def listed(name: str, found: dict[str, Reading]) -> str:
    """One row of the list of files."""
    parts = []
    for reading in found.values():
        recovery = reading.recovery
        parts += [
            figure(recovery.words.recall),
            figure(recovery.words.precision),
            figure(recovery.cells.recall),
            figure(recovery.neighbours.recall),
        ]
    return f"| {name} | " + " | ".join(parts) + " |"


def main() -> None:
    """Measure, print and write."""
    options = ArgumentParser()
    options.add_argument("--docs", type=Path, default=DATA / "docs" / "docling-files")
    options.add_argument("--markitdown", default="")
    options.add_argument("--only", action="append")
    given = options.parse_args()
    readers = [OURS] + ([PEER] if given.markitdown else [])
    table = [
        "| format | reader | files | refused | words recall | words precision | order "
        "| cells recall | cells precision | neighbours recall | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    columns = [
        f"{reader}: {what}"
        for reader in readers
        for what in ("words", "words precision", "cells", "neighbours")
    ]
    files = ["| file | " + " | ".join(columns) + " |", "|" + " --- |" * (len(columns) + 1)]
    for format in given.only or FORMATS:
        known = pairs(given.docs, format)
        texts = {OURS: [ours(source) for source, _ in known]}
        if given.markitdown:
            texts[PEER] = theirs(given.markitdown, [source for source, _ in known])
        readings: dict[str, list[Reading]] = {
            reader: [
                Reading(recover(truth.read_text(encoding="utf-8"), text), seconds, refused)
                for (_, truth), (text, seconds, refused) in zip(known, found, strict=True)
            ]
            for reader, found in texts.items()
        }
        for reader in readers:
            table.append(summed(format, reader, readings[reader]))
            print(table[-1], flush=True)
        for at, (source, _) in enumerate(known):
            row = {reader: readings[reader][at] for reader in readers}
            files.append(listed(f"{format}/{source.name}", row))
    sections = [("By format", table), ("By file (recall, except where precision is named)", files)]
    if given.only:
        print("\n".join(files))
    else:
        print(write("office", [HEAD.strip(), "", machine()], sections))


if __name__ == "__main__":
    main()
