"""Answers that say the same, and answers that do not."""

import pytest

from answerable.measure.answers import f1, matches


@pytest.mark.parametrize(
    ("given", "accepted"),
    [
        ("The Pump.", "pump"),
        ("1,000 dollars", "$1000"),
        ("US$3", "3 dollars"),
        ("1 000 km", "1000 kilometres"),
        ("fourteen days", "14 days"),
        ("vierzehn", "14"),
        ("twenty-one", "21"),
        ("two hundred and five", "205"),
        ("three million", "3,000,000"),
        ("2.50", "2.5"),
        ("5.0", "5"),
        ("30 %", "30 percent"),
        ("30%", "30 percent"),
        ("10km", "10 km"),
        ("3 March 2024", "2024-03-03"),
        ("March 3rd, 2024", "3. März 2024"),
        ("03.04.2024", "2024-04-03"),
        ("９時", "9時"),
        ("ＡＰＩ", "api"),
    ],
)
def test_same(given: str, accepted: str) -> None:
    assert matches(given, ["something else", accepted])
    assert matches(accepted, [given])


@pytest.mark.parametrize(
    ("given", "accepted"),
    [
        ("1.5", "15"),
        ("1,5", "15"),
        ("10", "100"),
        ("2.50", "250"),
        ("-5", "5"),
        ("30 days", "30 hours"),
        ("one two", "12"),
        ("03/04/2024", "2024-04-03"),
        ("31.02.20245", "2024-02-31"),
        ("", ""),
        ("the", "a"),
        (None, "pump"),
    ],
)
def test_different(given: str | None, accepted: str) -> None:
    assert not matches(given, [accepted])


def test_f1_by_hand() -> None:
    # red pump alarm / red alarm: precision 2/3, recall 1.
    assert f1("the red pump alarm", ["blue", "red alarm"]) == pytest.approx(0.8)
    assert f1(None, ["red"]) == 0.0
