from __future__ import annotations

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers import code, table


def read(uri: str, text: str):
    document = code.parse(RawDoc(uri, text.encode()), NOTHING_KNOWN)
    inner = [document.text[b.inner.start : b.inner.end] for b in document.blocks]
    return document, inner


def test_a_short_file_is_one_block_with_its_language_and_name():
    document, inner = read("src/pump.py", "import os\n\n\ndef run():\n    pass\n")
    assert inner == ["import os\n\n\ndef run():\n    pass\n"]
    assert [b.lang for b in document.blocks] == ["python"]
    assert (document.title, document.type) == ("pump.py", "code")
    assert document.text == "```python\nimport os\n\n\ndef run():\n    pass\n```"


def test_a_long_file_is_cut_before_top_level_lines_that_follow_a_blank_one():
    one = "def one():\n" + "    x = 1\n\n" * 150
    two = "def two():\n" + "    y = 2\n" * 150 + "\n"
    three = "class Three {\n" + "    z\n" * 300 + "\n}\n"
    _, inner = read("a.py", one + two + three)
    assert inner == [one, two, three]


def test_every_character_is_kept():
    text = (
        "\n\n# a\t```` \n" + "\n\n".join(f"f{i}() {{\n  `x`\x0c\n}}" for i in range(400)) + "\n\n "
    )
    document, inner = read("x.unknown", text)
    assert "".join(inner) == text
    assert len(inner) > 3
    assert {b.lang for b in document.blocks} == {""}
    assert all(
        document.text[b.span.start : b.inner.start].startswith("```") for b in document.blocks
    )
    assert document.text.startswith("`````\n")


def test_an_empty_file_has_no_blocks():
    assert read("a.go", "\n")[0].blocks == ()


def rows(uri: str, text: str):
    document = table.parse(RawDoc(uri, text.encode()), NOTHING_KNOWN)
    (block,) = document.blocks
    assert [document.text[r.start : r.end].count("|") >= 2 for r in block.rows]
    return block.cells, block.header


def test_csv_is_one_table_with_quoted_cells_unescaped():
    cells, header = rows("a.csv", 'Gate,Key\n"north, old","K""7"\nsouth\n\n')
    assert cells == (("Gate", "Key"), ("north, old", 'K"7'), ("south", ""))
    assert header == 1


def test_other_delimiters_and_files_without_a_header():
    assert rows("a.csv", "Tor;Preis\nNord;3,5\nSüd;4,5\n")[0][1] == ("Nord", "3,5")
    cells, header = rows("a.tsv", "1\t2,5\n3\t4")
    assert (cells, header) == ((("1", "2,5"), ("3", "4")), 0)
