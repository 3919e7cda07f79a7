"""From when on pages are asked for that changed since a checkpoint.

CQL compares whole minutes in the time zone of the user that asks, and its literal names no zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from answerable.errors import ConfigError

OVERLAP = timedelta(minutes=15)
"""Asked for again each time: a change may reach the search index later than others after it."""

UNKNOWN_ZONE = timedelta(days=1)
"""More than any zone is away from UTC (-12 to +14 hours)."""


def zone_of(name: str) -> ZoneInfo | None:
    """The zone of an IANA name, None for ''; ConfigError for a name that is none."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        raise ConfigError(
            f"zone = {name!r}", "give the IANA name of the user's time zone, as Europe/Berlin"
        ) from fault


def since(checkpoint: str, zone: ZoneInfo | None) -> str:
    """The clause for what changed at `checkpoint` (ISO 8601) or later, '' without one.

    The bound lies at or before the checkpoint in `zone`, whole minutes; by a day before it where
    the zone is not known.
    """
    at = moment(checkpoint)
    if at is None:
        return ""
    if zone is None:
        bound = at - OVERLAP - UNKNOWN_ZONE
    else:
        local = (at - OVERLAP).astimezone(zone)
        bound = local.replace(tzinfo=None)
        # An hour that a clock goes through twice may be taken for the later of the two.
        bound -= abs(_offset(local, 1) - _offset(local, 0))
    return f'lastmodified >= "{bound.strftime("%Y-%m-%d %H:%M")}"'


def moment(text: str) -> datetime | None:
    """An ISO 8601 time in UTC; None for what is none, or has no offset."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at.astimezone(UTC) if at.tzinfo else None


def newest(times: Iterable[str], before: str) -> str:
    """The latest of the times seen, as ISO 8601 UTC; `before` where none can be read."""
    seen = [at for at in map(moment, times) if at is not None]
    if not seen:
        return before
    return max(seen).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _offset(local: datetime, fold: int) -> timedelta:
    return local.replace(fold=fold).utcoffset() or timedelta()
