"""Rules on a run: bounds, a baseline, and what cannot be measured."""

import pytest

from answerable.errors import ConfigError, NotComparable, UsageError
from answerable.measure.gate import gate
from answerable.records.rules import GateRule
from answerable.records.runs import Failure
from made_runs import made_run

ITEMS = [f"q{number:02}" for number in range(40)]


def run(arm, right, of=40, metric="complete@5", **more):
    """The first `right` of the questions are held."""
    scores = {item: float(at < right) for at, item in enumerate(ITEMS[:of])}
    return made_run(arm, {metric: scores}, **more)


def test_a_mean_at_its_bound_holds_and_below_it_breaks_naming_questions():
    rules = [GateRule("complete@5", at_least=0.75), GateRule("complete@5", at_most=0.8)]
    assert gate(run("a", 30), None, rules).passed
    found = gate(run("a", 29), None, rules)
    assert not found.passed
    assert [failure.rule for failure in found.failures] == ["complete@5 at least 0.75"]
    assert "0.7250 (n = 40)" in found.failures[0].detail
    assert found.failures[0].questions == tuple(ITEMS[29:])
    assert len(found.checked) == 2


def test_what_is_not_measurable_is_not_passed():
    empty = made_run("a", {"complete@5": {"q1": None, "q2": None}})
    found = gate(empty, None, [GateRule("complete@5", at_most=1.0)])
    assert not found.passed
    assert "not measurable in any of 2 questions" in found.failures[0].detail


def test_the_same_run_again_is_not_worse_even_by_nothing():
    rules = [GateRule("complete@5", not_worse_by=0.0)]
    assert gate(run("b", 30), run("a", 30), rules).passed


def test_a_fall_breaks_and_names_the_questions_that_fell():
    rules = [GateRule("complete@5", not_worse_by=0.05)]
    found = gate(run("b", 20), run("a", 30), rules)
    assert not found.passed
    assert set(found.failures[0].questions) == set(ITEMS[20:30])
    assert "difference -0.2500" in found.failures[0].detail
    assert "(0 better, 10 worse of 40)" in found.failures[0].detail


def test_few_questions_do_not_show_that_a_run_is_not_worse():
    # One of four fell: the mean of three others cannot rule a fall of 0.3 out, that of 400 can.
    rules = [GateRule("complete@5", not_worse_by=0.3)]
    assert not gate(run("b", 3, of=4), run("a", 4, of=4), rules).passed
    many = [f"q{number}" for number in range(400)]
    old = made_run("a", {"complete@5": dict.fromkeys(many, 1.0)})
    new = made_run("b", {"complete@5": {i: float(at >= 100) for at, i in enumerate(many)}})
    # A fall of 0.25 with standard error 0.0217: 95 % of samples fall by less than 0.286.
    assert gate(new, old, rules).passed
    assert not gate(new, old, [GateRule("complete@5", not_worse_by=0.28)]).passed
    assert gate(new, old, [GateRule("complete@5", not_worse_by=0.28, confidence=0.8)]).passed


def test_fewer_words_are_better():
    words = {"words@5": dict.fromkeys(ITEMS, 100.0)}
    more = {"words@5": dict.fromkeys(ITEMS, 150.0)}
    rules = [GateRule("words@5", not_worse_by=20)]
    assert gate(made_run("b", words), made_run("a", more), rules).passed
    found = gate(made_run("b", more), made_run("a", words), rules)
    assert "difference +50.0000, at worst +50.0000" in found.failures[0].detail


def test_without_rules_the_headline_metric_must_not_fall():
    assert gate(run("b", 30), run("a", 30)).passed
    assert not gate(run("b", 25), run("a", 30)).passed


@pytest.mark.parametrize(
    ("candidate", "base", "rule", "kind"),
    [
        (run("b", 3), None, GateRule("complete@5", not_worse_by=0.1), NotComparable),
        (
            run("b", 3),
            run("a", 3, golden_sha256="c3" * 32),
            GateRule("complete@5", 0.1),
            NotComparable,
        ),
        (run("b", 3), None, GateRule("nothing@5", at_least=0.1), UsageError),
        (run("b", 3), None, GateRule("complete@5"), ConfigError),
        (
            run("b", 3, failures=[Failure(item, "ask", "time-out") for item in ITEMS[:3]]),
            None,
            GateRule("complete@5", at_least=0.0),
            NotComparable,
        ),
    ],
)
def test_what_cannot_be_judged_is_an_error_and_no_pass(candidate, base, rule, kind):
    with pytest.raises(kind):
        gate(candidate, base, [rule])


def test_questions_that_lost_their_evidence_break_the_gate_though_the_rest_is_right():
    old = made_run("a", {"complete@5": dict.fromkeys(ITEMS, 1.0)})
    lost: dict[str, float | None] = {i: None if at < 10 else 1.0 for at, i in enumerate(ITEMS)}
    new = made_run("b", {"complete@5": lost}, whys=dict.fromkeys(ITEMS, "the quote is not in a.md"))
    rules = [GateRule("complete@5", at_least=0.9), GateRule("complete@5", not_worse_by=0.02)]
    for base in (old, None):
        found = gate(new, base, rules if base else rules[:1])
        assert not found.passed
        (failure,) = found.failures
        assert failure.metric == "evidence"
        assert "gone of 10 of 40 (the quote is not in a.md)" in failure.detail
        assert failure.questions == tuple(ITEMS[:10])
    # What the baseline could not place either is not the candidate's loss; 2 of 40 are within 5 %.
    assert gate(new, new, rules[1:]).passed
    few = made_run("b", {"complete@5": {i: None if at < 2 else 1.0 for at, i in enumerate(ITEMS)}})
    assert gate(few, old, rules).passed


def test_where_no_question_got_worse_it_says_what_so_few_could_hide():
    found = gate(run("b", 3, of=3), run("a", 3, of=3), [GateRule("complete@5", not_worse_by=0.01)])
    assert found.passed
    # Of 3 questions none worse: 1 - 0.05 ** (1 / 3) of all may be, with 95 % confidence.
    assert "so few could hide a fall of 0.63" in found.checked[0]
