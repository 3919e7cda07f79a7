"""SQuAD's JSON as whole articles."""

import json
from pathlib import Path

import pytest

from answerable.adapters.formats import squad
from answerable.errors import InputError, NotFound
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem


def write(path: Path, *paragraphs: dict) -> Path:
    body = {"version": "v2.0", "data": [{"title": "Oil crisis", "paragraphs": list(paragraphs)}]}
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


def asked(name: str, *answers: tuple[str, int], **more: object) -> dict:
    rows = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": name, "question": f"{name}?", "answers": rows, **more}


def test_answers_are_places_in_the_whole_article(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.json",
        {"context": "It began.", "qas": []},
        {
            "context": "In October 1973 it began.",
            "qas": [
                asked("a", ("October 1973", 3), ("1973", 11), ("October 1973", 3)),
                asked("b", is_impossible=True),
            ],
        },
    )
    items, texts, problems = squad.read(path)
    assert texts == {"Oil_crisis": "It began.\n\nIn October 1973 it began."}
    assert problems == ()
    assert items == (
        GoldenItem(
            "a",
            "a?",
            (Evidence("Oil_crisis", "October 1973", Span(14, 26)),),
            ((Evidence("Oil_crisis", "1973", Span(22, 26)),),),
            ("October 1973", "1973"),
        ),
        GoldenItem("b", "b?", answerable=False),
    )
    assert texts["Oil_crisis"][14:26] == "October 1973"


def test_a_wrong_place_costs_its_answer(tmp_path: Path) -> None:
    path = write(tmp_path / "s.json", {"context": "It began.", "qas": [asked("a", ("began", 4))]})
    items, _, problems = squad.read(path)
    assert items[0].evidence == ()
    assert problems == ("question 'a': 'began' is not at 4 of its paragraph",)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        squad.read(tmp_path / "none.json")
    for text in ("[]", "{", '{"data": []}'):
        (tmp_path / "s.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError):
            squad.read(tmp_path / "s.json")
