"""Figures: one number however it is written, with its unit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.grounding.figures import figures
from answerable.grounding.ranges import ranges, within
from answerable.language.numerals import kanji_number, number_word


@pytest.mark.parametrize(
    ("text", "reading", "unit", "kind"),
    [
        ("vierzehn Tagen", 14, "day", "duration"),
        ("14 days", 14, "day", "duration"),
        ("24,320 in stock", 24320, "", "number"),
        ("1.280,50 Euro", Fraction(128050, 100), "EUR", "amount"),
        ("€ 12", 12, "EUR", "amount"),
        ("NVC 340", 340, "NVC", "amount"),
        ("10 zł", 10, "PLN", "amount"),
        ("毎週９時に", 9, "", "number"),
        ("15 %", 15, "percent", "percentage"),
        ("per cent: 3 percent", 3, "percent", "percentage"),
        ("twenty-five minutes", 25, "minute", "duration"),
        ("five calendar days", 5, "day", "duration"),
        ("at 22:00", 22 * 60, "time", "time"),
        ("at 5.30 p.m.", 17 * 60 + 30, "time", "time"),
        ("below 1.4 A", Fraction(14, 10), "ampere", "measure"),
        ("on 1 October 2025", 20251001, "date", "date"),
        ("2025-10-01", 20251001, "date", "date"),
        ("01.10.2025", 20251001, "date", "date"),
        ("1 234 567 files", 1234567, "", "number"),
        ("$1.2 billion", 12 * 10**8, "USD", "amount"),
        ("two million people", 2 * 10**6, "", "number"),
        ("fifty thousand dollars", 50_000, "USD", "amount"),
        ("1,5 Mio. Euro", 1_500_000, "EUR", "amount"),
        ("three hundred years", 300, "year", "duration"),
        ("in the 1950s", 1950, "", "number"),
    ],
)
def test_a_figure_is_read(text: str, reading: Fraction, unit: str, kind: str) -> None:
    found = figures(text)
    assert [(f.unit, f.kind) for f in found] == [(unit, kind)]
    assert Fraction(reading) in found[0].readings


def test_a_number_with_one_mark_may_be_thousands_or_decimals() -> None:
    assert figures("1.280 Liter")[0].readings == {Fraction(1280), Fraction(128, 100)}


@pytest.mark.parametrize("text", ["ERR-4120", "SKU-2231/A", "the and of", "firmware v2", ""])
def test_identifiers_and_words_are_no_figures(text: str) -> None:
    assert figures(text) == ()


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("vierundzwanzig", 24),
        ("zweihundertfünfzig", 250),
        ("dreißigtausend", 30_000),
        ("hundert", 100),
        ("ninety-nine", 99),
        ("quatorze", 14),
        ("dwanaście", 12),
        ("tag", None),
        ("ein", None),
    ],
)
def test_number_words(word: str, number: int | None) -> None:
    assert number_word(word) == number


def test_number_signs() -> None:
    assert (kanji_number("十四"), kanji_number("二百五十"), kanji_number("二〇二五")) == (
        14,
        250,
        2025,
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It costs $960 billion.", "$960 billion"),
        ("at 90 °C and", "90 °C"),
        ("at 12 ° north", "12 °"),
        ("raised 40 million.", "40 million"),
    ],
)
def test_a_figure_stands_with_its_scale_and_unit(text: str, written: str) -> None:
    (figure,) = figures(text)
    assert text[figure.span.start : figure.span.end] == written


def test_ranges_and_what_lies_in_them() -> None:
    assert ranges("101 to 500") == ((101, 500),)
    assert ranges("up to 5 kg") == ((0, 5),)
    assert ranges("EUR 50,000 to 199,999") == ((50_000, 199_999),)
    assert within(figures("for 300 controllers"), "101 to 500")
    assert within(figures("after six years"), "five years of service or more")
    assert not within(figures("for 800 controllers"), "101 to 500")


def test_kilos_are_kilograms_also_after_a_number_word():
    (figure,) = figures("The pump weighs ninety kilos.")
    assert (figure.unit, figure.kind, figure.readings) == ("kilogram", "measure", {90})
