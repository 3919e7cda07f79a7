"""The route and its reasons."""

from __future__ import annotations

import pytest

from answerable.rank.route import route
from answerable.records.recipe import RouteRule

RULE = RouteRule(min_coverage=0.35, min_similarity=0.3, sure_coverage=0.8, max_unknown=0.35)


@pytest.mark.parametrize(
    ("evidence", "missing", "name", "reason"),
    [
        ({"rare_missing": 1.0}, (), "refuse", "nothing was found"),
        (
            {"coverage": 0.21, "similarity": 0.1},
            (),
            "refuse",
            "the best passage covers 21 % of the question's words; 35 % are needed",
        ),
        ({"coverage": 0.9}, ("ERR-9999",), "refuse", "'ERR-9999' is in no passage found"),
        ({"coverage": 0.9}, ("A-1", "B-2"), "refuse", "'A-1', 'B-2' are in no passage found"),
        (
            {"coverage": 0.7, "similarity": 0.1},
            (),
            "refuse",
            "the closest sentence has similarity 0.10 to the question; 0.30 is needed",
        ),
        (
            {"coverage": 0.9, "similarity": 0.1},
            (),
            "answer",
            "the best passage covers 90 % of the question's words; "
            "its closest sentence has similarity 0.10",
        ),
        (
            {"coverage": 0.9, "rare_missing": 0.4},
            (),
            "refuse",
            "40 % of the question's words stand in no document; at most 35 % may "
            "(max_unknown 0.35)",
        ),
        (
            {"coverage": 0.9, "rare_missing": 0.8, "similarity": 0.5},
            (),
            "refuse",
            "80 % of the question's words stand in no document; at most 70 % may "
            "(twice max_unknown 0.35, as the closest sentence reaches similarity 0.30)",
        ),
        (
            {"coverage": 0.4, "rare_missing": 0.6, "similarity": 0.5, "name": 0.0},
            (),
            "refuse",
            "60 % of the question's words stand in no document; at most 35 % may "
            "(max_unknown 0.35)",
        ),
        (
            {"coverage": 0.4, "rare_missing": 0.6, "similarity": 0.5, "name": 1.0},
            (),
            "answer",
            "the best passage covers 40 % of the question's words; "
            "its closest sentence has similarity 0.50",
        ),
        (
            {"coverage": 0.9, "value": 0.0},
            (),
            "refuse",
            "the closest sentences do not hold the kind of figure that is asked for",
        ),
        ({"coverage": 0.35}, (), "answer", "the best passage covers 35 % of the question's words"),
    ],
)
def test_route(
    evidence: dict[str, float], missing: tuple[str, ...], name: str, reason: str
) -> None:
    way = route(evidence, missing, RULE)
    assert (way.name, way.reason) == (name, reason)
    assert dict(way.evidence) == evidence
