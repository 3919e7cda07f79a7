"""Agreement of two labellers, and what a number of questions can show."""

from math import sqrt

import numpy as np
import pytest

from answerable.errors import NotComparable
from answerable.measure.agreement import Agreement, agreement
from answerable.measure.power import detectable_share


def test_kappa_by_hand() -> None:
    # The example of scikit-learn's cohen_kappa_score: 4 of 5 equal, by chance
    # (2*3 + 1*1 + 2*1) / 25 = 0.36, so (0.8 - 0.36) / 0.64 = 0.6875. With squared distances: one
    # pair 2-0 weighs 4, expected are 0.4 + 1.6 + 0.6 + 0.2 + 4.8 + 0.4 = 8, so 1 - 4/8.
    found = agreement([0, 2, 0, 1, 2], [0, 2, 0, 1, 0])
    assert found.n == 5 and found.same == 0.8
    assert found.kappa == pytest.approx(0.6875, abs=1e-12)
    assert found.weighted == pytest.approx(0.5, abs=1e-12)


def test_near_misses_weigh_less_than_far_ones() -> None:
    # By hand: rows 0,1,2,3 once each; columns the same. Kappa is (0.5 - 0.25) / 0.75 both times;
    # sum(w * E) = (2*1*3 + 2*4*2 + 2*9*1) / 4 = 10, sum(w * O) = 2 and 18.
    near = agreement([0, 1, 2, 3], [1, 0, 2, 3])
    far = agreement([0, 1, 2, 3], [3, 1, 2, 0])
    assert near.kappa == pytest.approx(1 / 3) and far.kappa == pytest.approx(1 / 3)
    assert near.weighted == pytest.approx(0.8) and far.weighted == pytest.approx(-0.8)


def test_full_agreement_and_that_of_chance() -> None:
    assert agreement([0, 3, 3], [0, 3, 3]) == Agreement(3, 1.0, 1.0, 1.0)
    chance = agreement([0, 0, 1, 1], [0, 1, 0, 1])
    assert (chance.kappa, chance.weighted) == (0.0, 0.0)


def test_one_grade_alone_says_nothing_about_chance() -> None:
    found = agreement([2, 2], [2, 2])
    assert (found.same, found.kappa, found.weighted) == (1.0, None, None)
    assert found.why == "both gave 2 to everything"


def test_lists_that_do_not_pair_are_refused() -> None:
    with pytest.raises(NotComparable):
        agreement([1], [1, 2])
    with pytest.raises(NotComparable):
        agreement([], [])


def test_the_detectable_difference_solves_connors_equation() -> None:
    difference = detectable_share(100, 0.2)
    assert difference is not None
    right = 1.959964 * sqrt(0.2) + 0.841621 * sqrt(0.2 - difference**2)
    assert sqrt(100) * difference == pytest.approx(right, rel=1e-5)


def test_mcnemar_finds_the_detectable_difference_in_four_of_five_draws() -> None:
    difference = detectable_share(300, 0.2)
    assert difference is not None
    shares = [(0.2 + difference) / 2, (0.2 - difference) / 2, 0.8]
    won, lost, _ = np.random.default_rng(1).multinomial(300, shares, size=20_000).T
    found = np.abs(won - lost) / np.sqrt(won + lost) >= 1.959964
    assert found.mean() == pytest.approx(0.8, abs=0.02)


def test_too_few_questions_show_nothing() -> None:
    # 10 % of 40 questions are 4; even all one way, the sign test's p is 0.125.
    assert detectable_share(40, 0.1) is None
    assert detectable_share(0, 0.1) is None
