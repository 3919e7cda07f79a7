from pathlib import Path

from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.html import parse

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "cases"


def read(name):
    return parse(RawDoc(uri=name, body=(CASES / name).read_bytes()), NOTHING_KNOWN)


def test_c05_cells_keep_their_parts_apart():
    page = read("C05_cells.html")
    assert page.blocks[0].cells == (
        ("Key", "Meaning"),
        ("mode", "red|blue"),
        ("regex", "a|b"),
        ("places", "north south"),
        ("steps", "lift turn"),
        ("break", "one two"),
    )
    row = page.blocks[0].rows[1]
    assert page.text[row.start : row.end] == "| mode | red\\|blue |"


def test_c06_lists():
    page = read("C06_lists.html")
    inner = [page.text[b.inner.start : b.inner.end] for b in page.blocks]
    found = [
        (b.level, b.marker, words)
        for b, words in zip(page.blocks, inner, strict=True)
        if b.kind == "list_item"
    ]
    assert found == [
        (1, "7.", "Stop the pump:"),
        (2, "-", "north pump"),
        (2, "-", "south pump"),
        (3, "1.", "lower seal"),
        (1, "8.", "Wait a minute."),
        (1, "-", "loose parent"),
        (2, "-", "loose child"),
    ]
    number = next(n for n, b in enumerate(page.blocks) if b.kind == "code")
    assert inner[number] == "pumpctl stop --id 7\n    --wait"
    assert inner[page.blocks[number].parent] == "Stop the pump:"
