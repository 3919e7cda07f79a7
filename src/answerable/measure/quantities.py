"""Units by one name, and amounts that are equal in different units."""

from __future__ import annotations

from math import isclose

_NAMES = {
    "percent": "%",
    "eur": "€ euro euros",
    "usd": "$ dollar dollars",
    "gbp": "£ pound pounds",
    "km": "kilometer kilometers kilometre kilometres",
    "m": "meter meters metre metres",
    "cm": "centimeter centimeters centimetre centimetres",
    "mm": "millimeter millimeters millimetre millimetres",
    "kg": "kilogram kilograms kilo kilos",
    "g": "gram grams",
    "l": "liter liters litre litres",
    "ml": "milliliter milliliters millilitre millilitres",
    "ms": "millisecond milliseconds",
    "second": "s sec secs seconds",
    "minute": "min mins minutes",
    "hour": "h hr hrs hours",
    "day": "days",
    "week": "weeks wk wks",
    "month": "months",
    "year": "years yr yrs",
}
UNITS = {written: name for name, many in _NAMES.items() for written in many.split()}
"""Written forms of units, folded, to the one name of each."""

CURRENCIES = (
    "aud|brl|cad|chf|cny|czk|dkk|eur|gbp|hkd|huf|idr|ils|inr|jpy|krw|mxn|nok|nzd|pln|ron|rub|sek"
    "|sgd|thb|twd|uah|usd|zar"
)
"""Codes of ISO 4217 that may stand before their number, as a pattern."""

_FACTORS: dict[str, dict[str, float]] = {
    "time": {"ms": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800},
    "calendar": {"month": 1, "year": 12},
    "length": {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000},
    "mass": {"mg": 0.001, "g": 1, "kg": 1000},
    "volume": {"ml": 0.001, "l": 1},
}
_DIMENSION = {unit: (kind, by) for kind, units in _FACTORS.items() for unit, by in units.items()}


def same_amount(one: str, other: str) -> bool:
    """Whether two normalised answers are one amount, as `90 minute` and `1 hour 30 minute` are.

    Months and years do not change into days, which differ.
    """
    first, second = _amount(one), _amount(other)
    if first is None or second is None or first[0] != second[0]:
        return False
    return isclose(first[1], second[1], rel_tol=1e-9)


def _amount(text: str) -> tuple[str, float] | None:
    """Dimension and amount of a text that is only numbers with units of one dimension."""
    words = [word for word in text.split() if word != "and"]
    if not words or len(words) % 2:
        return None
    total, kinds = 0.0, set()
    for number, unit in zip(words[::2], words[1::2], strict=True):
        if unit not in _DIMENSION:
            return None
        try:
            total += float(number) * _DIMENSION[unit][1]
        except ValueError:
            return None
        kinds.add(_DIMENSION[unit][0])
    return (kinds.pop(), total) if len(kinds) == 1 else None
