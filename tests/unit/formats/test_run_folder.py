"""Run folders: what is written is read back, a crash costs a line, and order is the questions'."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from answerable.adapters.formats.run_folder import RunFolder
from answerable.adapters.formats.run_writer import RunWriter
from answerable.errors import InputError, NotFound
from answerable.records.answers import Answer, Route, Trace, Verdict
from answerable.records.docs import Span
from answerable.records.evals import Score
from answerable.records.index import Hit
from answerable.records.runs import Decision, Failure, Filed, FoundPiece, RunInfo, Standing

INFO = RunInfo(
    experiment="pair",
    arm="now",
    recipe_hash="r",
    sha256="l",
    lock_version=2,
    golden_sha256="g",
    depth=5,
    seed=0,
    checker="1",
    code="0.1.0",
    dirty=False,
    at="2026-11-03T09:15:00.123Z",
    questions=3,
    pieces=10,
    seconds=1.5,
    complete=True,
    versions=(("python", "3.11"),),
)
QUESTIONS = [("q1", "How long?"), ("q2", "Wie lange?\u2028"), ("q3", "Who?")]


def trace(name: str, *chunks: str) -> Trace:
    return Trace(
        id=f"t-{name}",
        at="2026-11-03T09:15:00.123Z",
        recipe_hash="r",
        generation="trial-x",
        principal="",
        question=dict(QUESTIONS)[name],
        route=Route("refuse", "nothing", (("coverage", 0.1),)),
        rankings=(("lexical", tuple(Hit(chunk, 0.1 + 0.2, "lexical") for chunk in chunks)),),
        passages=(),
        answer=Answer("", None, (), True, "nothing"),
        verdict=Verdict(True),
        seconds=(("search", 0.01),),
    )


def piece(name: str) -> FoundPiece:
    return FoundPiece(name, "d1", "docs/ä b.md", Span(3, 9), 2, 4, "paragraph", ("Top", "Under"))


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    made = RunFolder(tmp_path / "now")
    made.begin(INFO, QUESTIONS, {"ask": {}})
    return made


def test_what_is_written_is_read_back(folder: RunFolder) -> None:
    with RunWriter(folder) as writer:
        writer.traced("q2", trace("q2", "c2", "c1"), [piece("c2"), piece("c1")])
        writer.traced("q1", trace("q1", "c1"), [piece("c1")])
        writer.failed(Failure("q3", "ask", "the model is away"))
    assert folder.traces() == {"q2": trace("q2", "c2", "c1"), "q1": trace("q1", "c1")}
    assert folder.pieces() == {"c2": piece("c2"), "c1": piece("c1")}
    scores = (Score("q1", "nDCG@10", 0.1 + 0.2), Score("q2", "nDCG@10", None, "no evidence"))
    standings = (Standing("q1", 3, "cut", (("docs/a.md", 7),), "docs/a.md", "markdown", 9, 2),)
    folder.judge(scores, standings, "1")
    run = folder.read()
    assert (run.info, run.scores, run.standings) == (INFO, scores, standings)
    assert run.failures == (Failure("q3", "ask", "the model is away"),)
    assert run.questions == tuple(QUESTIONS)


def test_decisions_and_filing_are_read_back_and_may_be_absent(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "now")
    filed = (Filed("q1", "number", "g1", ("a", "b")), Filed("q3", tags=("c",)))
    folder.begin(INFO, QUESTIONS, {"ask": {}}, filed)
    decisions = (
        Decision("q1", True, False, False, 0.1 + 0.2),
        Decision("q2", True, True, None, None),
        Decision("q3", False, False, True, -1.0),
    )
    folder.judge([], [], "1+abc", decisions)
    run = folder.read()
    assert (run.decisions, run.filed) == (decisions, filed)
    path = folder.path / "decisions.jsonl"
    assert json.loads(path.read_text().splitlines()[1]) == {
        "item": "q2",
        "answerable": True,
        "refused": True,
        "wrong": None,
        "confidence": None,
        "checker": "1+abc",
        "format": 1,
    }
    folder.update(replace(INFO, seconds=3.0))
    assert folder.read().filed == filed
    table = json.loads((folder.path / "run.json").read_text())
    assert table.pop("filed")["q1"] == {"category": "number", "group": "g1", "tags": ["a", "b"]}
    path.unlink()
    (folder.path / "run.json").write_text(json.dumps(table))
    old = folder.read()
    assert (old.decisions, old.filed) == ((), ())
    assert old.questions == tuple(QUESTIONS)


def test_a_damaged_decision_and_a_damaged_filing_are_named(folder: RunFolder) -> None:
    folder.judge([], [], "1", [Decision("q1", True, False, None, 0.5)])
    path = folder.path / "decisions.jsonl"
    path.write_text(path.read_text().replace('"refused":false,', ""))
    with pytest.raises(InputError, match=r"decisions.jsonl:1"):
        folder.read()
    path.unlink()
    table = json.loads((folder.path / "run.json").read_text())
    (folder.path / "run.json").write_text(json.dumps(table | {"filed": {"q1": {"colour": "red"}}}))
    with pytest.raises(InputError, match=r"run.json: filed 'q1'.*colour"):
        folder.read()


def test_lines_have_the_names_of_the_contract(folder: RunFolder) -> None:
    folder.judge([Score("q1", "MRR", 0.5), Score("q2", "MRR", None, "why not")], [], "1+abc")
    lines = (folder.path / "scores.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"item": "q1", "metric": "MRR", "value": 0.5, "why": "", "checker": "1+abc", "format": 1},
        {
            "item": "q2",
            "metric": "MRR",
            "value": None,
            "why": "why not",
            "checker": "1+abc",
            "format": 1,
        },
    ]
    table = json.loads((folder.path / "run.json").read_text())
    assert (table["format"], table["experiment"], table["arm"]) == (1, "pair", "now")
    assert table["texts"]["q1"] == "How long?"


def test_a_line_cut_off_by_a_crash_is_dropped_and_written_over(folder: RunFolder) -> None:
    with RunWriter(folder) as writer:
        writer.traced("q1", trace("q1", "c1"), [piece("c1")])
    traces = folder.path / "traces.jsonl"
    whole = traces.read_bytes()
    traces.write_bytes(whole + whole[: len(whole) // 2])
    assert set(folder.traces()) == {"q1"}
    with RunWriter(folder) as writer:
        assert set(writer.traces) == {"q1"}
        writer.traced("q3", trace("q3", "c1"), [piece("c1")])
    assert set(folder.traces()) == {"q1", "q3"}
    assert traces.read_bytes().count(b"\n") == 2
    assert (folder.path / "pieces.jsonl").read_bytes().count(b"\n") == 1


def test_a_damaged_line_costs_its_trace_but_damaged_scores_are_an_error(folder: RunFolder) -> None:
    with RunWriter(folder) as writer:
        writer.traced("q1", trace("q1"), [])
        writer.traced("q2", trace("q2"), [])
    path = folder.path / "traces.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"item":"q1"', b'"item":"q1\0'))
    assert set(folder.traces()) == {"q2"}
    folder.judge([Score("q1", "MRR", 0.5), Score("q2", "MRR", 1.0)], [], "1")
    path = folder.path / "scores.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"metric":"MRR","value":1.0', b'"metric":"MRR"'))
    with pytest.raises(InputError, match=r"scores.jsonl:2"):
        folder.read()


def test_settled_files_are_in_the_order_of_the_questions(folder: RunFolder, tmp_path: Path) -> None:
    pieces = {name: piece(name) for name in ("c1", "c2", "c3", "unused")}
    traces = {"q1": trace("q1", "c2", "c1"), "q3": trace("q3", "c3", "c1")}
    failures = [Failure("q3", "score", "x"), Failure("q2", "ask", "y")]
    other = RunFolder(tmp_path / "other")
    order = ["q1", "q2", "q3"]
    folder.settle(order, traces, pieces)
    folder.fail(order, failures)
    other.settle(order, dict(reversed(traces.items())), dict(reversed(pieces.items())))
    other.fail(order, failures[::-1])
    for name in ("traces.jsonl", "pieces.jsonl", "failures.jsonl"):
        assert (folder.path / name).read_bytes() == (other.path / name).read_bytes()
    assert list(folder.traces()) == ["q1", "q3"]
    assert list(folder.pieces()) == ["c2", "c1", "c3"]
    assert [one.item_id for one in folder.failures()] == ["q2", "q3"]


def test_no_run_an_unscored_one_and_one_of_another_format(
    tmp_path: Path, folder: RunFolder
) -> None:
    with pytest.raises(NotFound):
        RunFolder(tmp_path / "nowhere").read()
    with pytest.raises(InputError, match="stopped before it was scored"):
        folder.read()
    folder.update(replace(INFO, seconds=2.0))
    assert folder.info() == replace(INFO, seconds=2.0)
    path = folder.path / "run.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(InputError, match="format"):
        folder.info()
