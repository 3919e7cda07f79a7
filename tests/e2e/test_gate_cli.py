"""`answerable gate` and `drift` over run folders on disk: exits and the forms they print."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from answerable.adapters.formats.run_folder import RunFolder
from made_runs import made_run

ITEMS = [f"q{number:02}" for number in range(40)]


def keep(path: Path, right: int, **info) -> Path:
    made = made_run("a", {"complete@5": {i: float(n < right) for n, i in enumerate(ITEMS)}}, **info)
    folder = RunFolder(path)
    folder.begin(made.info, made.questions, {})
    folder.fail([item for item, _ in made.questions], made.failures)
    folder.judge(made.scores, made.standings, made.info.checker)
    return path


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    return keep(tmp_path / "base", 36), keep(tmp_path / "new", 24)


def test_a_run_that_fell_exits_1_and_says_so_in_every_form(run, folders, tmp_path: Path) -> None:
    base, new = folders
    xml, page = tmp_path / "gate.xml", tmp_path / "summary.md"
    done = run(
        "gate", new, "--against", base, "--junit", xml, "--summary", page, "--github", "--json"
    )
    assert done.code == 1
    assert done.json["passed"] is False
    (failure,) = done.json["failures"]
    assert failure["metric"] == "complete@5"
    assert set(failure["questions"]) <= set(ITEMS[24:36])
    assert ElementTree.parse(xml).getroot().attrib["failures"] == "1"
    assert "## policies a: failed" in page.read_text()
    assert done.err.startswith("::error title=")


def test_a_run_that_stands_exits_0(run, folders) -> None:
    base, _ = folders
    done = run("gate", base, "--against", base)
    assert done.code == 0
    assert "holds   complete@5 not worse by 0.02" in done.out


def test_bounds_need_no_baseline_and_a_baseline_of_another_set_exits_2(
    run, folders, tmp_path: Path
) -> None:
    _base, new = folders
    rules = tmp_path / "rules.toml"
    rules.write_text('[[rule]]\nmetric = "complete@5"\nat_least = 0.6\n')
    assert run("gate", new, "--rules", rules).code == 0
    rules.write_text('[[rule]]\nmetric = "complete@5"\nat_least = 0.61\n')
    assert run("gate", new, "--rules", rules).code == 1
    other = keep(tmp_path / "other", 36, golden_sha256="c3" * 32)
    assert run("gate", new, "--against", other).code == 2
    rules.write_text('[[rule]]\nmetric = "complete@5"\nat_leest = 0.6\n')
    done = run("gate", new, "--rules", rules)
    assert done.code == 2
    assert "unknown key at_leest" in done.err


def test_drift_names_the_newest_run_that_leaves_the_limits(run, tmp_path: Path) -> None:
    days = [
        keep(tmp_path / f"{day:02}", 34 + day % 3, at=f"2026-03-{day + 1:02}T00:00:00Z")
        for day in range(12)
    ]
    done = run("drift", *days, "--baseline", "10", "--json")
    assert done.code == 0
    (metric,) = done.json["metrics"]
    assert metric["layer"] == "retrieval"
    assert metric["signals"] == []
    last = keep(tmp_path / "fell", 20, at="2026-04-01T00:00:00Z")
    done = run("drift", *days, last, "--baseline", "10")
    assert done.code == 1
    assert "2026-04-01T00:00:00Z: 0.5000 is below the limit" in done.out


def test_drift_of_live_questions_waits_for_enough_of_them(run, bench) -> None:
    place = bench({"a.md": "# Cats\n\nThe cat sleeps on the sofa."})
    place.add()
    for _ in range(3):
        place.base.ask("Where does the cat sleep?")
    done = run("drift", "--kb", place.folder, "--per", "1", "--json")
    assert done.code == 0
    assert done.json["drifting"] is False
    coverage = next(one for one in done.json["metrics"] if one["metric"] == "coverage")
    assert len(coverage["points"]) == 3
    assert coverage["low"] is None
    assert "6 more points needed" in run("drift", "--kb", place.folder, "--per", "1").out
