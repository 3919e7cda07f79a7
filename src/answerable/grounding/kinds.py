"""Which figures answer which kind of question."""

from __future__ import annotations

from collections.abc import Mapping

FITS: Mapping[str, tuple[str, ...]] = {
    "amount": ("amount",),
    "percentage": ("percentage",),
    "duration": ("duration",),
    "number": ("number", "measure", "duration", "percentage"),
    "measure": ("measure",),
    "time": ("time",),
    "date": ("date", "time"),
    "day": ("date",),
}
"""Kind asked for to the kinds of figures, the best first; a year alone is looked for apart."""
