"""The BEIR folder loader: a bad line costs itself and is named by file and line."""

from pathlib import Path

import pytest

from answerable.adapters.formats.beir import load
from answerable.errors import InputError, NotFound
from answerable.records.docs import Span


def folder(tmp_path: Path, **files: str) -> Path:
    (tmp_path / "qrels").mkdir()
    parts = {
        "corpus": '{"_id": "d1", "title": "T", "text": "one two"}\n{"_id": 7, "text": "three"}\n',
        "queries": '{"_id": "q1", "text": "one?"}\n{"_id": "q2", "text": "unjudged"}\n',
        "qrels": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t7\t0\n",
        "spans": '{"query_id": "q1", "corpus_id": "d1", "start": 4, "end": 7, "text": "two"}\n',
    } | files
    (tmp_path / "corpus.jsonl").write_text(parts["corpus"], encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(parts["queries"], encoding="utf-8")
    (tmp_path / "spans.jsonl").write_text(parts["spans"], encoding="utf-8")
    (tmp_path / "qrels" / "test.tsv").write_text(parts["qrels"], encoding="utf-8")
    return tmp_path


def test_a_sound_folder(tmp_path: Path) -> None:
    found = load(folder(tmp_path))
    assert [(d.uri, d.title, d.text) for d in found.documents] == [
        ("d1", "T", "one two"),
        ("7", "", "three"),
    ]
    assert found.questions == {"q1": "one?"}
    assert found.judgements == {"q1": {"d1": 2, "7": 0}}
    assert found.spans == {"q1": (("d1", Span(4, 7)),)}
    assert found.problems == ()


def test_bad_lines_cost_themselves(tmp_path: Path) -> None:
    found = load(
        folder(
            tmp_path,
            corpus='{"_id": "d1", "text": "one two"}\n{broken\n[]\n\n{"_id": "d1", "text": "x"}\n'
            '{"_id": "d2"}\n',
            qrels="q1\td1\t1\nq1 d1 1\nq9\td1\t1\nq1\tgone\t1\nq1\td1\t0\nq1\td1\thigh\n",
            spans='{"query_id": "q1", "corpus_id": "d1", "start": 5, "end": 99}\n'
            '{"query_id": "q1", "corpus_id": "d1", "start": 0, "end": 3, "text": "two"}\n',
        )
    )
    assert [d.text for d in found.documents] == ["one two"]
    # A judged document that is missing still counts as one to be found.
    assert found.judgements == {"q1": {"d1": 1, "gone": 1}}
    assert found.spans == {}
    places = [problem.split(": ")[0] for problem in found.problems]
    assert places == [
        "corpus.jsonl:2",
        "corpus.jsonl:3",
        "corpus.jsonl:5",
        "corpus.jsonl:6",
        "test.tsv:2",
        "test.tsv:3",
        "test.tsv:4",
        "test.tsv:5",
        "test.tsv:6",
        "spans.jsonl:1",
        "spans.jsonl:2",
    ]


def test_missing_split_names_those_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="splits here: test"):
        load(folder(tmp_path), "dev")


def test_nothing_left_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="0 judged questions"):
        load(folder(tmp_path, qrels="query-id\tcorpus-id\tscore\n"))
