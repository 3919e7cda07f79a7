"""The Markdown report, and numbers in words."""

from dataclasses import replace

import pytest

from answerable.adapters.formats.figures import chance, evidence, number, rank, signed, where
from answerable.adapters.formats.report_html import report as html
from answerable.adapters.formats.report_markdown import report, text
from answerable.measure.compare import compare_all
from answerable.records.runs import Decision, Failure, Filed, Standing
from made_runs import made_run


def test_a_report_as_it_stands() -> None:
    names = [f"q{i}" for i in range(8)]
    base = made_run(
        "whole", {"m": dict.fromkeys(names, 0.0)}, questions={n: f"Ask {n}|?" for n in names}
    )
    other = made_run(
        "cut",
        {"m": dict.fromkeys(names, 1.0)},
        [Standing("q0", 2, "whole", (), "a_b.md", "markdown", 1200, 2, ("refund",))],
        questions={n: f"Ask {n}|?" for n in names},
    )
    made = report([base, other], compare_all(base, other, ["m"]), ends=1)
    assert made == (
        "## policies\n\n"
        "2 arms, 8 questions, lock a1a1a1a1a1a1 version 3, checker 1\n\n"
        "| layer | metric | whole | cut |\n| --- | --- | --- | --- |\n"
        "| own | m | 0.0000 \\[0.000, 0.000\\] n 8 | 1.0000 \\[1.000, 1.000\\] n 8 |\n\n"
        "### cut against whole\n\n"
        "**cut is better than whole: m 0.0000 -\\> 1.0000, +1.0000 \\[+1.000, +1.000\\], p 0.008; "
        "8 gained, 0 lost, 0 the same, n = 8**\n\n"
        "#### Most gained (8), m\n\n"
        "| question | score | rank | evidence | stands in | words missing |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| `q0` Ask q0\\|? | 0 → 1 | - → 2 | not placed → whole "
        "| a\\_b.md (markdown, 1,200 words, heading depth 2) | refund |\n"
    )


def test_refusals_categories_and_what_is_not_judged() -> None:
    scores = {
        "P@10": {"a": 0.4, "b": 0.0, "c": 0.1},
        "hit@10": {"a": 1.0, "b": 0.0, "c": 1.0},
        "judged@10": {"a": 1.0, "b": 0.5, "c": 0.4},
        "right": {"a": 1.0, "b": 0.0},
    }
    run = replace(
        made_run("now", scores),
        decisions=(
            Decision("a", True, False, False, 0.9),
            Decision("b", True, False, True, 0.8),
            Decision("c", True, True, None, 0.2),
            Decision("n", False, True, True, 0.1),
        ),
        filed=(Filed("a", "number", "", ()), Filed("b", "name|2", "", ())),
    )
    made = report([run])
    # P@10: (0.4 + 0 + 0.1) / 3, and with what is not judged (0.4 + 0.5 + 0.7) / 3.
    assert "| now | P@10 | 0.633 | 0.1667 | 0.5333 | 3 |" in made
    assert "| now | hit@10 | 0.633 | 0.6667 | 1.0000 | 3 |" in made
    # Two of three answerable ones answered, one of them wrongly; the only refused pair half right.
    assert "| now | 2 | 1 | 1 | 0 | 1 | 0.500 | 0.500 | 0.500 | 1.000 |" in made
    assert "| right | number | 1.0000 \\[1.000, 1.000\\] n 1 |" in made
    assert "| right | name\\|2 | 0.0000" in made
    assert "if all unjudged are wrong" in html([run])
    judged = {**scores, "judged@10": dict.fromkeys("abc", 1.0)}
    for say in (report, html):
        assert "unjudged" not in say([made_run("now", judged)])


def test_failures_and_skipped_are_named() -> None:
    many = {f"q{i}": 1.0 for i in range(30)}
    base = made_run("a", {"m": many}, failures=[Failure("x`y", "ask", "time|out")])
    other = made_run("b", {"m": many | {"z": 1.0}})
    made = report([base, other], compare_all(base, other))
    assert (
        "Skipped (2): `x'y` (failed in the base at ask: time\\|out), `z` (missing from the base)"
        in made
    )
    assert "- a: `x'y` at ask: time\\|out" in made


def test_foreign_text_stays_text() -> None:
    assert text("a|b\n<c> `d` [e](f) *g*") == "a\\|b \\<c\\> \\`d\\` \\[e\\](f) \\*g\\*"
    assert text("ask @team, mail a@b, complete@5") == "ask @<!-- -->team, mail a@b, complete@5"


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.68704, "0.6870"), (12.34, "12.3"), (2100.4, "2,100"), (None, "-"), (-1838.2, "-1,838")],
)
def test_numbers(value: float | None, words: str) -> None:
    assert number(value) == words


def test_signs_and_chances() -> None:
    assert [signed(v) for v in (0.5, -0.5, 0.0, -0.00001, 0.00001)] == [
        "+0.5000", "-0.5000", "0.0000", "0.0000", "0.0000",
    ]  # fmt: skip
    assert [chance(p) for p in (0.0004, 0.0123, 1.0)] == ["<0.001", "0.012", "1.000"]


def test_standings_in_words() -> None:
    cut = Standing("q", 7, "cut", (("a", 1), ("b", 2), ("c", 3)), "a", "html", 1500, 0)
    assert (rank(cut), evidence(cut)) == ("7", "cut at a:1, b:2 and 1 more")
    assert where(cut) == "a (html, 1,500 words)"
    missed = Standing("q", None, "missed", (("a", 1),))
    assert (rank(missed), evidence(missed), where(missed)) == ("none", "missed, cut at a:1", "")
    assert evidence(Standing("q", None, "unmeasured")) == "not placed"
    assert evidence(Standing("q", 3, "whole", (("a", 1),))) == "whole"
