"""The machine's own clock, filling `ports.Clock`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class SystemClock:
    """Wall time in UTC to the millisecond, and a count of seconds that never runs backwards."""

    def now(self) -> str:
        """Now as ISO 8601 with a trailing Z, such as 2026-11-03T09:15:00.123Z."""
        stamp = datetime.now(UTC).isoformat(timespec="milliseconds")
        return stamp.removesuffix("+00:00") + "Z"

    def seconds(self) -> float:
        """Seconds since some fixed moment; only differences mean anything."""
        return time.perf_counter()


def seconds_between(earlier: str, later: str) -> float:
    """Seconds from one ISO 8601 time to another."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
