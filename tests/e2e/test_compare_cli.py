"""`answerable compare` over run folders on disk: numbers, exits, and the forms it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.adapters.formats.run_folder import RunFolder
from answerable.records.runs import Failure, Run, Standing
from made_runs import made_run


def keep(made: Run, path: Path) -> Path:
    folder = RunFolder(path)
    folder.begin(made.info, made.questions, {})
    folder.fail([item for item, _ in made.questions], made.failures)
    folder.judge(made.scores, made.standings, made.info.checker)
    return path


def stood(
    item: str, rank: int | None, state: str, cuts: tuple[tuple[str, int], ...] = ()
) -> Standing:
    return Standing(item, rank, state, cuts, f"{item}.md", "markdown", 120, 1, ("refund",))


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    stay = {f"s{i}": 1.0 for i in range(20)}
    base = made_run(
        "whole",
        {
            "complete@5": {"up": 0.0, "down": 1.0, "gone": 1.0, **stay},
            "words@5": {"up": 900.0, "down": 900.0},
        },
        [stood("up", 9, "missed"), stood("down", 1, "whole")],
        questions={item: f"Where is {item}?\x1b[31m" for item in ("up", "down", "gone", *stay)},
    )
    other = made_run(
        "cut",
        {"complete@5": {"up": 1.0, "down": 0.0, **stay}, "words@5": {"up": 200.0, "down": 100.0}},
        [stood("up", 2, "whole"), stood("down", None, "cut", (("down.md", 44),))],
        [Failure("gone", "ask", "time-out")],
        {item: f"Where is {item}?" for item in ("up", "down", "gone", *stay)},
    )
    return keep(base, tmp_path / "a"), keep(other, tmp_path / "b")


def test_json_has_the_contracts_fields(run, folders: tuple[Path, Path]) -> None:
    done = run("compare", *folders, "--json")
    assert done.code == 0
    found = done.json
    assert {
        "metric", "base", "candidate", "delta", "low", "high", "p", "wins", "ties", "losses", "n",
        "skipped", "detectable", "gained", "lost", "traits",
    } <= set(found)  # fmt: skip
    assert (found["metric"], found["base"], found["candidate"]) == ("complete@5", "whole", "cut")
    assert (found["delta"], found["wins"], found["ties"], found["losses"]) == (0.0, 1, 20, 1)
    assert (found["n"], found["p"]) == (22, 1.0)
    assert found["skipped"] == [["gone", "failed in the candidate at ask: time-out"]]
    assert [move["item_id"] for move in found["gained"]] == ["up"]
    (lost,) = found["lost"]
    assert (lost["base"]["rank"], lost["candidate"]["rank"]) == (1, None)
    assert lost["candidate"]["cuts"] == [["down.md", 44]]
    assert [one["metric"] for one in found["metrics"]] == ["complete@5", "words@5"]
    assert found["metrics"][1]["delta"] == -750.0
    assert found["verdict"].startswith("no difference shown (22 questions can show")


def test_words_for_a_person(run, folders: tuple[Path, Path]) -> None:
    done = run("compare", *folders)
    assert done.code == 0
    assert done.out.startswith("no difference shown (22 questions can show ")
    assert "complete@5 0.9545 -> 0.9545, 0.0000" in done.out
    assert "rank 1 -> none; whole -> cut at down.md:44; down.md (markdown, 120 words" in done.out
    assert "gone: failed in the candidate at ask: time-out" in done.out
    assert "\x1b" not in done.out
    assert "equal" not in done.out


def test_markdown_and_a_page(run, folders: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "out" / "report.html"
    done = run("compare", *folders, "--markdown", "--metric", "words@5", "--html", page)
    assert done.code == 0
    assert done.out.startswith("## policies\n")
    assert "| words@5 " not in done.out.split("### cut against whole")[1]
    assert "#### Most gained (2), words@5" in done.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert str(page) in done.err


def test_another_depth(run, folders: tuple[Path, Path]) -> None:
    found = run("compare", *folders, "--depth", "1", "--json").json
    # Within one piece `up` stands whole in neither run.
    assert (found["metric"], found["depth"], found["wins"], found["losses"]) == (
        "complete@1",
        1,
        0,
        1,
    )


def test_what_cannot_be_compared_exits_2_and_says_what_differs(
    run, folders: tuple[Path, Path], tmp_path: Path
) -> None:
    scores = {"complete@5": {"up": 1.0}}
    other = keep(made_run("new", scores, golden_sha256="c3" * 32, checker="2"), tmp_path / "c")
    done = run("compare", folders[0], other)
    assert done.code == 2
    assert done.out == ""
    assert "golden set b2b2b2b2b2b2 against c3c3c3c3c3c3; checker version 1 against 2" in done.err
    assert run("compare", *folders, "--metric", "nope").code == 2
    assert run("compare", folders[0], tmp_path / "nowhere").code == 2
    (tmp_path / "empty").mkdir()
    assert run("compare", folders[0], tmp_path / "empty").code == 3


def test_further_arms_stand_on_the_page(run, folders: tuple[Path, Path], tmp_path: Path) -> None:
    questions = dict.fromkeys(("up", "down"), "Where?")
    third = made_run("third", {"complete@5": {"up": 1.0, "down": 1.0}}, questions=questions)
    also = keep(third, tmp_path / "c")
    page = tmp_path / "report.html"
    assert run("compare", *folders, "--also", also, "--html", page, "--json").code == 0
    source = page.read_text(encoding="utf-8")
    assert "<bdi>third</bdi> against <bdi>whole</bdi>" in source
    assert "<bdi>cut</bdi> against <bdi>whole</bdi>" in source
