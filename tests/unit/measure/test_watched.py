"""Series of runs and of live questions."""

from answerable.measure.drift import Point
from answerable.measure.watched import of_runs, of_traces
from answerable.records.answers import Answer, Citation, Route, Sentence, Trace, Verdict
from answerable.records.docs import Span
from made_runs import made_run


def trace(at, *, coverage=None, refused=False, cited=1, passed=True, seconds=0.5):
    citations = tuple(
        Citation("d", "d.md", "D", "", (), Span(place, place + 1), "x") for place in range(cited)
    )
    return Trace(
        id=at,
        at=at,
        recipe_hash="",
        generation="",
        principal="",
        question="?",
        route=Route("answer", "", () if coverage is None else (("coverage", coverage),)),
        rankings=(),
        passages=(),
        answer=Answer("", None, (Sentence(Span(0, 1), "x", citations),), refused),
        verdict=Verdict(passed),
        seconds=(("search", seconds), ("answer", 0.25)),
    )


def test_runs_are_ordered_by_time_and_metrics_by_layer():
    late = made_run("a", {"right": {"q": 1.0}, "complete@5": {"q": 0.0, "r": 1.0}}, at="2026-02")
    early = made_run("a", {"right": {"q": 0.0}, "complete@5": {"q": None, "r": None}}, at="2026-01")
    series = of_runs([late, early])
    assert list(series) == ["complete@5", "right"]
    assert series["right"] == [Point("2026-01", 0.0, 1), Point("2026-02", 1.0, 1)]
    assert series["complete@5"] == [Point("2026-02", 0.5, 2)]
    assert list(of_runs([late], ["right"])) == ["right"]


def test_live_questions_are_grouped_and_what_none_has_gives_no_point():
    asked = [
        trace("1", coverage=0.5, cited=2),
        trace("2", coverage=0.7, refused=True, passed=False),
        trace("3", refused=True),
        trace("4", seconds=1.5),
        trace("5"),
    ]
    series = of_traces(asked, per=2)
    assert series["coverage"] == [Point("2", 0.6, 2)]
    assert "similarity" not in series
    assert series["refused"] == [Point("2", 0.5, 2), Point("4", 0.5, 2)]
    assert series["withheld"] == [Point("2", 0.5, 2), Point("4", 0.0, 2)]
    assert series["cited passages"] == [Point("2", 2.0, 1), Point("4", 1.0, 1)]
    assert series["seconds"] == [Point("2", 0.75, 2), Point("4", 1.25, 2)]
    assert series["found nothing"] == [Point("2", 1.0, 2), Point("4", 1.0, 2)]
