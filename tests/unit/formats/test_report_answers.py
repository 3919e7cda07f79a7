"""What the report says of refusing, of categories and of the strict pass, counted by hand."""

import re
from dataclasses import replace

import pytest

from answerable.adapters.formats.report_html import report
from answerable.records.evals import Score
from answerable.records.runs import Decision, Filed, Run
from made_runs import made_run

SCORES = {
    "complete@5": {"a": 1.0, "b": 0.0, "c": 1.0},
    "right": {"a": 1.0, "b": 0.0, "c": None},
    "refused": {"x": 0.0, "y": 1.0},
}
FILED = (
    Filed("a", "date"),
    Filed("b", "date"),
    Filed("x", "none <i>", "", ("t",)),
    Filed("y", "none <i>"),
)
DECISIONS = (
    Decision("a", True, False, False, 0.9),
    Decision("b", True, False, True, 0.8),
    Decision("c", True, True, None, 0.3),
    Decision("x", False, False, True, 0.7),
    Decision("y", False, True, True, 0.1),
)
STRICT = (
    Score("a", "strict", 1.0),
    Score("b", "strict", 0.0, "wrong answer; required id missing"),
    Score("c", "strict", 0.0, "refused though answerable"),
    Score("x", "strict", 0.0, "answered though unanswerable"),
)


@pytest.fixture
def run() -> Run:
    made = made_run("now", SCORES)
    return replace(made, scores=(*made.scores, *STRICT), decisions=DECISIONS, filed=FILED)


def section(source: str, anchor: str) -> str:
    found = re.search(rf'<section id="{anchor}">.*?</section>', source)
    return found[0] if found else ""


def cells(row: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]


def rows(part: str) -> list[list[str]]:
    return [cells(row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", part)]


def holds(source: str) -> None:
    """Every link leads somewhere, and to one place."""
    ids = re.findall(r' id="([^"]+)"', source)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', source)) <= set(ids)


def test_the_confusion_matrix_and_its_shares(run: Run) -> None:
    source = report([run])
    _, answerable, unanswerable = rows(section(source, "refusing"))
    # Of a b x one is right, so risk is 2 of 3; three of five answered. One of two refusals was
    # of an unanswerable question, one of two of these was refused. c has no answer to judge; of
    # the other four, 0, 1/2, 2/3 and 3/4 are wrong among the surest 1, 2, 3 and 4.
    aurc = (0 + 1 / 2 + 2 / 3 + 3 / 4) / 4
    assert answerable == [
        "now", "answerable", "2 1 wrong", "1",
        "0.600", "0.667", "0.500", "0.500", "0.500", f"{aurc:.3f}", f"{aurc:.3f}", "1",
    ]  # fmt: skip
    assert unanswerable == ["unanswerable", "1", "1"]
    assert re.search(r'id="r-0-1"><h4><bdi>now: answerable and refused \(1\)</bdi></h4>', source)
    holds(source)


def test_the_curve_has_every_arm_its_area_and_where_it_stands(run: Run) -> None:
    shy = tuple(replace(one, refused=True) for one in DECISIONS if not one.answerable)
    other = made_run("shy", SCORES)
    source = report([run, replace(other, decisions=shy + DECISIONS[:1])])
    drawn = re.search(r'<svg[^>]*aria-label="Risk by coverage">.*?</svg>', source)
    assert drawn
    assert "now: AURC 0.479, ideal 0.479; 4 questions placed, 1 not" in drawn[0]
    # Sure and right in a; x and y after it: 0, 1/2, 2/3.
    assert "shy: AURC 0.389, ideal 0.389; 3 questions placed, 0 not" in drawn[0]
    assert "now now: of 4 placed 75.0% answered, risk 66.7%" in drawn[0]
    assert "shy now: of 3 placed 33.3% answered, risk 0.0%" in drawn[0]
    # The plot is 366 wide from 46 and 278 high down to 290; risk goes up to 0.8.
    points = re.search(r'points="([^"]+)"', drawn[0])
    assert points
    assert points[1].split() == [
        f"{46 + 366 * at / 4:.1f},{290 - 278 * risk / 0.8:.1f}"
        for at, risk in ((1, 0), (1, 0), (2, 1 / 2), (3, 2 / 3), (4, 3 / 4))
    ]


def test_without_a_judged_answer_risk_is_of_unanswerable_questions(run: Run) -> None:
    unjudged = tuple(replace(one, wrong=None if one.answerable else True) for one in DECISIONS)
    source = report([replace(run, decisions=unjudged)])
    assert "share of unanswerable questions among those answered" in source
    # Surest first: a b right, x not, c right, y not.
    area = (0 + 0 + 1 / 3 + 1 / 4 + 2 / 5) / 5
    assert f"AURC {area:.3f}, ideal {(1 / 4 + 2 / 5) / 5:.3f}; 5 questions placed" in source
    assert rows(section(source, "refusing"))[1][2:6] == [
        "2 0 wrong, 2 not judged",
        "1",
        "0.600",
        "0.333",
    ]


def test_each_metric_by_category(run: Run) -> None:
    source = report([run])
    found = rows(section(source, "categories"))
    assert [
        (row[0], row[1].split(" [")[0], row[1].split("] ")[-1]) for row in found if row[1:]
    ] == [
        ("category", "now", "now"),
        ("no category", "1.0000", "n 1"),
        ("date", "0.5000", "n 2"),
        ("no category", "not measurable n 0, 1 unscored", "not measurable n 0, 1 unscored"),
        ("date", "0.5000", "n 2"),
        ("none &lt;i&gt;", "0.5000", "n 2"),
    ]
    assert [row for row in found if not row[1:]] == [["complete@5"], ["right"], ["refused"]]
    assert "<bdi>refused, none &lt;i&gt;, now: 0.5000, n=2 of 2</bdi>" in source
    holds(source)


def test_what_keeps_from_the_strict_pass(run: Run) -> None:
    source = report([run, made_run("other", SCORES)])
    assert rows(section(source, "strict")) == [
        ["cause", "now", "other"],
        ["wrong answer", "1", "0"],
        ["required id missing", "1", "0"],
        ["answered though unanswerable", "1", "0"],
        ["refused though answerable", "1", "0"],
    ]
    assert 'id="k-0"' in source
    holds(source)


def test_a_run_that_kept_none_of_it_has_none_of_the_sections() -> None:
    source = report([made_run("old", SCORES)])
    for anchor in ("categories", "refusing", "strict"):
        assert f'"{anchor}"' not in source
        assert f"#{anchor}" not in source
    assert "Risk by coverage" not in source
    holds(source)


def test_an_arm_of_which_nothing_was_measured_is_reported(run: Run) -> None:
    source = report([run, made_run("gone", {})])
    assert [row for row in rows(section(source, "categories")) if not row[1:]] == [
        ["right"],
        ["refused"],
    ]
    holds(source)
