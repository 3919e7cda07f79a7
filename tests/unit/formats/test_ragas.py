"""ragas test sets, in the forms people have them."""

import json
from pathlib import Path

import pytest

from answerable.adapters.formats import ragas
from answerable.errors import InputError
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem

PLACES = {"one": (("a.md", Span(0, 3)),), "two": (("a.md", Span(9, 12)), ("b.md", Span(0, 3)))}


def find(text: str):
    return PLACES.get(text, ())


def write(path: Path, *rows: dict) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_a_generated_test_set_with_hops(tmp_path: Path) -> None:
    row = {
        "user_input": "Why?",
        "reference_contexts": ["<1-hop>\n\none", "<2-hop>\n\nthree"],
        "reference_context_ids": ["a.md", "c.md"],
        "reference": "So.",
        "synthesizer_name": "multi_hop_specific_query_synthesizer",
        "retrieved_contexts": ["never the key"],
    }
    items, problems = ragas.read(write(tmp_path / "t.jsonl", row), None)
    assert problems == ()
    assert items == (
        GoldenItem(
            "r1",
            "Why?",
            (Evidence("a.md", "one"), Evidence("c.md", "three")),
            answers=("So.",),
            category="multi_hop_specific_query_synthesizer",
        ),
    )


def test_contexts_without_a_document_are_looked_for(tmp_path: Path) -> None:
    rows = [{"user_input": f"{c}?", "reference_contexts": [c]} for c in ("one", "two", "none", "")]
    path = write(tmp_path / "t.jsonl", *rows)
    items, problems = ragas.read(path, find)
    assert [item.evidence for item in items] == [(Evidence("a.md", "one", Span(0, 3)),), (), (), ()]
    assert problems == (
        "t.jsonl:2: context 1 of 'r2' is in 2 documents",
        "t.jsonl:3: context 1 of 'r3' is in no document",
        "t.jsonl:4: context 1 of 'r4' is empty",
    )
    assert "give --documents" in ragas.read(path, None)[1][0]


def test_older_names_and_csv(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('question,ground_truth,contexts\n"Why, then?",So.,"[""one""]"\n', "utf-8")
    (item,), problems = ragas.read(path, find)
    assert (item.question, item.answers, problems) == ("Why, then?", ("So.",), ())
    assert item.evidence == (Evidence("a.md", "one", Span(0, 3)),)


def test_samples_wrapped_in_json(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    sample = {"user_input": "Why?", "reference": "So."}
    path.write_text(json.dumps({"samples": [{"eval_sample": sample}, 7]}), encoding="utf-8")
    items, problems = ragas.read(path, None)
    assert [(i.question, i.answers) for i in items] == [("Why?", ("So.",))]
    assert problems == ("t.json:2: not an object",)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="not JSON"):
        ragas.read(path, None)


def test_written_and_read_again_is_the_same(tmp_path: Path) -> None:
    items = (
        GoldenItem(
            "a",
            "Why?",
            (Evidence("a.md", "one"), Evidence("b.md", "two")),
            answers=("7", "seven"),
            category="c",
            group="g",
            tags=("t",),
        ),
        GoldenItem("b", "And?", answerable=False),
    )
    text, problems = ragas.text(items)
    assert problems == ()
    path = tmp_path / "t.jsonl"
    path.write_text(text, encoding="utf-8")
    assert ragas.read(path, None) == (items, ())
    first = json.loads(text.splitlines()[0])
    assert first["reference"] == "7" and first["reference_contexts"] == ["one", "two"]


def test_what_it_cannot_say_is_told() -> None:
    other = GoldenItem("a", "Why?", (Evidence("a.md", "x"),), ((Evidence("b.md"),),))
    assert ragas.text([other])[1] == ("a: only the first way of answering is written",)
    bare = GoldenItem("a", "Why?", (Evidence("a.md"),))
    assert ragas.text([bare])[1] == ("a: evidence without a quote is written as an empty context",)
