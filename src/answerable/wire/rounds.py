"""The same work again and again: at a pace, sooner when something is due, until it is stopped."""

from __future__ import annotations

from collections.abc import Callable

from answerable.ports import Clock

LOOK = 1.0
"""Seconds between two looks at what is due."""


def rounds(
    once: Callable[[], int],
    every: float,
    clock: Clock,
    sleep: Callable[[float], None],
    due: Callable[[str], int],
) -> int:
    """Run `once` every so many seconds, counted from begin to begin; returns its last exit code.

    A round that takes longer is followed at once. `due(after)` counts what was reported after a
    time: then the next round begins without waiting. KeyboardInterrupt ends it, in a round too.
    """
    code = 0
    try:
        while True:
            began, at = clock.seconds(), clock.now()
            code = once()
            while (left := began + every - clock.seconds()) > 0 and not due(at):
                sleep(min(left, LOOK))
    except KeyboardInterrupt:
        return code
