"""A run scored from its traces: own measures, failures, order."""

from answerable.flow.judge import Judged, judge
from answerable.flow.locate import Located
from answerable.records.answers import Answer, Route, Trace, Verdict
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.index import Hit
from answerable.records.runs import Failure, FoundPiece

ITEMS = (
    GoldenItem("q1", "Who?", (Evidence("d1", span=Span(0, 4)),), answers=("Ann",)),
    GoldenItem("q2", "When?", (Evidence("d1", span=Span(4, 8)),), answers=("Noon",)),
    GoldenItem("q3", "Why?", answerable=False),
)
GOLDEN = GoldenSet("three", ITEMS, "00")
PIECES = {"c1": FoundPiece("c1", "d1", "a.md", Span(0, 4), 1, 1, "paragraph")}


def trace(item: GoldenItem, *chunks: str) -> Trace:
    return Trace(
        id="t",
        at="",
        recipe_hash="",
        generation="",
        principal="",
        question=item.question,
        route=Route("refuse", ""),
        rankings=(("lexical", tuple(Hit(chunk, 1.0, "lexical") for chunk in chunks)),),
        passages=(),
        answer=Answer("", None, (), True),
        verdict=Verdict(True),
    )


def judged(traces, checks=None, failures=(), unmeasured=None) -> Judged:
    located = Located(GOLDEN, ITEMS, unmeasured or {}, ())
    return judge(located, traces, PIECES, {}, 5, lambda question, text: (), checks or {}, failures)


ALL = {item.id: trace(item, *(["c1"] if item.answerable else [])) for item in ITEMS}


def values(result: Judged, metric: str) -> dict[str, tuple[float | None, str]]:
    return {s.item_id: (s.value, s.why) for s in result.scores if s.metric == metric}


def test_scores_are_those_of_each_question_in_the_order_of_the_set() -> None:
    result = judged(dict(reversed(ALL.items())))
    assert values(result, "complete@5") == {"q1": (1.0, ""), "q2": (0.0, "")}
    assert values(result, "refused") == {"q3": (1.0, "")}
    assert [standing.rank for standing in result.standings] == [1, None, None]
    order = [s.item_id for s in result.scores]
    assert order == sorted(order)
    assert result.failures == ()


def test_a_question_that_failed_is_not_measurable_under_every_metric_of_its_kind() -> None:
    asked = {"q1": ALL["q1"], "q3": ALL["q3"]}
    result = judged(asked, failures=[Failure("q2", "ask", "the model is away")])
    assert values(result, "MRR")["q2"] == (None, "the model is away")
    assert "q2" not in values(result, "refused")
    metrics = {s.metric for s in result.scores if s.item_id == "q1"}
    assert {s.metric for s in result.scores if s.item_id == "q2"} == metrics
    assert result.standings[1].state == "unmeasured"


def test_a_trace_whose_pieces_are_missing_costs_its_question() -> None:
    result = judged({**ALL, "q2": trace(ITEMS[1], "gone")})
    assert [(one.item_id, one.stage) for one in result.failures] == [("q2", "score")]
    assert "'gone'" in result.failures[0].cause
    assert values(result, "MRR") == {"q1": (1.0, ""), "q2": (None, result.failures[0].cause)}


def test_own_measures_may_say_a_number_a_truth_or_why_not() -> None:
    gave = {"q1": True, "q2": (None, "no words"), "q3": 0.25}
    result = judged(ALL, {"own": lambda item, trace: gave[item.id]})
    assert values(result, "own") == {"q1": (1.0, ""), "q2": (None, "no words"), "q3": (0.25, "")}


def test_a_fault_of_an_own_measure_costs_its_own_score_alone() -> None:
    gave = {"q1": float("nan"), "q2": "good"}
    result = judged(ALL, {"own": lambda item, trace: gave[item.id]})
    own = values(result, "own")
    assert [value for value, _ in own.values()] == [None, None, None]
    assert "nan" in own["q1"][1]
    assert "'good'" in own["q2"][1]
    assert "KeyError" in own["q3"][1]
    assert values(result, "complete@5") == {"q1": (1.0, ""), "q2": (0.0, "")}
    assert result.failures == ()


def test_an_own_measure_sees_the_item_as_it_was_written() -> None:
    seen = []
    located = Located(
        GOLDEN, tuple(GoldenItem(i.id, i.question, answerable=i.answerable) for i in ITEMS), {}, ()
    )
    checks = {"own": lambda item, trace: seen.append(item)}
    judge(located, ALL, PIECES, {}, 5, lambda question, text: (), checks, ())
    assert tuple(seen) == ITEMS
