"""When to refuse, on questions whose evidence tells right from wrong by how it was made."""

import time

import pytest

from answerable.errors import UsageError
from answerable.flow.locate import Located
from answerable.flow.tune_thresholds import PERMISSIVE, tune_thresholds
from answerable.rank.route import route
from answerable.records.answers import Answer, Citation, Route, Sentence, Trace, Verdict
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.recipe import Recipe, RouteRule

NOW = RouteRule()


def trace(item, said, evidence):
    cited = Citation("d", "d.md", "D", "", (), Span(0, 5), "quote")
    way = route(evidence, (), PERMISSIVE)
    answer = Answer(said, said, (Sentence(Span(0, len(said)), said, (cited,)),), False)
    return Trace(
        item, "", "", "", "", "?", Route(way.name, "", way.evidence), (), (), answer, Verdict(True)
    )


def bench(rows):
    """Rows of (answerable, says the right thing, coverage) as golden set and asker."""
    items, traces = [], {}
    for number, (answerable, good, coverage) in enumerate(rows):
        name = f"q{number:03}"
        evidence = (Evidence("d", "", Span(0, 5)),) if answerable else ()
        items.append(
            GoldenItem(name, "?", evidence, answers=("yes",) * answerable, answerable=answerable)
        )
        traces[name] = trace(name, "yes" if good else "no", {"coverage": coverage})
    asked = []

    def ask_all(recipe, questions):
        asked.append((recipe, tuple(questions)))
        return {name: traces[name] for name, _ in questions}

    golden = GoldenSet("g", tuple(items), "")
    return Located(golden, golden.items, {}, ()), ask_all, asked


def tuned(rows, cost=1.0):
    located, ask_all, asked = bench(rows)
    found = tune_thresholds(Recipe(), located, ask_all, seconds=time.perf_counter, cost=cost)
    return found, asked


def test_a_threshold_that_parts_right_from_wrong_is_found_and_advised():
    rows = [(True, True, 0.65)] * 30 + [(True, False, 0.35)] * 15 + [(False, False, 0.35)] * 15
    found, asked = tuned(rows)
    assert dict(found.advice.change).keys() == {"ask.route.min_coverage"}
    assert 0.35 < float(dict(found.advice.change)["ask.route.min_coverage"]) <= 0.65
    # Now 30 right and 30 wrong are worth 0; refusing the wrong ones is worth 0.5 a question.
    assert dict(found.steps[0].values)["worth"] == pytest.approx(0.0)
    assert dict(found.steps[1].values)["worth"] == pytest.approx(0.5)
    assert found.advice.delta == pytest.approx(0.5)
    assert found.advice.low > 0
    assert (found.current.declined, found.tuned.declined) == (0, 15)
    assert (found.tuned.answered, found.tuned.refused) == (30, 15)
    # Every question is asked once, under a rule that refuses nothing, without its key.
    (recipe, questions), *rest = asked
    assert not rest
    assert recipe.ask.route == PERMISSIVE
    assert set(questions) == {(f"q{n:03}", "?") for n in range(60)}


def test_where_evidence_tells_nothing_the_current_rule_stays():
    rows = [(True, at % 2 == 0, 0.5) for at in range(40)] + [(False, False, 0.5)] * 4
    found, _ = tuned(rows)
    assert found.advice.change == ()
    assert "no rule is shown to be worth more" in found.advice.because


def test_a_dearer_mistake_makes_refusing_worth_more():
    rows = [(True, True, 0.3)] * 20 + [(False, False, 0.3)] * 10 + [(True, True, 0.65)] * 20
    cheap, _ = tuned(rows, cost=1.0)
    dear, _ = tuned(rows, cost=5.0)
    assert cheap.tuned.answered == 40
    assert dear.tuned.answered == 20
    assert dear.tuned.declined == 10


def test_what_cannot_be_judged_is_refused_at_once():
    with pytest.raises(UsageError, match="every question is answerable"):
        tuned([(True, True, 0.5)] * 10)
