"""Golden files: read, named problems, written back."""

from pathlib import Path

import pytest

from answerable.adapters.formats import golden
from answerable.errors import InputError
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem, GoldenSet

GOOD = (
    '{"id": "a", "question": "Why?", "evidence": [{"document": "p.md", "quote": "so"}, '
    '{"document": "q.md", "start": 2, "end": 5, "grade": 2}], "alternatives": '
    '[[{"document": "r.md"}]], "answers": ["7"], "tags": ["x"], "category": "c", "group": "g"}\n'
)


def test_reads_every_field(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(GOOD + '{"id": 5, "question": "No?", "answerable": false}\n', encoding="utf-8")
    found, problems = golden.read(path)
    assert problems == ()
    assert found.name == "set" and len(found.sha256) == 64
    assert found.items == (
        GoldenItem(
            "a",
            "Why?",
            (Evidence("p.md", "so"), Evidence("q.md", "", Span(2, 5), 2)),
            ((Evidence("r.md"),),),
            ("7",),
            True,
            "c",
            "g",
            ("x",),
        ),
        GoldenItem("5", "No?", answerable=False),
    )


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"question": "?"}',
        '{"id": "b"}',
        '{"id": "b", "question": "?", "evidense": []}',
        '{"id": "b", "question": "?", "evidence": [{"quote": "x"}]}',
        '{"id": "b", "question": "?", "evidence": [{"document": "d", "start": 5, "end": 5}]}',
        '{"id": "b", "question": "?", "evidence": [{"document": "d", "start": 5}]}',
        '{"id": "b", "question": "?", "evidence": [{"document": "d", "quote": ""}]}',
        '{"id": "b", "question": "?", "answerable": "no"}',
        '{"id": "b", "question": "?", "answerable": false, "evidence": [{"document": "d"}]}',
        '{"id": "b", "question": "?", "answers": "7"}',
        '{"id": "a", "question": "again"}',
    ],
)
def test_a_bad_line_costs_itself(tmp_path: Path, line: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(GOOD + line + "\n", encoding="utf-8")
    found, problems = golden.read(path)
    assert [item.id for item in found.items] == ["a"]
    assert len(problems) == 1 and problems[0].startswith("set.jsonl:2: ")


def test_nothing_usable_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError):
        golden.read(path)


def test_written_and_read_again_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(GOOD, encoding="utf-8")
    items = golden.read(path)[0].items
    path.write_text(golden.text(GoldenSet("set", items, "")), encoding="utf-8")
    assert golden.read(path)[0].items == items
