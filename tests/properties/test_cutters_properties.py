"""Laws that every cutter keeps on every text: cover, order, limit, progress, whole characters."""

import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from answerable.records.docs import Document, RawDoc
from answerable.records.index import Piece
from answerable.text import ruler as rulers
from answerable.text.canonical import Canvas
from answerable.text.cutters.headings import Headings
from answerable.text.cutters.hierarchical import Hierarchical
from answerable.text.cutters.pages import Pages
from answerable.text.cutters.paragraphs import Paragraphs
from answerable.text.cutters.recursive import Recursive
from answerable.text.cutters.semantic import Semantic
from answerable.text.cutters.sentences import Sentences
from answerable.text.cutters.tokens import Tokens
from answerable.text.cutters.whole import Whole
from answerable.text.cutters.words import Words
from answerable.text.dress import Leads
from answerable.text.outline import outline

QUICK = settings(
    deadline=None,
    report_multiple_bugs=False,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


def shared_words(before, after):
    """Jaccard overlap of words: a similarity without a model."""
    pairs = [
        (set(one.split()), set(other.split())) for one, other in zip(before, after, strict=True)
    ]
    return [len(a & b) / max(len(a | b), 1) for a, b in pairs]


CUTTERS: dict[str, Callable[..., Callable[..., tuple[Piece, ...]]]] = {
    "words": lambda size, overlap: Words(size, overlap, count_lead=True),
    "tokens": Tokens,
    "recursive": Recursive,
    "sentences": Sentences,
    "paragraphs": Paragraphs,
    "headings": Headings,
    "merging": lambda size, overlap: Headings(size, overlap, merge_under=size // 2),
    "pages": Pages,
    "semantic": lambda size, overlap: Semantic(shared_words, size, overlap, percentile=60),
    "hierarchical": lambda size, overlap: Hierarchical(size, overlap, parent=size * 3 + 1),
}


def four_letter_spans(text: str) -> np.ndarray:
    """A token is up to four characters of one word: additive over white space, as WordPiece is."""
    found = [
        (begin, min(begin + 4, word.end()))
        for word in re.finditer(r"\S+", text)
        for begin in range(word.start(), word.end(), 4)
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def utf8_spans(text: str) -> np.ndarray:
    """A token is a byte of UTF-8: several share one character, and white space counts."""
    found = [
        (place, place + 1)
        for place, char in enumerate(text)
        for _ in char.encode("utf-8", "surrogatepass")
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def three_letter_spans(text: str) -> np.ndarray:
    """A token is three characters counted from the beginning of the string, spaces too."""
    starts = np.arange(0, len(text), 3, dtype=np.int64)
    return np.column_stack((starts, np.minimum(starts + 3, len(text))))


RULERS: dict[str, rulers.Ruler] = {
    "words": rulers.Words(),
    "characters": rulers.Characters(),
    "four letters": rulers.Tokens(
        lambda text: len(four_letter_spans(text)), four_letter_spans, additive=True
    ),
    "bytes": rulers.Tokens(lambda text: len(utf8_spans(text)), utf8_spans),
    "three letters": rulers.Tokens(lambda text: len(three_letter_spans(text)), three_letter_spans),
}

HOSTILE = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=" \t\n\u00a0\u3000\f\v", max_size=12),
    st.sampled_from(
        [
            "x" * 700,
            "data:image/png;base64," + "QUJD" * 90,
            "\u200b" * 30 + "zero\u200bwidth\ufeff words",
            "👨‍👩‍👧‍👦🧑‍🚒🇩🇪👍🏽" * 9,
            "e\u0301" * 80,
            "مرحبا بالعالم. \u202eשלום עולם\u202c!",
            "日本語の文章です。とても長い文が続きます。" * 9,
            "A. B. C. z. B. 3.14 ... ?! No. 5. etc. The end.",
            "One sentence. Another one follows! A third? " * 12,
            "```\nnever closed",
            "| a | b",
            "\\|" * 40,
            "# not a heading",
            "a\n\n\n\nb",
        ]
    ),
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    canvas = Canvas()
    last_item = -1
    for number in range(draw(st.integers(0, 9))):
        kind = draw(st.sampled_from("hhpppictqgb"))
        words = draw(HOSTILE)
        if kind == "h":
            canvas.heading(draw(st.integers(1, 6)), words)
        elif kind == "p":
            canvas.paragraph(words, parent=draw(st.sampled_from([-1, last_item])))
        elif kind == "i":
            last_item = canvas.item(draw(st.integers(1, 3)), "-", words)
        elif kind == "c":
            canvas.code(
                draw(st.one_of(st.just(words), st.just("    a = 1\n\n  b\n" * 30))),
                lang=draw(st.sampled_from(["", "python"])),
                parent=last_item,
            )
        elif kind == "t":
            cells = st.lists(st.one_of(HOSTILE, st.just("12,5")), min_size=1, max_size=4)
            rows = draw(st.lists(cells, max_size=12))
            canvas.table(rows, header=draw(st.integers(0, min(2, len(rows)))), parent=last_item)
        elif kind == "q":
            canvas.quote(words)
        elif kind == "g":
            canvas.figure(words)
        else:
            canvas.page_break(number + 1)
    return canvas.finish(RawDoc("a/b.md", b""), "markdown", draw(st.sampled_from(["", "T " * 30])))


def plain_lead(offset: int) -> str:
    return ""


def broken_laws(
    document: Document,
    pieces: tuple[Piece, ...],
    ruler: rulers.Ruler,
    lead_at: Callable[[int], str],
    size: int,
    overlap: int,
) -> list[str]:
    text, faults, covered = document.text, [], 0
    for before, piece in zip([None, *pieces], pieces, strict=False):
        start, end = piece.span.start, piece.span.end
        shown = text[start:end]
        if not (0 <= start < end <= len(text)) or not shown.strip():
            faults.append(f"{piece} is empty or outside")
        if before is not None and (start <= before.span.start or end <= before.span.end):
            faults.append(f"{piece} does not move on from {before}")
        if start < covered and not overlap:
            faults.append(f"{piece} overlaps")
        if overlap and start < covered and ruler.count(text[start:covered].strip()) > overlap + 1:
            faults.append(f"{piece} overlaps by more than {overlap}")
        if text[covered:start].strip():
            faults.append(f"lost {text[covered:start]!r}")
        covered = max(covered, end)
        lead = "\n".join(filter(None, (lead_at(start), piece.lead)))
        count = ruler.count(f"{lead}\n{shown}" if lead else shown)
        if count > size and "leaves no room" not in piece.over:
            faults.append(f"{piece} has {count} of {size}")
        if "leaves no room" in piece.over and end - start > 1:
            faults.append(f"{piece} could be shorter")
    if text[covered:].strip():
        faults.append(f"lost the end {text[covered:]!r}")
    return faults


@pytest.mark.parametrize("name", CUTTERS)
@settings(QUICK, max_examples=25)
@given(data=st.data())
def test_every_cutter_covers_orders_and_keeps_the_limit(name, data):
    document = data.draw(documents())
    size = data.draw(st.sampled_from([1, 3, 25, 50, 100, 200, 400]))
    overlap = data.draw(st.sampled_from([0, size // 5, size - 1]))
    ruler = RULERS[data.draw(st.sampled_from(sorted(RULERS)))]
    how = data.draw(st.sampled_from(["none", "title", "title+headings"]))
    leads = Leads(document, outline(document), how, ruler, size // 2)
    pieces = CUTTERS[name](size, overlap)(document, ruler, leads)
    assert broken_laws(document, pieces, ruler, leads, size, overlap) == []
    assert pieces == CUTTERS[name](size, overlap)(document, ruler, leads)


@pytest.mark.parametrize("name", CUTTERS)
@settings(QUICK, max_examples=10)
@given(data=st.data())
def test_a_lead_over_the_limit_is_said_and_ends(name, data):
    document = data.draw(documents())
    ruler = RULERS[data.draw(st.sampled_from(sorted(RULERS)))]
    lead = "far too long a lead for any piece " * 4
    pieces = CUTTERS[name](5, 2)(document, ruler, lambda offset: lead)
    assert broken_laws(document, pieces, ruler, lambda offset: lead, 5, 2) == []


@settings(QUICK, max_examples=20)
@given(documents(), st.sampled_from([5, 20, 60]))
def test_every_small_piece_lies_inside_its_parent_and_parents_do_not_overlap(document, size):
    ruler = rulers.Words()
    pieces = Hierarchical(size, 0, parent=size * 4)(document, ruler, plain_lead)
    parents = sorted({piece.parent for piece in pieces})
    for piece in pieces:
        assert piece.parent.start <= piece.span.start < piece.span.end <= piece.parent.end
    for one, other in itertools.pairwise(parents):
        assert one.end <= other.start
    for parent in parents:
        assert ruler.count(document.text[parent.start : parent.end]) <= size * 4


@settings(QUICK, max_examples=20)
@given(documents())
def test_whole_is_everything_once(document):
    pieces = Whole()(document, rulers.Words(), plain_lead)
    joined = "".join(document.text[p.span.start : p.span.end] for p in pieces)
    assert joined == document.text.strip()


@settings(QUICK, max_examples=20)
@given(documents(), st.sampled_from([60, 120]))
def test_no_cluster_is_cut_that_fits(document, size):
    ruler = RULERS["bytes"]
    ends = {0} | {found.end() for found in regex.finditer(r"\X", document.text)}
    longest = max(
        (
            len(found[0].encode("utf-8", "surrogatepass"))
            for found in regex.finditer(r"\X", document.text)
        ),
        default=0,
    )
    if longest > size:
        return
    for piece in Tokens(size)(document, ruler, plain_lead):
        for offset in (piece.span.start, piece.span.end):
            around = document.text[max(0, offset - 1) : offset + 1]
            assert offset in ends or re.search(r"\s", around), (piece, around)


def real_documents() -> list[Path]:
    root = Path(os.environ.get("ANSWERABLE_DATA", "../shared/data")) / "docs"
    files = sorted(path for path in root.rglob("*") if path.suffix in (".md", ".mdx", ".html"))
    return files[:: max(1, len(files) // 150)]


def crudely_read(path: Path) -> Document:
    """Headings, fences, tables and paragraphs by the first character of blank-line blocks."""
    canvas = Canvas()
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    for part in re.split(r"\n\s*\n", text):
        lines = part.strip("\n").split("\n")
        if heading := re.fullmatch(r"(#{1,6}) (.*)", lines[0]):
            canvas.heading(len(heading[1]), heading[2])
            lines = lines[1:]
        if not "".join(lines).strip():
            continue
        if lines[0].startswith("```"):
            canvas.code("\n".join(lines[1:]).rstrip("`\n"), lines[0].strip("` "))
        elif all(line.startswith("|") for line in lines):
            rows = [
                line.strip("| ").split("|") for line in lines if not re.match(r"\|[\s:-]+\|", line)
            ]
            canvas.table(rows, header=min(1, len(rows)))
        elif all(re.match(r"\s*[-*] ", line) for line in lines):
            for line in lines:
                canvas.item(1 + (len(line) - len(line.lstrip())) // 2, "-", line.strip()[2:])
        else:
            canvas.paragraph("\n".join(lines))
    return canvas.finish(RawDoc(path.name, b""), "markdown", "")


@pytest.mark.data
@pytest.mark.parametrize("unit", ["words", "four letters"])
def test_real_documents_keep_the_laws(unit):
    files = real_documents()
    assert len(files) > 100
    ruler = rulers.Remembering(RULERS[unit])
    for number, path in enumerate(files):
        document = crudely_read(path)
        size = (25, 50, 100, 200, 400)[number % 5]
        lead_at = Leads(document, outline(document), "title+headings", ruler, size // 2)
        for overlap in (0, size // 5):
            for name, make in CUTTERS.items():
                pieces = make(size, overlap)(document, ruler, lead_at)
                faults = broken_laws(document, pieces, ruler, lead_at, size, overlap)
                assert faults == [], (path, name, size, overlap)
