"""How often a failed request is tried again, and how long is waited between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with jitter, inside a budget.

    `tries` counts the first one. The wait before try n + 1 is drawn from
    (1 - jitter) * step to step, where step = min(longest, first * factor ** (n - 1)) seconds;
    jitter 1 is full jitter (Brooker, "Exponential Backoff and Jitter", AWS 2015). `longest` is
    also the longest Retry-After that is obeyed. `budget_seconds` is what one request may take
    with all its tries and waits.
    """

    tries: int = 6
    first: float = 1.0
    factor: float = 2.0
    longest: float = 300.0
    budget_seconds: float = 900.0
    jitter: float = 1.0

    def wait(self, tried: int, asked: float | None, draw: Callable[[], float]) -> float | None:
        """Seconds to wait after `tried` tries; None when what was `asked` is beyond `longest`.

        `draw` gives numbers in [0, 1). A wait that nobody asked for is never 0.
        """
        if asked is not None:
            return asked if asked <= self.longest else None
        # An exponent this large is far beyond any `longest` already, and a larger one overflows.
        step = min(self.longest, self.first * self.factor ** min(tried - 1, 60))
        return step * (1.0 - self.jitter * draw())
