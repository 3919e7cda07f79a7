"""Hostile and real Markdown: deep nesting, huge lines, any mixture of marks, handbook pages."""

from __future__ import annotations

import os
import random
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.text.linklabels import label_plugin
from answerable.text.parsers.markdown import parse

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[4] / "shared" / "data"))


def page(source: str, uri: str = "a.md") -> Document:
    return parse(RawDoc(uri, source.encode(errors="surrogatepass")), NOTHING_KNOWN)


DEEP = {
    "quotes": "> " * 3000 + "word",
    "tight quotes": ">" * 3000 + "word",
    "dashes": "- " * 1500 + "word",
    "numbers": "1. " * 2000 + "word",
    "nested list": "\n".join("  " * n + "- word" for n in range(500)),
    "brackets": "[" * 30_000 + " word",
    "open images": "![" * 30_000 + " word",
    "open pairs": "[[a]" * 8000 + " word",
    "balanced brackets": "[" * 3000 + "word" + "]" * 3000,
    "images": "![" * 1000 + "word" + "](x)" * 1000,
    "footnotes": "[^a]: " * 2000 + "word",
    "tags": "<div>\n\n" * 1000 + "word",
    "tables": "<table>\n\n" * 500 + "word",
    "stars": "**a *b " * 5000 + "word",
    "ticks": "".join("`" * n + " " for n in range(1, 300)) + "word",
    "angles": "<a " * 20000 + "word",
    "yaml": "---\na: " + "[" * 5000 + "\n---\nword",
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("uri", ["a.md", "a.mdx"])
def test_deep_nesting_ends_soon_and_keeps_its_words(name, uri):
    begin = time.process_time()
    text = page(DEEP[name], uri).text
    assert "word" in text
    assert time.process_time() - begin < 10


def test_labels_end_where_the_library_says():
    """Any mixture of brackets and marks gives the tokens that markdown-it-py gives by itself."""

    def made() -> MarkdownIt:
        md = MarkdownIt("commonmark", {"maxNesting": 50}).enable("strikethrough")
        return md.use(footnote_plugin, inline=False, move_to_end=False)

    plain, ours = made(), made().use(label_plugin)
    draw = random.Random(4)
    for _ in range(1500):
        source = "".join(draw.choice(MARKS) for _ in range(draw.randint(1, 30)))
        source += draw.choice(("", "\n\n[a]: x\n\n[^1]: y\n"))
        assert ours.render(source) == plain.render(source), source


MARKS = ("[", "]", "(", ")", "!", "`", "``", "a", "\\", "<", ">", "*", "**", "\n", " ")
MARKS += ("[a]", "(b)", "[a](b)", "![a](b)", "[^1]", "]: x\n", "<b>")


@pytest.mark.parametrize(
    "source", ["<Foo a={", '<Foo a="', "export const a = {\n\n", "{/* ", '{ "', "<Foo>\n"]
)
def test_unclosed_mdx_ends_soon(source):
    begin = time.process_time()
    page("a " + source * 5000, "a.mdx")
    page(source * 2000, "a.mdx")
    assert time.process_time() - begin < 15


def test_one_line_of_ten_megabytes():
    begin = time.process_time()
    document = page("word " * 2_000_000)
    assert len(document.text) == 9_999_999
    page(f"![x](data:image/png;base64,{'A' * 10_000_000}) end")
    assert time.process_time() - begin < 15


def check(document: Document) -> None:
    """What holds for every document: spans in order and nested, all words in blocks."""
    end = 0
    covered: list[str] = []
    for index, block in enumerate(document.blocks):
        assert end <= block.span.start <= block.span.end <= len(document.text)
        assert document.text[end : block.span.start].strip() == ""
        assert block.span.holds(block.inner)
        assert -1 <= block.parent < index
        assert len(block.rows) == len(block.cells)
        assert len({len(row) for row in block.cells}) <= 1
        end = block.span.end
        covered.append(document.text[block.span.start : end])
    assert document.text[end:].strip() == ""
    for link in document.links:
        assert 0 <= link.span.start < link.span.end <= len(document.text)
        assert not link.target.startswith("data:")


PIECES = st.sampled_from(
    ["# h", "- i", "1. n", "> q", "```", "    c", "| a | b |", "|---|---|", "[l](u)", "![i](s)",
     "<b>", "</b>", "<table>", "<tr><td>x", "</table>", "<!--", "-->", "<Foo a={1}>", "</Foo>",
     "[^1]", "[^1]: n", ": d", ":::note", "!!! note", "***", "---", "`c`", "{x}", "{/*", "*/}",
     "import a from 'b'", "  ", "\t", "\n", "\n\n", " ", "w", "é", "\x0c", "&amp;", "\\", "<br>",
     "<p>", "<ul><li>z", "$", "[r]: /u", "[r]", "data:x;base64,AA"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_any_mixture_of_marks_gives_a_sound_document(source, mdx):
    check(page(source, "a.mdx" if mdx else "a.md"))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=("Cs",))))
def test_any_text_gives_a_sound_document(source):
    check(page(source))


@pytest.mark.data
def test_handbook_pages_are_sound_and_have_the_headings_of_markdown_it():
    if not DATA.is_dir():
        pytest.skip("no ANSWERABLE_DATA")
    files = sorted((DATA / "docs" / "civicactions-handbook").rglob("*.md"))[:200]
    reference = MarkdownIt("commonmark").enable("table")
    assert len(files) > 50
    compared = 0
    for file in files:
        source = file.read_text(encoding="utf-8")
        document = parse(RawDoc(str(file), file.read_bytes()), NOTHING_KNOWN)
        check(document)
        if source.startswith("---") or "<h" in source:
            continue
        tokens = reference.parse(source)
        expected = [
            (int(token.tag[1]), plain)
            for token, inline in pairwise(tokens)
            if token.type == "heading_open"
            and (plain := "".join(c.content for c in inline.children or () if c.type in
                                  ("text", "code_inline", "softbreak", "image")).strip())
        ]  # fmt: skip
        found = [
            (b.level, document.text[b.inner.start : b.inner.end])
            for b in document.blocks
            if b.kind == "heading"
        ]
        assert found == expected, file
        compared += len(found)
    assert compared > 300
