"""Control limits against the worked example of the NIST/SEMATECH e-Handbook (6.3.2.2)."""

import pytest

from answerable.errors import UsageError
from answerable.measure.drift import Point, drift

FLOW = (49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1)


def points(values):
    return [Point(f"2026-01-{day:02}", value, 10) for day, value in enumerate(values, 1)]


def test_limits_equal_the_published_example():
    found = drift("flow", points([*FLOW, 50.0]), baseline=10)
    assert found.centre == pytest.approx(50.81)
    assert found.high == pytest.approx(55.8041, abs=5e-5)
    assert found.low == pytest.approx(45.8159, abs=5e-5)
    assert found.signals == ()


def test_a_later_point_beyond_a_limit_is_a_signal_and_an_earlier_one_is_not():
    found = drift("flow", points([*FLOW, 55.81, 45.81, 50.0]), baseline=10)
    assert [(at, why.split(" the limit")[0]) for at, why in found.signals] == [
        (10, "55.8100 is above"),
        (11, "45.8100 is below"),
    ]
    wild = (40.0, *FLOW[1:], 50.0)
    assert drift("flow", points(wild), baseline=10).signals == ()


def test_eight_in_a_row_on_one_side_are_a_shift_though_inside_the_limits():
    # The baseline ends below its centre, so that the count begins after it.
    found = drift("flow", points([*FLOW[:9], 50.0, *[51.5] * 8]), baseline=10)
    assert [at for at, _ in found.signals] == [17]
    assert "8 in a row above" in found.signals[0][1]
    assert drift("flow", points([*FLOW[:9], 50.0, *[51.5] * 7]), baseline=10).signals == ()


def test_the_rolling_mean_is_of_the_last_points():
    assert drift("m", points([1, 2, 3, 6]), window=2).rolling == (1.0, 1.5, 2.5, 4.5)


def test_of_few_points_no_limit_is_drawn():
    found = drift("m", points([1.0] * 8))
    assert (found.centre, found.low, found.high, found.signals) == (None, None, None, ())
    assert drift("m", points([1.0] * 9)).centre == 1.0
    assert drift("m", []).rolling == ()


def test_a_window_below_one_is_refused():
    with pytest.raises(UsageError, match="window 0"):
        drift("m", points(FLOW), window=0)
