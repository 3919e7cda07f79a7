"""GIVE cases C03, D01, D02, D04 (cutting), D06 and E06 (cutting)."""

import json
import re
import time
from pathlib import Path

import numpy as np
import pytest

from answerable.adapters.models import wordpiece
from answerable.errors import ConfigError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.records.recipe import CutRule
from answerable.text import ruler as rulers
from answerable.text.canonical import Canvas
from answerable.text.cut import cut, searched
from answerable.text.cutters.headings import Headings
from answerable.text.cutters.hierarchical import Hierarchical
from answerable.text.cutters.pages import Pages
from answerable.text.cutters.paragraphs import Paragraphs
from answerable.text.cutters.recursive import Recursive
from answerable.text.cutters.semantic import Semantic
from answerable.text.cutters.sentences import Sentences
from answerable.text.cutters.tokens import Tokens
from answerable.text.cutters.words import Words
from answerable.text.outline import outline
from answerable.text.parsers import markdown


def shared_words(before, after):
    """Jaccard overlap of words: a similarity without a model."""
    pairs = [(set(a.split()), set(b.split())) for a, b in zip(before, after, strict=True)]
    return [len(a & b) / max(len(a | b), 1) for a, b in pairs]


CASES = Path(__file__).parents[1] / "fixtures" / "cases"
CUTTERS = {
    "words": Words,
    "tokens": Tokens,
    "recursive": Recursive,
    "sentences": Sentences,
    "paragraphs": Paragraphs,
    "headings": Headings,
    "pages": Pages,
    "semantic": lambda size, overlap=0: Semantic(shared_words, size, overlap, percentile=60),
    "hierarchical": lambda size, overlap=0: Hierarchical(size, overlap, parent=max(3 * size, 1)),
}
WINDOWS = ("words", "tokens")


def case(name):
    for line in (CASES / "cases.jsonl").read_text("utf-8").splitlines():
        found = json.loads(line)
        if found["id"] == name:
            return found["input"]["inline"]
    raise LookupError(name)


def read(name):
    return markdown.parse(RawDoc(name, (CASES / name).read_bytes()), NOTHING_KNOWN)


def running(text):
    canvas = Canvas()
    canvas.paragraph(text)
    return canvas.finish(RawDoc("a.txt", b""), "plain", "a")


def bert():
    tokens = wordpiece.load()
    return rulers.Tokens(tokens.count, tokens.spans, additive=True)


def utf8():
    """A byte-level tokenizer: every byte of UTF-8 is a token."""

    def spans(text):
        found = [(at, at + 1) for at, char in enumerate(text) for _ in char.encode()]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    return rulers.Tokens(lambda text: len(text.encode()), spans)


def chunks(document, by, size, unit, ruler, overlap=0, lead="title+headings"):
    return cut(
        document,
        [CutRule(by=by, size=size, unit=unit, overlap=overlap, lead=lead)],
        lambda rule: CUTTERS[rule.by](rule.size, rule.overlap),
        {unit: ruler, "words": rulers.Words()},
    )


def test_c03_heading_paths():
    document = read("C03_levels.md")
    found = outline(document)
    paths = [
        (list(found.path_at(block.span.start)), document.text[block.span.start : block.span.end])
        for block in document.blocks
        if block.kind == "paragraph"
    ]
    assert paths == [
        ([], "Preamble sentence that belongs to no section."),
        (["Manual"], "Alpha text."),
        (["Manual", "Odd detail"], "Bravo text."),
        (["Manual", "Setup"], "Charlie text."),
        (["Manual", "Setup", "Deep"], "Delta text."),
        (["Annex"], "Echo text."),
    ]


@pytest.mark.parametrize("by", CUTTERS)
def test_d01_windows_move_on(by):
    given = case("D01")
    document = running(given["text"])
    length = len(document.text.rstrip())
    for size, overlap in given["pairs"]:
        limitless = size == overlap == 0 and by in ("paragraphs", "headings", "pages")
        if not 0 <= overlap < size and not limitless:
            with pytest.raises(ConfigError, match=f"{size}.*{overlap}"):
                chunks(document, by, size, "characters", rulers.Characters(), overlap, "none")
            continue
        begun = time.monotonic()
        found = chunks(document, by, size, "characters", rulers.Characters(), overlap, "none")
        assert time.monotonic() - begun < 1
        starts = [chunk.span.start for chunk in found]
        assert starts == sorted(set(starts))
        assert len(found) <= 200
        assert [chunk.span.end for chunk in found].count(length) == 1
        assert found[-1].span.end == length
        if size:
            assert all(len(chunk.span) <= 50 for chunk in found)


@pytest.mark.parametrize("unit", ["words", "tokens"])
@pytest.mark.parametrize("by", [name for name in CUTTERS if name not in WINDOWS])
def test_d02_table_rows_whole_under_their_header(by, unit):
    document = read("D02_long_table.md")
    ruler = rulers.Words() if unit == "words" else bert()
    found = [c for c in chunks(document, by, 120, unit, ruler) if "| PX-" in searched(c, document)]
    assert len(found) > 1
    rows = []
    for chunk in found:
        text = searched(chunk, document)
        assert ruler.count(text) <= 120
        lines = text.split("\n")
        assert "Stock list" in lines[0]
        table = [line for line in lines if line.startswith("|")]
        assert table[0] == "| Part | Stock | Bin | Note |"
        shown = [line for line in table if line.startswith("| PX-")]
        assert all(
            re.fullmatch(r"\| PX-\d{3} \| [\d,]+ \| [A-F]\d\d \| .* \|", row) for row in shown
        )
        rows += [row[2:8] for row in shown]
    assert rows == [f"PX-{number:03}" for number in range(1, 25)]


@pytest.mark.parametrize("by", [name for name in CUTTERS if name != "words"])
def test_d04_blobs_stay_within_the_limit(by):
    document = read("D04_blobs.md")
    ruler = bert()
    begun = time.monotonic()
    found = chunks(document, by, 200, "tokens", ruler)
    assert time.monotonic() - begun < 10
    texts = [searched(chunk, document) for chunk in found]
    assert all(ruler.count(text) <= 200 for text in texts)
    assert [chunk.tokens for chunk in found] == [ruler.count(text) for text in texts]
    everything = "\n".join(texts)
    for words in ("Red valve photo", "Before the blob.", "After the blob.", '"k0"', '"k259"'):
        assert words in everything
    for payload in ("6uq2ULXCp3gJVlxzfGWdleZ5Ekty", "xUygrL+o5H4zTejGSB7kAK22PEn79"):
        assert payload not in everything
    assert sum(text.count("x") for text in texts) >= 6000


@pytest.mark.parametrize("by", CUTTERS)
def test_d06_nothing_is_lost_between_pieces(by):
    given = case("D06")
    for number, text in enumerate(given["texts"]):
        document = running(text)
        found = chunks(document, by, 150, "characters", rulers.Characters(), 0, "none")
        covered = 0
        for chunk in found:
            assert not document.text[covered : chunk.span.start].strip()
            assert len(chunk.span) <= 150
            covered = chunk.span.end
        assert not document.text[covered:].strip()
        joined = "".join(document.text[c.span.start : c.span.end] for c in found)
        if number == 0:
            assert "B" * 100 in joined
            assert joined == text
        else:
            for chunk in found:
                for edge in (chunk.span.start, chunk.span.end):
                    around = document.text[max(0, edge - 1) : edge + 1]
                    assert len(around) < 2 or not around.isalnum()
            assert joined.count("。") == text.count("。")


@pytest.mark.parametrize("by", CUTTERS)
@pytest.mark.parametrize("size", [7, 30])
def test_e06_characters_are_never_cut_in_two(by, size):
    text = case("E06")["text"]
    document = running(text)
    found = chunks(document, by, size, "tokens", utf8(), 2, "none")
    shown = [document.text[chunk.span.start : chunk.span.end] for chunk in found]
    assert "\ufffd" not in "".join(shown)
    covered = 0
    for chunk in found:
        assert not document.text[covered : chunk.span.start].strip()
        covered = max(covered, chunk.span.end)
    assert covered == len(text.rstrip())
    assert all(len(piece.encode()) <= size for piece in shown)
    if size == 30:  # every cluster has at most 25 bytes: none may be cut
        family, fire = "👨‍👩‍👧‍👦", "🧑‍🚒"
        for piece in shown:
            rest = piece.replace(family, "").replace(fire, "")
            assert "\u200d" not in rest, piece
