"""How long a service asks to be left alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]+")
_DATE = re.compile(
    # IMF-fixdate, then the two obsolete forms that RFC 9110 section 5.6.7 wants read.
    r"[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT"
    r"|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}"
)
FOREVER = 1e12
"""Seconds that stand for a number of more digits than a wait can have."""


def wait_of(header: str | None, now: datetime) -> float | None:
    """Seconds (>= 0) that a Retry-After asks for; None when it says nothing.

    RFC 9110 section 10.2.3: delay-seconds (digits only) or an HTTP-date, which in the past means
    0. What is missing or neither is None, so the caller backs off in its own way. `now` is aware.
    """
    text = (header or "").strip(" \t")
    if _SECONDS.fullmatch(text):
        return float(text) if len(text) <= 12 else FOREVER
    if not _DATE.fullmatch(text):
        return None
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
