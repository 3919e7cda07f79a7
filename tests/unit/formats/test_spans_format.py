"""A golden set written as a BEIR folder with spans, and read again."""

from pathlib import Path

import pytest

from answerable.adapters.formats.beir_golden import read_folder
from answerable.adapters.formats.spans import qrels_text, queries_text, spans_text, unsayable
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem


def at(document: str, start: int, end: int, grade: int = 1) -> Evidence:
    return Evidence(document, "x" * (end - start), Span(start, end), grade)


ITEMS = (
    GoldenItem("together", "1?", (at("d", 0, 2), at("e", 4, 9)), answers=("xx",), tags=("t",)),
    GoldenItem("either", "2?", (at("d", 0, 2),), ((at("d", 7, 9, 3), at("e", 1, 2)),)),
    GoldenItem("documents", "3?", (Evidence("d", grade=2),), ((Evidence("e"),),)),
    GoldenItem("none", "4?", answerable=False, category="c", group="g"),
    GoldenItem(
        "judged",
        "5?",
        (at("d", 0, 2),),
        judged=(at("d", 3, 5, 0), at("e", 3, 5, 2), Evidence("f", grade=-1)),
    ),
    GoldenItem("unfound", "6?", judged=(Evidence("d", grade=0),)),
)


def write(folder: Path, *items: GoldenItem) -> Path:
    (folder / "qrels").mkdir()
    (folder / "queries.jsonl").write_text(queries_text(items), encoding="utf-8")
    (folder / "spans.jsonl").write_text(spans_text(items), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(qrels_text(items), encoding="utf-8")
    return folder


def test_written_and_read_again_is_the_same(tmp_path: Path) -> None:
    golden, problems = read_folder(write(tmp_path, *ITEMS))
    assert problems == ()
    for written, read in zip(ITEMS, golden.items, strict=True):
        assert read == written
        assert unsayable(written) == ""


def test_the_qrels_have_the_greatest_grade_of_a_document() -> None:
    assert qrels_text(ITEMS[1:2]) == "query-id\tcorpus-id\tscore\neither\td\t3\neither\te\t1\n"


@pytest.mark.parametrize(
    ("item", "what"),
    [
        (
            GoldenItem("a", "?", (Evidence("d"), Evidence("e"))),
            "documents that are needed together become alternatives",
        ),
        (
            GoldenItem("a", "?", (at("d", 0, 2),), ((Evidence("e"),),)),
            "a whole document beside spans is only judged",
        ),
        (
            GoldenItem("a", "?", (Evidence("d"),), judged=(Evidence("e", grade=2),)),
            "a judged document beside whole documents becomes an alternative",
        ),
    ],
)
def test_what_it_cannot_say_is_told(item: GoldenItem, what: str) -> None:
    assert unsayable(item) == what
