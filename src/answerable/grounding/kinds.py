"""Which figures answer which kind of question."""

from __future__ import annotations

from collections.abc import Mapping

FITS: Mapping[str, tuple[str, ...]] = {
    "amount": ("amount",),
    "percentage": ("percentage",),
    "duration": ("duration",),
    "number": ("number", "measure", "duration", "percentage"),
    "measure": ("measure",),
    "quantity": ("percentage", "amount", "measure", "duration"),
    "time": ("time",),
    "date": ("date", "time"),
    "day": ("date",),
}
"""Kind asked for to the kinds of figures, the best first."""

REQUIRED = frozenset(("amount", "percentage", "duration", "number", "time"))
"""Kinds that nothing but such a figure answers; `when` or `how much` may be answered in words."""

NAMES = frozenset(("person", "place"))
"""Kinds that a name answers."""

_ORDER = ("second", "minute", "hour", "day", "week", "month", "year")
NEXT_UNITS: Mapping[str, tuple[str, ...]] = {
    unit: _ORDER[max(0, at - 1) : at + 2] for at, unit in enumerate(_ORDER)
}
"""A unit of time to the units in which people say it too: days, and the hours or weeks of them."""
