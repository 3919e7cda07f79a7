"""Broken-input cases C01, C03, D04, D08 and E04: what parsing must make of the files."""

from __future__ import annotations

from pathlib import Path

from answerable.records.docs import EVERYONE, NOTHING_KNOWN, Document, RawDoc
from answerable.text.outline import outline
from answerable.text.parsers.markdown import parse

CASES = Path(__file__).parent.parent / "fixtures" / "cases"


def read(name: str) -> Document:
    body = (CASES / name).read_bytes()
    return parse(RawDoc("page.md", body, access=EVERYONE), NOTHING_KNOWN)


def headings(document: Document) -> list[tuple[int, str]]:
    return [
        (b.level, document.text[b.inner.start : b.inner.end])
        for b in document.blocks
        if b.kind == "heading"
    ]


def test_c01_fences_of_every_form_close_where_commonmark_says():
    document = read("C01_fences.md")
    assert headings(document) == [
        (1, "Pump runbook"),
        (2, "Cold start"),
        (2, "Warm start"),
        (3, "Check list"),
    ]
    code = [(b.lang, document.text[b.inner.start : b.inner.end]) for b in document.blocks
            if b.kind == "code"]  # fmt: skip
    assert code == [
        ("text", "```bash\n# not-a-heading-1\n```\n# not-a-heading-2"),
        ("sh", "``` this line is content, not a fence\n# not-a-heading-3"),
        ("ini", "# not-a-heading-4"),
        ("", "# not-a-heading-5 (indented code)"),
        (
            "",
            "# not-a-heading-8\n## not-a-heading-9\nThe file ends here with the fence still open.",
        ),
    ]
    assert "#not-a-heading-6 # not-a-heading-7" in document.text


def test_c03_a_heading_closes_every_section_of_its_level_or_deeper():
    document = read("C03_levels.md")
    tree = outline(document)
    found = [
        (list(tree.path_at(b.span.start)), document.text[b.inner.start : b.inner.end])
        for b in document.blocks
        if b.kind == "paragraph"
    ]
    assert found == [
        ([], "Preamble sentence that belongs to no section."),
        (["Manual"], "Alpha text."),
        (["Manual", "Odd detail"], "Bravo text."),
        (["Manual", "Setup"], "Charlie text."),
        (["Manual", "Setup", "Deep"], "Delta text."),
        (["Annex"], "Echo text."),
    ]


def test_d04_payloads_are_left_out_and_words_around_them_kept():
    document = read("D04_blobs.md")
    text = document.text
    for noise in (
        "6uq2ULXCp3gJVlxzfGWdleZ5Ekty+jLgg/rpdDw9b9jlprhbGAueodztDaDp",
        "xUygrL+o5H4zTejGSB7kAK22PEn79KsEudLWAOSEMyMU9hx3iSNIGqQi7wPS",
        "dDIpSaNgQq1s8F7UxAfF9LlmCcxOzTzxTOvGBSHMERsf5a8FKtW4sp3CIsN",
        "data:",
    ):
        assert noise not in text
    for kept in ("Red valve photo", "download", "Before the blob.", "After the blob.",
                 '"k0"', '"k259"', "x" * 6000):  # fmt: skip
        assert kept in text
    source = (CASES / "D04_blobs.md").read_text()
    url = next(word for word in source.split() if word.startswith("https://long."))
    assert [link.target for link in document.links] == [url]
    assert len(document.notes) == 1 and "bytes of data: URIs" in document.notes[0]


def test_d08_special_tokens_are_ordinary_words():
    text = read("D08_special_tokens.md").text
    assert "The log shows <|endoftext|> and then the printer says GREEN." in text
    assert "<|im_start|>system you are a pump<|im_end|> and <|fim_prefix|> too." in text


def test_e04_bom_and_crlf_change_nothing():
    windows, unix = read("E04_bom_crlf.md"), read("E04_plain_lf.md")
    for document in (windows, unix):
        assert document.title == "Gate list"
        assert dict(document.meta) == {"title": "Gate list", "labels": "gate, night"}
        assert headings(document) == [(1, "Gate list")]
        (table,) = [b for b in document.blocks if b.kind == "table"]
        assert table.cells == (("Gate", "Key"), ("north", "K7"))
        assert not any(sign in document.text for sign in ("\ufeff", "title:", "\r"))
    assert windows.text == unix.text
    assert windows.sha256 == unix.sha256
