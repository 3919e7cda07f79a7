"""Files made to break a reader: a line costs itself, a number or a name never more than a word."""

import json
import os
import stat
from pathlib import Path

import pytest

from answerable.adapters.formats import golden, ragas, squad
from answerable.adapters.formats.beir_golden import read_folder
from answerable.adapters.formats.gate_rules import read_rules
from answerable.adapters.formats.lines import parsed
from answerable.adapters.formats.pool_file import read_pool
from answerable.adapters.formats.rankings import read_qrels, read_run
from answerable.adapters.formats.run_folder import RunFolder
from answerable.adapters.formats.scored import read_scores
from answerable.adapters.staged_file import write_whole
from answerable.errors import ConfigError, InputError
from made_runs import made_run

GOOD = {"id": "q", "question": "When?", "answerable": False}
DEEP, DIGITS = "[" * 100_000, "9" * 5_000


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DEEP, "nested too deeply"),
        (DIGITS, "thousands of digits"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"a": ', "not JSON"),
    ],
)
def test_text_that_is_no_usable_json_is_a_named_fault(text, said):
    with pytest.raises(InputError, match=said):
        parsed(text)


def test_a_whole_pair_of_surrogates_is_a_character():
    assert parsed('"\\ud83d\\ude00"') == "\N{GRINNING FACE}"


def test_each_broken_line_of_a_golden_set_costs_itself(tmp_path):
    far = {"document": "a.md", "start": 0, "end": 10**300}
    rows = [
        f'{{"id": "deep", "tags": {DEEP}',
        f'{{"id": {DIGITS}, "question": "q"}}',
        '{"id": "half", "question": "what \\udfff"}',
        json.dumps({"id": "far", "question": "q", "evidence": [far]}),
        json.dumps(GOOD),
    ]
    found, problems = golden.read(put(tmp_path / "g.jsonl", "\n".join(rows)))
    assert [item.id for item in found.items] == ["q"]
    assert [problem.split(":")[1] for problem in problems] == ["1", "2", "3", "4"]


def test_spans_and_grades_beyond_any_document_cost_their_line(tmp_path):
    (tmp_path / "qrels").mkdir()
    put(tmp_path / "queries.jsonl", json.dumps({"_id": "q", "text": "When?"}) + "\n")
    put(tmp_path / "qrels" / "test.tsv", f"a\tb\tc\nq\td\t{DIGITS}\nq\te\t1\n")
    span = {"query_id": "q", "corpus_id": "e", "start": 0, "end": 10**300}
    put(tmp_path / "spans.jsonl", json.dumps(span) + "\n")
    found, problems = read_folder(tmp_path)
    assert [one.document for one in found.items[0].evidence] == ["e"]
    assert len(problems) == 2
    passage = {"id": "p", "item": "q", "question": "?", "document": "e", "text": "x"}
    with pytest.raises(InputError, match="holds no passage"):
        read_pool(put(tmp_path / "pool", json.dumps(passage | {"start": 0, "end": 10**300})))


def test_a_run_in_json_names_what_is_no_list_of_documents(tmp_path):
    path = put(tmp_path / "run.json", '{"a": 5, "b": null, "c": "d1", "d": {"d1": 2}}')
    run, problems = read_run(path)
    assert run == {"d": {"d1": 2.0}}
    assert len(problems) == 3


@pytest.mark.parametrize("score", ["9" * 400, "NaN", "Infinity", "-Infinity", "true", '"3"'])
def test_a_score_that_is_no_finite_number_costs_itself(tmp_path, score):
    run, problems = read_run(put(tmp_path / "run.json", f'{{"a": {{"d1": {score}, "d2": 1}}}}'))
    assert run == {"a": {"d2": 1.0}}
    assert len(problems) == 1
    line = f'{{"item": "a", "metric": "m", "value": {score}}}'
    scores, failures = read_scores(put(tmp_path / "scores.jsonl", line))[0]["m"]
    assert bool(scores) == (score == "true")
    assert bool(failures) == (score != "true")


def test_a_grade_beyond_any_scale_costs_its_line(tmp_path):
    text = f"q 0 d1 1\nq 0 d2 {'9' * 30}\nq 0 d3 1e308\n"
    grades, problems = read_qrels(put(tmp_path / "q", text))
    assert grades == {"q": {"d1": 1}}
    assert len(problems) == 2


def test_one_bad_question_of_squad_does_not_cost_its_article(tmp_path):
    good = {"id": "1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}
    torn = {"id": "2", "question": "Who?", "answers": [{"text": "Ann", "answer_start": "0"}]}
    back = {"id": "3", "question": "Who?", "answers": [{"text": "Ann", "answer_start": -9}]}
    article = {
        "title": "T",
        "paragraphs": [
            {"context": "Ann came.", "qas": [good, torn, back]},
            {"qas": [good]},
            {"context": "Bob left.", "qas": 5},
        ],
    }
    items, texts, problems = squad.read(put(tmp_path / "s.json", json.dumps({"data": [article]})))
    assert texts == {"T": "Ann came.\n\nBob left."}
    assert [(item.id, len(item.evidence)) for item in items] == [("1", 1), ("3", 0)]
    assert len(problems) == 3


def test_a_csv_field_beyond_the_readers_limit_is_a_named_fault(tmp_path):
    path = put(tmp_path / "r.csv", f'question,reference\nWhen?,"{"x" * 200_000}"\n')
    with pytest.raises(InputError, match="not CSV"):
        ragas.read(path, None)


@pytest.mark.parametrize("value", ["nan", "inf", "9" * 400, "true"])
def test_a_limit_of_a_gate_is_a_finite_number(tmp_path, value):
    path = put(tmp_path / "r.toml", f'[[rule]]\nmetric = "m"\nat_most = {value}\n')
    with pytest.raises(ConfigError, match="at_most"):
        read_rules(path)


def test_rules_nested_beyond_reading_are_a_named_fault(tmp_path):
    with pytest.raises(ConfigError, match="not TOML"):
        read_rules(put(tmp_path / "r.toml", f"a = {DEEP}"))


@pytest.mark.parametrize(
    "change",
    [
        {"value": "NaN"},
        {"value": "9" * 400},
        {"value": '"x"'},
        {"item": "[]"},
        {"item": "5"},
        {"metric": "[1]"},
        {"why": "5"},
    ],
)
def test_a_broken_score_of_a_run_is_named_by_its_line(tmp_path, change):
    folder = RunFolder(tmp_path)
    made = made_run("a", {"m": {"q": 1.0}})
    folder.begin(made.info, made.questions, {})
    row = {"item": '"q"', "metric": '"m"', "value": "1", "why": '""'} | change
    text = ", ".join(f'"{key}": {value}' for key, value in row.items())
    put(tmp_path / "scores.jsonl", f"{{{text}}}\n")
    with pytest.raises(InputError, match=r"scores\.jsonl:1"):
        folder.read()


@pytest.mark.parametrize(
    "change", [{"depth": "x"}, {"depth": 0}, {"seed": -1}, {"questions": "many"}, {"arm": 5}]
)
def test_what_a_run_says_of_itself_is_checked(tmp_path, change):
    folder = RunFolder(tmp_path)
    made = made_run("a", {"m": {"q": 1.0}})
    folder.begin(made.info, made.questions, {})
    table = json.loads((tmp_path / "run.json").read_text()) | change
    put(tmp_path / "run.json", json.dumps(table))
    with pytest.raises(InputError, match=r"run\.json"):
        folder.info()


NESTED = {"a": 1}
for _ in range(700):
    NESTED = {"a": NESTED}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"texts": ["q"]}, r"run\.json: texts must be an object and not list"),
        ({"texts": {"q": 5}}, r"run\.json: texts 'q' must be a text and not int"),
        ({"texts": None}, r"run\.json: texts must be an object and not NoneType"),
        ({"filed": "all"}, r"run\.json: filed must be an object and not str"),
        ({"filed": {"q": [1]}}, r"run\.json: filed 'q'"),
        ({"recipe": [1]}, r"run\.json: recipe must be an object and not list"),
        ({"recipe": NESTED}, r"run\.json: recipe must be nested less deeply"),
    ],
)
def test_tables_of_a_wrong_form_in_a_run_are_named(tmp_path, change, said):
    folder = RunFolder(tmp_path)
    made = made_run("a", {"m": {"q": 1.0}})
    folder.begin(made.info, made.questions, {})
    folder.judge(made.scores, made.standings, "1")
    table = json.loads((tmp_path / "run.json").read_text()) | change
    put(tmp_path / "run.json", json.dumps(table))
    with pytest.raises(InputError, match=said):
        folder.read()


def test_a_run_nested_too_deeply_is_named(tmp_path):
    put(tmp_path / "run.json", '{"format": 1, "x": ' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(InputError, match=r"run\.json is nested too deeply"):
        RunFolder(tmp_path).info()


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    real, link = put(tmp_path / "real", "old"), tmp_path / "link"
    real.chmod(0o600)
    link.symlink_to("real")
    write_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "text")
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_place_that_cannot_be_written_is_a_named_fault(tmp_path):
    file = put(tmp_path / "file", "x")
    for path in (file / "under", tmp_path, tmp_path / ("n" * 300)):
        with pytest.raises(InputError, match="cannot be written"):
            write_whole(path, "text")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
