"""Choosing on some questions, measuring on others."""

import numpy as np
import pytest

from answerable.errors import NotComparable
from answerable.measure.crossfit import best, compete, folds, held_out, widened
from answerable.measure.stats import Paired

ITEMS = [f"q{number:03}" for number in range(100)]


def test_folds_part_the_items_evenly_whatever_their_order():
    groups = folds(ITEMS, 5, seed=3)
    assert sorted(item for group in groups for item in group) == ITEMS
    assert {len(group) for group in groups} == {20}
    assert groups == folds(ITEMS[::-1], 5, seed=3)
    assert groups != folds(ITEMS, 5, seed=4)


def test_the_first_of_equal_arms_is_chosen():
    assert best({"a": {"q": 1.0}, "b": {"q": 1.0}, "c": {"q": 0.0}}, ["q"]) == "a"


def test_a_real_gain_is_kept_and_every_fold_chooses_it():
    now = dict.fromkeys(ITEMS, 0.0)
    good = {item: float(at % 2) for at, item in enumerate(ITEMS)}
    found = held_out({"now": now, "good": good}, "now", seed=0)
    assert found.chosen == ("good",) * 5
    assert found.final == "good"
    assert found.gain.delta == pytest.approx(0.5)
    assert found.clear


def test_the_best_of_many_arms_of_noise_gains_nothing_held_out():
    # Sixty arms of pure chance: the best of them looks better by about 0.1 on its own questions.
    draws = np.random.default_rng(1).integers(0, 2, size=(60, 100)).astype(float)
    arms = {f"arm {n}": dict(zip(ITEMS, row.tolist(), strict=True)) for n, row in enumerate(draws)}
    found = held_out(arms, "arm 0", seed=0)
    flattered = sum(arms[found.final].values()) / 100 - sum(arms["arm 0"].values()) / 100
    assert flattered > 0.1
    assert found.gain.delta < flattered / 2
    assert not found.clear


def test_the_interval_is_a_quarter_wider():
    found = widened(Paired(0.10, 0.02, 0.20, 0.01, 6, 90, 4, 100))
    assert (found.low, found.high) == (pytest.approx(0.0), pytest.approx(0.225))


@pytest.mark.parametrize("moving", [1.0, 0.3])
def test_alike_arms_seldom_get_advice_and_a_better_one_does(moving):
    """Sets of 60 questions, 8 arms; each arm draws a share of the current one's answers anew."""
    generator = np.random.default_rng(11)
    sets, false, found = 200, 0, 0
    for number in range(sets):
        now = generator.random(60) < 0.5
        arms = {}
        for arm in range(8):
            drawn = np.where(generator.random(60) < moving, generator.random(60) < 0.5, now)
            arms[f"arm {arm}"] = dict(zip(ITEMS, drawn.astype(float).tolist(), strict=False))
        false += held_out(arms, "arm 0", seed=number).clear
        better = np.where(generator.random(60) < 0.7, True, now)
        arms["arm 7"] = dict(zip(ITEMS, better.astype(float).tolist(), strict=False))
        found += held_out(arms, "arm 0", seed=number).clear
    # 2.5 % of 200 sets are 5, give or take 2; without widening about 12 get advice.
    assert false <= 8
    assert found >= 0.9 * sets


def test_the_rival_is_chosen_by_the_same_folds():
    half = {item: float(at < 50) for at, item in enumerate(ITEMS)}
    other = {item: float(at >= 50) for at, item in enumerate(ITEMS)}
    both = dict.fromkeys(ITEMS, 1.0)
    found = compete({"both": both}, {"half": half, "other": other}, seed=0)
    # Whichever half a fold's rival knows, about half of its questions are lost to it.
    assert found.gain.losses == 0
    assert 0.4 <= found.gain.delta <= 0.75


def test_too_few_questions_are_refused():
    with pytest.raises(NotComparable, match="4 questions are too few for 5 folds"):
        held_out({"a": dict.fromkeys("wxyz", 1.0)}, "a", seed=0)
