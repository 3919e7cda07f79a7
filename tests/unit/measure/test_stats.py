"""Intervals and p values against hand-worked and enumerated ones."""

import itertools

import numpy as np
import pytest

from answerable.errors import InputError, NotComparable
from answerable.measure.stats import mean, paired, pairs
from answerable.records.evals import Score


def test_failures_travel_with_the_mean() -> None:
    found = mean([1.0, None, 0.9, 0.6, None, None, 0.7], seed=1)
    assert found.value == pytest.approx(0.8)
    assert found.strict == pytest.approx(3.2 / 7)
    assert (found.n, found.unscored) == (4, 3)
    assert found.low <= 0.8 <= found.high


def test_all_failed_is_no_mean() -> None:
    found = mean([None, None], seed=1)
    assert (found.value, found.low, found.n, found.unscored) == (None, None, 0, 2)


def test_interval_is_about_two_standard_errors_and_repeats_by_seed() -> None:
    values = np.random.default_rng(5).normal(10, 2, 400).tolist()
    found = mean(values, seed=3)
    half = 1.96 * np.std(values) / 20
    assert found.high - found.low == pytest.approx(2 * half, rel=0.08)
    assert mean(values, seed=3) == found != mean(values, seed=4)


def test_p_approaches_the_exact_permutation_p() -> None:
    differences = [0.3, 0.1, -0.05, 0.2, 0.15, -0.1, 0.25, 0.05]
    observed = abs(sum(differences))
    signs = list(itertools.product((1, -1), repeat=8))
    exact = np.mean(
        [
            abs(sum(s * d for s, d in zip(row, differences, strict=True))) >= observed - 1e-12
            for row in signs
        ]
    )
    found = paired([0.0] * 8, differences, seed=2, draws=40_000)
    assert found.p == pytest.approx(exact, abs=0.006)
    assert (found.wins, found.ties, found.losses) == (6, 0, 2)
    assert found.delta == pytest.approx(np.mean(differences))


def test_no_difference_is_p_one() -> None:
    found = paired([0.1 + 0.2, 1.0], [0.3, 1.0], seed=1)
    assert (found.p, found.ties, found.delta, found.low, found.high) == (1.0, 2, 0.0, 0.0, 0.0)


def test_what_cannot_be_compared() -> None:
    with pytest.raises(NotComparable):
        paired([1.0], [1.0, 2.0], seed=1)
    with pytest.raises(NotComparable):
        paired([], [], seed=1)
    with pytest.raises(InputError):
        mean([float("nan")], seed=1)


def test_pairs_are_items_measured_on_both_sides() -> None:
    first = [Score("a", "m", 1.0), Score("b", "m", None), Score("c", "m", 0.5)]
    second = [Score("c", "m", 0.0), Score("a", "m", 0.2), Score("b", "m", 1.0)]
    assert pairs(first, second) == (("a", "c"), (1.0, 0.5), (0.2, 0.0))


def test_the_order_of_questions_changes_no_digit() -> None:
    drawn = np.random.default_rng(11)
    before, after = drawn.random(40), drawn.random(40)
    order = drawn.permutation(40)
    assert paired(before, after, seed=3) == paired(before[order], after[order], seed=3)
    assert mean(before.tolist(), seed=3) == mean(before[order].tolist(), seed=3)
