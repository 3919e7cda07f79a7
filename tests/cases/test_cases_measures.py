"""Cases of area J: what a report of measures must say, through the command line."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from answerable.adapters.formats.trec import qrels_text, run_text
from answerable.cli.main import main

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "cases" / "cases.jsonl"


def inline(name: str) -> Any:
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return next(row["input"]["inline"] for row in rows if row["id"] == name)


class Report:
    """What the command printed: for people, and as JSON."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *argv: str) -> None:
        self.code = self._run(*argv)
        people = capsys.readouterr()
        self.text = people.out + people.err
        self._run(*argv, "--json")
        self.json = json.loads(capsys.readouterr().out)

    @staticmethod
    def _run(*argv: str) -> int:
        try:
            main(["metrics", *argv])
        except SystemExit as leave:
            return int(leave.code or 0)
        return 0

    def means(self) -> dict[str, float | None]:
        return {name: found["mean"] for name, found in self.json.items()}


@pytest.fixture
def report(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Measures a run against judgements, each written as JSON unless it is text already."""

    def measure(run: Any, qrels: Any, measures: str, *more: str) -> Report:
        for name, value in (("run", run), ("qrels", qrels)):
            text = value if isinstance(value, str) else json.dumps(value)
            (tmp_path / name).write_text(text, encoding="utf-8")
        files = ("--run", str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels"))
        return Report(capsys, *files, "--measures", measures, *more)

    return measure


def lines(run: dict[str, dict[str, float]]) -> str:
    """A TREC run as it stands, ties and all."""
    rows = [(item, name, score) for item, row in run.items() for name, score in row.items()]
    return "".join(f"{item} Q0 {name} 1 {score} tag\n" for item, name, score in rows)


def test_j01_missing_questions_count_and_unjudged_ones_are_named(report) -> None:
    given = inline("J01")
    found = report(lines(given["run"]), qrels_text(given["qrels"]), "map,mrr,recall@5,ndcg@5,p@5")
    assert found.means() == pytest.approx(
        {
            "map": 0.27777778,
            "mrr": 0.33333333,
            "recall@5": 0.33333333,
            "ndcg@5": 0.3065736,
            "p@5": 0.13333333,
        },
        abs=1e-6,
    )
    for row in found.json.values():
        assert (row["n"], row["unscored"]) == (3, 0)
        assert row["per_question"]["q2"] == row["per_question"]["q3"] == 0
        assert (row["unjudged"], row["missing"]) == (["q9"], ["q2", "q3"])
    assert "without judgements, left out: 1: q9" in found.text
    assert "missing from the run, counted 0: 2: q2, q3" in found.text


def test_j01_a_run_that_answers_nothing_that_is_judged(report) -> None:
    found = report("q9 Q0 d1 1 1.0 t\n", "q1 0 d1 1\nq2 0 d1 1\n", "MAP,nDCG@5,judged@5")
    assert (found.code, found.means()["MAP"], found.json["MAP"]["n"]) == (0, 0.0, 2)
    # Of nothing retrieved no share is judged: not measurable, which is not 0.
    assert (found.json["judged@5"]["mean"], found.json["judged@5"]["unscored"]) == (None, 2)
    assert found.json["judged@5"]["not_measurable"] == dict.fromkeys(
        ("q1", "q2"), "nothing retrieved"
    )


def test_j01_nothing_is_judged(report) -> None:
    found = report("q9 Q0 d1 1 1.0 t\n", "\n", "MAP")
    assert found.code == 3
    assert "judges no question" in found.text


@pytest.mark.parametrize("backwards", [False, True])
def test_j02_ties_fall_as_in_trec_eval_whatever_the_order_given(report, backwards: bool) -> None:
    given = inline("J02")
    qrels = qrels_text(given["qrels"])
    expected = {"R1": ("q1", 1.0, 1.0), "R2": ("q1", 0.63092975, 0.5), "R3": ("q2", None, 0.5)}
    for name, (item, ndcg, mrr) in expected.items():
        run = given[name]
        if backwards:
            run = {item: dict(reversed(row.items())) for item, row in run.items()}
        for text in (lines(run), run):
            found = report(text, qrels, "ndcg@3,mrr")
            assert found.json["mrr"]["per_question"][item] == pytest.approx(mrr, abs=1e-6)
            if ndcg is not None:
                assert found.json["ndcg@3"]["per_question"][item] == pytest.approx(ndcg, abs=1e-6)


def test_j02_an_export_says_the_same_as_the_ranking_it_came_from(report) -> None:
    # The ranking puts kb-10 first although trec_eval would put kb-20 there.
    ranked = {"q1": [("kb-10", 0.5), ("kb-20", 0.5)]}
    found = report(run_text(ranked), qrels_text(inline("J02")["qrels"]), "mrr")
    assert found.json["mrr"]["per_question"]["q1"] == 0.5


def test_j04_numbers_and_their_digits_are_one_id(report) -> None:
    given = inline("J04")["P1"]
    assert report(given["run"], given["gold"], "mrr").means() == {"mrr": 1.0}


def test_j04_zeros_in_front_make_another_id_and_the_report_says_so(report) -> None:
    given = inline("J04")["P2"]
    found = report(given["run"], given["gold"], "mrr")
    assert found.means() == {"mrr": 0.0}
    assert "none of the retrieved ids is judged anywhere" in found.text
    assert "'007' was retrieved and '7' is judged" in found.text
    assert any("none of the retrieved ids" in said for said in found.json["mrr"]["warnings"])


def test_j04_twins_are_named_where_other_ids_do_match(report) -> None:
    run = {"q1": ["a", "b"], "q2": ["HR/Leave.md"], "q3": ["d7.0"]}
    gold = {"q1": {"a": 1}, "q2": {"leave": 1}, "q3": {"d7": 1}}
    found = report(run, gold, "mrr")
    assert found.means()["mrr"] == pytest.approx(1 / 3)
    assert "none of the retrieved" not in found.text
    assert "'HR/Leave.md' was retrieved and 'leave' is judged" in found.text
    assert "'d7.0' was retrieved and 'd7' is judged" in found.text


def test_j04_questions_of_two_kinds_are_named(report) -> None:
    found = report({"01": ["d1"]}, {"1": {"d1": 1}}, "mrr")
    assert found.means() == {"mrr": 0.0}
    assert "no question of the run is judged" in found.text
    assert "run '01'; judged '1'" in found.text


def test_j04_grades_and_scores_are_numbers_or_are_named(report) -> None:
    run = "q Q0 a 1 3 t\nq Q0 b 2 nan t\nq Q0 c 3 1_0 t\nq Q0 a 4 1 t\nq Q0 d 4 -1e3 t\n"
    found = report(run, "q 0 a ²\nq 0 d 1.0\nq 0 b x\nq 0 c +1\n", "mrr,recall@5")
    # Left are the run a, d and the judgements d: 1, c: 1.
    assert found.means() == {"mrr": 0.5, "recall@5": 0.5}
    for said in ("run:2: 'nan'", "run:3: '1_0'", "run:4: 'a'", "qrels:1: '²'", "qrels:3: 'x'"):
        assert said in found.text


def test_j04_blanks_are_trimmed_with_a_warning(report) -> None:
    given = inline("J04")["P3"]
    found = report(given["run"], given["gold"], "mrr")
    assert found.means() == {"mrr": 1.0}
    assert "the id 'd1 ' was trimmed to 'd1'" in found.text


def test_j04_a_relevant_document_that_is_nowhere_is_named(report, tmp_path: Path) -> None:
    given = inline("J04")["P4"]
    (tmp_path / "ids.txt").write_text("".join(f"{name}\n" for name in given["index"]))
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "words"}\n')
    for corpus in ("ids.txt", "corpus.jsonl"):
        found = report(given["run"], given["gold"], "mrr", "--corpus", str(tmp_path / corpus))
        assert found.means() == {"mrr": 0.0}
        assert "unreachable: 'd404', relevant for question 'q', is not in the corpus" in found.text
    # Even without the list of documents the two kinds of id are shown.
    assert "judged 'd404'" in report(given["run"], given["gold"], "mrr").text


@pytest.mark.parametrize("variant", ["qrels", "qrels_variant"])
def test_j06_without_a_relevant_document_a_question_is_not_measurable(report, variant) -> None:
    given = inline("J06")
    found = report(lines(given["run"]), given[variant], "map,recall@5,ndcg@5,rprec,p@5")
    q3 = {name: row["per_question"]["q3"] for name, row in found.json.items()}
    assert q3["map"] == q3["recall@5"] == 0.5
    assert q3["ndcg@5"] == pytest.approx(0.6131471927654584, abs=1e-6)
    assert found.means()["map"] == 0.75
    for row in found.json.values():
        assert (row["n"], row["unscored"], row["per_question"]["q2"]) == (2, 1, None)
        assert row["without_relevant"] == "not measurable, left out of mean and n"
        assert math.isfinite(row["mean"])
    assert "q2: map is not measurable: no relevant document is marked" in found.text
    assert "NaN" not in json.dumps(found.json)


def test_j06_counted_as_trec_eval_does(report) -> None:
    given = inline("J06")
    found = report(lines(given["run"]), given["qrels"], "map", "--trec")
    row = found.json["map"]
    assert (row["mean"], row["n"], row["unscored"]) == (0.5, 3, 0)
    assert row["without_relevant"] == "counted 0, as in trec_eval"
    # Of a question without any judgement trec_eval prints nothing.
    assert (
        report(lines(given["run"]), given["qrels_variant"], "map", "--trec").json["map"]["n"] == 2
    )


def test_j06_a_question_with_no_line_of_judgements_is_named(report) -> None:
    given = inline("J06")
    found = report(lines(given["run"]), qrels_text(given["qrels_variant"]), "map")
    assert (found.means()["map"], found.json["map"]["unjudged"]) == (0.75, ["q2"])
    assert "q2" in found.text


def test_j07_fewer_results_than_k(report) -> None:
    given = inline("J07")
    measures = "p@5,recall@5,success@5,mrr,map,rprec,ndcg@5"
    found = report({"q1": given["run_order"]}, given["qrels"], measures)
    assert found.means() == pytest.approx(
        {
            "p@5": 0.4,
            "recall@5": 2 / 3,
            "success@5": 1.0,
            "mrr": 1.0,
            "map": 2 / 3,
            "rprec": 2 / 3,
            "ndcg@5": 0.7653606369886217,
        },
        abs=1e-6,
    )
    for empty in ({"q1": []}, {"q1": {}}, {}):
        nothing = report(empty, given["qrels"], measures)
        assert set(nothing.means().values()) == {0.0}
        assert nothing.json["map"]["missing"] == ["q1"]


@pytest.fixture
def tally(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Puts scores together as a judge left them."""

    def put(rows: list[Any]) -> Report:
        path = tmp_path / "scores.jsonl"
        path.write_text(
            "".join(
                json.dumps({"item": f"q{n}", "metric": "m"} | row) + "\n"
                for n, row in enumerate(
                    row if isinstance(row, dict) else {"value": row} for row in rows
                )
            )
        )
        return Report(capsys, "--scores", str(path))

    return put


def test_j09_failures_stand_beside_the_mean_by_cause(tally) -> None:
    found = tally(inline("J09")["scores"])
    row = found.json["m"]
    assert (row["mean"], row["n"], row["of"]) == (pytest.approx(0.8), 4, 7)
    assert (row["failures"], row["failed"]) == (3, {"timeout": 2, "parse": 1})
    assert row["mean_strict"] == pytest.approx(0.4571428571428572)
    assert (row["comparable"], row["limit"], found.code) == (False, 0.05, 2)
    assert (
        "0.8000, n=4 of 7, 3 failed (2 timeout, 1 parse), 0.4571 with these as 0, "
        "not comparable: over 5% failed"
    ) in found.text


def test_j09_when_all_failed_there_is_no_mean(tally) -> None:
    found = tally(inline("J09")["all_failed"])
    row = found.json["m"]
    assert (row["mean"], row["n"], row["comparable"], found.code) == (None, 0, False, 2)
    assert "no mean, n=0 of 2" in found.text
    assert "nan" not in found.text.lower()


def test_j09_up_to_the_limit_a_run_compares(tally) -> None:
    # One of twenty is 5 %, one of nineteen more.
    assert tally([1.0] * 19 + [{"error": "timeout"}]).code == 0
    assert tally([1.0] * 18 + [{"error": "timeout"}]).code == 2


def test_j09_what_is_no_number_is_a_failure_and_not_measurable_is_none(tally) -> None:
    rows = [1.0, math.nan, "0.9", None, {"value": None, "why": "no evidence is marked"}, True]
    row = tally(rows).json["m"]
    assert row["failed"] == {"no finite number": 1, "no number": 1, "no value": 1}
    assert (row["n"], row["of"], row["unscored"]) == (2, 5, 1)
    assert row["not_measurable"] == {"no evidence is marked": 1}
    # What is not measurable is no failure, so it is not taken for 0.
    assert (row["mean"], row["mean_strict"]) == (1.0, pytest.approx(2 / 5))


def test_j09_failures_of_a_run_folder_are_not_taken_for_what_cannot_be_measured(
    tally, tmp_path: Path
) -> None:
    (tmp_path / "failures.jsonl").write_text(
        '{"item": "q1", "stage": "ask", "cause": "the model is away"}\n'
    )
    row = tally([1.0, {"value": None, "why": "the model is away"}]).json["m"]
    assert (row["failed"], row["unscored"], row["of"]) == ({"the model is away": 1}, 0, 2)
