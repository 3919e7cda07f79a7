"""What is quoted beside the best unit."""

from __future__ import annotations

from answerable.grounding.choose import beside
from answerable.grounding.score import Scored
from answerable.grounding.units import Unit
from answerable.records.docs import Span


def scored(name: str, score: float, covered: float, similarity: float) -> Scored:
    unit = Unit("d", Span(0, len(name)), name, "sentence", 0, 0, 0, ())
    return Scored(unit, score, covered, covered, frozenset(), frozenset(), similarity)


def names(best: Scored, *rest: Scored) -> list[str]:
    return [one.unit.text for one in beside([best], [best, *rest], 3)]


def test_the_next_unit_stands_beside_where_it_scores_nearly_as_well() -> None:
    best = scored("best", 1.0, 0.9, 0.6)
    assert names(best, scored("near", 0.9, 0.9, 0.5), scored("far", 0.8, 0.9, 0.9)) == ["near"]
    assert names(best, scored("far", 0.89, 0.9, 0.9)) == []


def test_where_words_tell_little_the_closest_in_meaning_stands_beside() -> None:
    best = scored("words", 0.75, 0.33, 0.22)
    assert names(best, scored("other", 0.6, 0.0, 0.1), scored("meant", 0.5, 0.0, 0.43)) == ["meant"]
    assert names(scored("both", 0.75, 0.33, 0.5), scored("meant", 0.5, 0.0, 0.43)) == []
