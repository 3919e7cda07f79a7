"""Numbers and standings in the words of a report."""

from __future__ import annotations

from answerable.measure.compare import verdict
from answerable.records.comparison import Comparison
from answerable.records.runs import Standing


def number(value: float | None, digits: int = 4) -> str:
    """A value: four places below 10, one below 1,000, then none; `-` for None."""
    if value is None:
        return "-"
    places = digits if abs(value) < 10 else 1 if abs(value) < 1000 else 0
    return f"{value:,.{places}f}"


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign; one that is shown as 0 has none."""
    shown = number(value, digits)
    if not shown.strip("-0.,"):
        return shown.lstrip("-")
    return shown if value < 0 else f"+{shown}"


def interval(low: float, high: float) -> str:
    """A 95 % interval of differences."""
    return f"[{signed(low, 3)}, {signed(high, 3)}]"


def chance(p: float) -> str:
    """A p value to three places."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def rank(standing: Standing) -> str:
    """The depth at which the evidence stood whole."""
    if standing.state == "unmeasured":
        return "-"
    return str(standing.rank) if standing.rank is not None else "none"


def evidence(standing: Standing, places: int = 2) -> str:
    """Whether the evidence stood whole within the model's depth, and where it is cut."""
    if standing.state == "unmeasured":
        return "not placed"
    if not standing.cuts or standing.state == "whole":
        return standing.state
    where = ", ".join(f"{uri}:{at}" for uri, at in standing.cuts[:places])
    more = f" and {len(standing.cuts) - places} more" if len(standing.cuts) > places else ""
    how = "cut" if standing.state == "cut" else f"{standing.state}, cut"
    return f"{how} at {where}{more}"


def where(standing: Standing) -> str:
    """The document of the evidence: uri, type, length, heading depth."""
    if not standing.uri:
        return ""
    parts = [standing.type] if standing.type else []
    if standing.words:
        parts.append(f"{standing.words:,} words")
    if standing.headings:
        parts.append(f"heading depth {standing.headings}")
    return f"{standing.uri} ({', '.join(parts)})" if parts else standing.uri


def placed(base: Standing, candidate: Standing) -> Standing:
    """The one of the two that knows where the evidence lies."""
    return base if base.uri else candidate


def sentence(found: Comparison) -> str:
    """A comparison in one sentence."""
    return (
        f"{verdict(found)}: {found.metric} {number(found.base_mean)} -> "
        f"{number(found.candidate_mean)}, {signed(found.delta)} {interval(found.low, found.high)}, "
        f"p {chance(found.p)}{corrected(found)}; {found.wins} gained, {found.losses} lost, "
        f"{found.ties} the same, n = {found.n}"
    )


def corrected(found: Comparison) -> str:
    """Holm's p beside the plain one, where several metrics are looked at."""
    return "" if found.p_holm == found.p else f" (Holm {chance(found.p_holm)})"
