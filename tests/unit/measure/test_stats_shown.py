"""Exact p values, Holm, and the smallest difference that can be shown, against other ways."""

from fractions import Fraction
from math import comb
from statistics import NormalDist

import numpy as np
import pytest

from answerable.measure.stats import detectable, holm, mean, paired


def test_p_of_equal_moves_is_the_sign_test() -> None:
    # 25 up and 36 down of 323, by 1 each: 2 * P(Binomial(61, 1/2) <= 25), by whole numbers.
    exact = 2 * Fraction(sum(comb(61, k) for k in range(26)), 2**61)
    found = paired(
        [0.0] * 25 + [1.0] * 36 + [1.0] * 262, [1.0] * 25 + [0.0] * 36 + [1.0] * 262, seed=0
    )
    assert found.p == pytest.approx(float(exact), rel=1e-12)
    assert (found.wins, found.losses, found.ties) == (25, 36, 262)


def test_p_of_few_moves_counts_every_sign_change() -> None:
    # Sums of +-1 +-2 +-4: of the 8, only +7 and -7 are as far from 0 as 7.
    assert paired([0.0, 0.0, 0.0, 5.0], [1.0, 2.0, 4.0, 5.0], seed=0).p == 2 / 8
    # +5 is reached by +7, +5, -5, -7.
    assert paired([1.0, 0.0, 0.0], [0.0, 2.0, 4.0], seed=0).p == 4 / 8


def test_p_of_many_moves_is_near_the_normal_limit() -> None:
    # Sign changes of many bounded differences add up to a normal with variance sum(d^2).
    d = np.random.default_rng(4).normal(0.02, 1, 5000)
    limit = 2 * (1 - NormalDist().cdf(abs(d.sum()) / float(np.sqrt((d**2).sum()))))
    assert paired([0.0] * 5000, d.tolist(), seed=7).p == pytest.approx(limit, abs=0.015)


def test_the_interval_of_a_share_of_many_is_the_binomial_one() -> None:
    values = [1.0] * 3300 + [0.0] * 7700
    found = mean(values, seed=1)
    half = 1.96 * (0.3 * 0.7 / 11_000) ** 0.5
    assert found.high - found.low == pytest.approx(2 * half, rel=0.08)
    assert found.low < 0.3 < found.high


def test_holm_as_worked_by_hand() -> None:
    # Sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04, and never falling: .06 for the last.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.6, 0.9]) == (1.0, 1.0)
    assert holm([0.04]) == (0.04,)
    assert holm([]) == ()


@pytest.mark.parametrize(("n", "d"), [(15, 0.8), (34, 0.5), (90, 0.3), (199, 0.2)])
def test_the_detectable_effect_is_that_of_the_published_sample_sizes(n: int, d: float) -> None:
    # A paired t test, two-sided 5 %, power 80 %, needs 14.3, 33.4, 89.2 and 198.2 pairs for
    # d = 0.8, 0.5, 0.3 and 0.2 (noncentral t; G*Power prints 15, 34, 90 and 199).
    values = np.random.default_rng(n).normal(size=n)
    values = 3 * (values - values.mean()) / values.std(ddof=1)
    found = detectable(values.tolist())
    assert found is not None
    assert found == pytest.approx(3 * d, rel=0.03)
    assert found <= 3 * d


def test_a_detectable_difference_is_shown_in_four_of_five_repetitions() -> None:
    rng = np.random.default_rng(11)
    n = 120
    sample = rng.choice([-1.0, 0.0, 1.0], p=[0.15, 0.7, 0.15], size=n)
    least = detectable(sample.tolist())
    assert least is not None
    # A population with as much movement whose true mean is the difference named.
    moved = float((sample != 0).mean())
    p = [(moved - least) / 2, 1 - moved, (moved + least) / 2]
    shown = [
        paired([0.0] * n, rng.choice([-1.0, 0.0, 1.0], p=p, size=n).tolist(), seed=0).p <= 0.05
        for _ in range(600)
    ]
    # The sign test is a little less powerful than the formula: its p comes in steps.
    assert 0.72 <= float(np.mean(shown)) <= 0.88


def test_where_nothing_moved_enough_questions_must_move() -> None:
    # Six moving one way have p = 2/64; for 300 questions, 7.87 must be expected to move so that
    # six do with 80 % (Poisson limit 7.906; the binomial is a little narrower).
    assert detectable([0.0] * 300) == pytest.approx(7.87 / 300, rel=1e-3)
    assert detectable([0.0] * 299 + [0.5]) == pytest.approx(0.5 * 7.87 / 300, rel=1e-3)
    # Five pairs at most reach p = 2/32; of six, all must move, which 0.8^(1/6) each does.
    assert detectable([0.5] * 5) is None
    assert detectable([0.0] * 6) == pytest.approx(0.8 ** (1 / 6), rel=1e-6)
