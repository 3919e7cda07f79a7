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
        ("EUR 90", "€90"),
        ("CHF 20", "20 CHF"),
        ("USD 1,500", "$1500"),
        ("$2 million", "2,000,000 dollars"),
        ("2.5 million", "2500000"),
        ("1.000,50 EUR", "1000.5 EUR"),
        ("12,5 %", "12.5 per cent"),
        ("five (5) days", "5 days"),
        ("twenty-one (21) days", "three weeks"),
        ("½ day", "0.5 days"),
        ("2½ hours", "150 min"),
        ("90 minutes", "1 hour and 30 minutes"),
        ("24 h", "1 day"),
        ("12 months", "one year"),
        ("3 litres", "3000 ml"),
        ("5 metres", "500cm"),
        ("5 °C", "5 degrees Celsius"),
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
        ("30 days", "1 month"),
        ("365 days", "1 year"),
        ("5 working days", "120 hours"),
        ("day 5", "5 days"),
        ("EUR 90", "USD 90"),
        ("90 EUR, 5 days", "5 EUR, 90 days"),
        ("five (6) days", "5 days"),
        ("2 million", "2 billion"),
        ("1 GB", "1000 MB"),
        (None, "pump"),
    ],
)
def test_different(given: str | None, accepted: str) -> None:
    assert not matches(given, [accepted])


def test_f1_by_hand() -> None:
    # red pump alarm / red alarm: precision 2/3, recall 1.
    assert f1("the red pump alarm", ["blue", "red alarm"]) == pytest.approx(0.8)
    assert f1(None, ["red"]) == 0.0
