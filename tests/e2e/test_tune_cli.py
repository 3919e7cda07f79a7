"""`answerable tune` from golden set to advice."""

import json

import pytest

LONG = [f"filler{n} line about nothing in particular goes on here." for n in range(60)]


def golden(rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def place(bench):
    """Twelve pages of eight short sections; each question is about one section."""
    files, rows = {}, []
    for page in range(12):
        parts = [f"# Page {page}"]
        for part in range(8):
            fact = f"the code of widget w{page}x{part} is k{page}y{part}"
            parts += [f"## Part {part}", f"Here {fact}. {' '.join(LONG[part * 7 : part * 7 + 3])}"]
            if part == page % 8:
                rows.append(
                    {
                        "id": f"q{page}",
                        "question": f"What is the code of widget w{page}x{part}?",
                        "evidence": [{"document": f"p{page}.md", "quote": fact}],
                        "answers": [f"k{page}y{part}"],
                    }
                )
        files[f"p{page}.md"] = "\n\n".join(parts)
    rows += [
        {"id": f"n{n}", "question": f"What is the zeppelin of gadget g{n}?", "answerable": False}
        for n in range(6)
    ]
    made = bench(files)
    made.add()
    (made.folder / "golden.jsonl").write_text(golden(rows))
    return made


def test_cut_ends_with_steps_and_advice(place) -> None:
    done = place.cli("tune", "cut", place.folder / "golden.jsonl", "--json")
    assert done.code == 0, done.err
    found = done.json
    assert found["metric"].startswith("complete in ")
    assert next(step["name"] for step in found["steps"]) == "current"
    assert {"change", "because", "delta", "low", "high"} <= set(found["advice"])
    assert all(step["decision"] for step in found["steps"])
    assert set(found["arms"]["current"]) == {f"q{page}" for page in range(12)}
    # The same seed gives the same advice.
    again = place.cli("tune", "cut", place.folder / "golden.jsonl", "--json").json
    assert again["advice"] == found["advice"]
    said = place.cli("tune", "cut", place.folder / "golden.jsonl", "--metric", "complete@1")
    assert said.out.startswith("complete@1 (named)")
    assert "advice: " in said.out


def test_thresholds_need_unanswerable_questions(place) -> None:
    done = place.cli("tune", "thresholds", place.folder / "golden.jsonl", "--json")
    assert done.code == 0, done.err
    assert done.json["current"]["matrix"]["unanswerable"] == {"answered": 0, "refused": 6}
    assert done.json["advice"]["change"] == {}
    only = place.folder / "only.jsonl"
    lines = (place.folder / "golden.jsonl").read_text().splitlines()[:12]
    only.write_text("\n".join(lines))
    done = place.cli("tune", "thresholds", only)
    assert done.code == 2
    assert "every question is answerable" in done.err


def test_fusion_without_vectors_is_refused(place) -> None:
    done = place.cli("tune", "fusion", place.folder / "golden.jsonl")
    assert done.code == 2
    assert "embeds nothing" in done.err


def test_an_unknown_figure_and_too_few_questions_are_said(place) -> None:
    done = place.cli("tune", "cut", place.folder / "golden.jsonl", "--metric", "best@5")
    assert done.code == 2
    few = place.folder / "few.jsonl"
    few.write_text("\n".join((place.folder / "golden.jsonl").read_text().splitlines()[:3]))
    done = place.cli("tune", "cut", few)
    assert done.code == 2
    assert "3 questions are too few for 5 folds" in done.err
