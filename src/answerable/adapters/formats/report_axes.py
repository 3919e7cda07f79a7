"""Axes and scales of the report's pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answerable.adapters.formats.markup import Markup, join, tag
from answerable.adapters.formats.report_style import ARMS

_DASHES = (None, "6 3", "2 3")


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a picture's plot lies inside its view box, in its units."""

    width: int = 560
    height: int = 330
    left: int = 46
    right: int = 134
    top: int = 12
    bottom: int = 40

    @property
    def east(self) -> int:
        """The right edge of the plot."""
        return self.width - self.right

    @property
    def south(self) -> int:
        """The lower edge of the plot."""
        return self.height - self.bottom

    def picture(self, label: str, *parts: Markup) -> Markup:
        """The svg element, named for those who do not see it."""
        return tag(
            "svg", *parts, viewBox=f"0 0 {self.width} {self.height}", role="img", aria_label=label
        )

    def shares(self, low: float, high: float) -> tuple[Callable[[float], float], Markup]:
        """A vertical scale of shares from `low` to `high`, with its grid in per cent."""

        def y(value: float) -> float:
            return self.south - (value - low) / (high - low) * (self.south - self.top)

        ticks = [low + (high - low) * step / 4 for step in range(5)]
        return y, join(
            join(
                [
                    tag("line", class_="grid", x1=self.left, x2=self.east, y1=y(t), y2=y(t)),
                    label(self.left - 6, y(t) + 4, f"{100 * t:.0f} %", "end"),
                ]
            )
            for t in ticks
        )

    def along(self, title: str) -> tuple[Callable[[float], float], Markup]:
        """A horizontal scale of shares from 0 to 1, with its ticks in per cent and title below."""

        def x(value: float) -> float:
            return self.left + value * (self.east - self.left)

        drawn = [
            label(x(t), self.south + 16, f"{100 * t:.0f} %", "middle")
            for t in (0, 0.25, 0.5, 0.75, 1)
        ]
        return x, join([self._axis(), *drawn, self._title(title)])

    def logarithmic(
        self, low: float, high: float, ticks: Sequence[float], title: str
    ) -> tuple[Callable[[float], float], Markup]:
        """A horizontal scale of equal ratios, with its ticks and title below."""
        span = math.log(high) - math.log(low) or 1.0

        def x(value: float) -> float:
            share = (math.log(max(value, low)) - math.log(low)) / span
            return self.left + share * (self.east - self.left)

        drawn = [label(x(t), self.south + 16, f"{t:,.0f}", "middle") for t in ticks]
        return x, join([self._axis(), *drawn, self._title(title)])

    def _axis(self) -> Markup:
        low = self.south
        return tag("line", class_="axis", x1=self.left, x2=self.east, y1=low, y2=low)

    def _title(self, words: str) -> Markup:
        return label((self.left + self.east) / 2, self.height - 6, words, "middle")


def label(x: float, y: float, words: str, anchor: str = "start", kind: str = "tick") -> Markup:
    """A piece of text in a picture."""
    return tag("text", words, x=x, y=y, text_anchor=anchor, class_=kind)


def diamond(x: float, y: float, fill: str, words: str) -> Markup:
    """The mark of where an arm stands now."""
    path = f"M{x:.1f},{y - 7:.1f}l7,7l-7,7l-7,-7z"
    return tag("path", tag("title", words), d=path, fill=fill, stroke="var(--card)")


def round_shares(values: Sequence[float]) -> tuple[float, float]:
    """The ends of a scale in steps of 20 % around shares, at least 20 % apart."""
    low = max(0.0, math.floor(min(values, default=0.0) * 5) / 5)
    high = min(1.0, math.ceil(max(values, default=1.0) * 5) / 5)
    return (low, high) if high > low else (max(0.0, low - 0.2), min(1.0, max(high, low) + 0.2))


def colour(arm: int) -> str:
    """An arm's colour."""
    return f"var(--a{arm % ARMS})"


def dash(arm: int) -> str | None:
    """An arm's dash, so that colour is not all that tells arms apart."""
    return _DASHES[arm // ARMS % len(_DASHES)]


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, in their order, at least `gap` apart and within the ends."""
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    found = list(wanted)
    floor = low
    for i in order:
        found[i] = max(found[i], floor)
        floor = found[i] + gap
    ceiling = high
    for i in reversed(order):
        found[i] = min(found[i], ceiling)
        ceiling = found[i] - gap
    return found


def shortened(name: str, most: int = 17) -> str:
    """A name for the edge of a picture."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
