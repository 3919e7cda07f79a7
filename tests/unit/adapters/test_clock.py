from __future__ import annotations

from datetime import UTC, datetime, timedelta

from answerable.adapters.clock import SystemClock


def test_now_is_utc_and_seconds_never_fall():
    clock = SystemClock()
    stamp = clock.now()
    assert stamp.endswith("Z") and len(stamp) == len("2026-11-03T09:15:00.123Z")
    assert abs(datetime.fromisoformat(stamp) - datetime.now(UTC)) < timedelta(seconds=5)
    seen = [clock.seconds() for _ in range(100)]
    assert seen == sorted(seen)
