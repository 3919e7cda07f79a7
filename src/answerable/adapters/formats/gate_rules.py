"""Gate rules as TOML: one table per rule."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from answerable.errors import ConfigError, NotFound
from answerable.records.rules import GateRule

_KEYS = tuple(field.name for field in fields(GateRule))
_LIMITS = ("at_least", "at_most", "not_worse_by")


def read_rules(path: Path) -> tuple[GateRule, ...]:
    """The rules of a file; ConfigError names the file, the rule's number and the key."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as fault:
        raise NotFound(f"cannot read {path}: {fault.strerror}") from fault
    except (ValueError, RecursionError) as fault:
        raise ConfigError(f"{path} is not TOML: {fault}", "mend the line it names") from fault
    rows = table.get("rule")
    if set(table) != {"rule"} or not isinstance(rows, list) or not rows:
        raise ConfigError(f"{path}: no list of rules", "write [[rule]] tables and nothing else")
    return tuple(_rule(row, f"{path}: rule {number}") for number, row in enumerate(rows, 1))


def _rule(row: Any, where: str) -> GateRule:
    if not isinstance(row, dict):
        raise ConfigError(f"{where} is {row!r}", "write it as a table: [[rule]]")
    for key, value in row.items():
        if key not in _KEYS:
            raise ConfigError(
                f"{where}: unknown key {key} = {value!r}", f"allowed: {', '.join(_KEYS)}"
            )
        if key != "metric" and not _finite(value):
            raise ConfigError(f"{where}: {key} = {value!r:.40}", "give a finite number")
    metric = row.get("metric")
    if not isinstance(metric, str) or not metric:
        raise ConfigError(f"{where}: metric = {metric!r}", 'name one, as in metric = "complete@5"')
    if not any(key in row for key in _LIMITS):
        raise ConfigError(f"{where} demands nothing", f"give one of {', '.join(_LIMITS)}")
    rule = GateRule(**row)
    if rule.not_worse_by is not None and rule.not_worse_by < 0:
        raise ConfigError(f"{where}: not_worse_by = {rule.not_worse_by}", "give 0 or more")
    if not 0.5 < rule.confidence < 1:
        raise ConfigError(
            f"{where}: confidence = {rule.confidence}",
            "give more than 0.5 and less than 1, as in 0.95",
        )
    return rule


def _finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max
