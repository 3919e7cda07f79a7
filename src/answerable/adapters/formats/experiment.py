"""Experiments as TOML: what is asked of which documents, and one table per arm."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from answerable.errors import ConfigError, NotFound
from answerable.records.experiments import Arm, Checker, Experiment
from answerable.records.recipe import Recipe

RecipeOf = Callable[[Mapping[str, Any], str, Mapping[str, Any], str], Recipe]
"""Called as recipe_of(shared, like, changes, where): an arm's recipe from the tables [ingest] and
[ask] of the file, the name it starts from ('' for none) and its own keys."""

_TABLES = ("experiment", "ingest", "ask", "arm", "checker")
_NAME = re.compile(r"\w[\w.+-]*\Z")


def read(path: Path, recipe_of: RecipeOf) -> Experiment:
    """The experiment of a file; ConfigError names the line or the key that is wrong.

    An arm shows its answerer `depth` passages unless it sets `ask.context.passages` itself.
    """
    text = _text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise ConfigError(f"{path} is not TOML: {fault}", "mend the line it names") from fault
    _only(table, _TABLES, str(path))
    head = _table(table, "experiment", path)
    where = f"{path}: [experiment]"
    _only(head, ("name", "golden", "documents", "depth", "seed"), where)
    depth = _number(head, "depth", 5, 1, where)
    return Experiment(
        name=_name(head.get("name", path.stem), where),
        golden=_word(head, "golden", where),
        documents=_paths(head.get("documents"), where),
        arms=_arms(table, depth, path, text, recipe_of),
        depth=depth,
        seed=_number(head, "seed", 0, 0, where),
        checkers=_checkers(table, path, text),
    )


def _arms(
    table: Mapping[str, Any], depth: int, path: Path, text: str, recipe_of: RecipeOf
) -> tuple[Arm, ...]:
    shared = {half: _table(table, half, path) for half in ("ingest", "ask") if half in table}
    ask = shared.get("ask", {})
    context = {"passages": depth, **_table(ask, "context", path)}
    shared = {**shared, "ask": {**ask, "context": context}}
    arms = []
    for row, where in _rows(table, "arm", path, text):
        changes = {key: value for key, value in row.items() if key not in ("name", "like")}
        like = row.get("like", "")
        if not isinstance(like, str):
            raise ConfigError(f"{where}: like = {like!r}", 'give a name, as in like = "azure"')
        recipe = recipe_of(shared, like, changes, where)
        arms.append(Arm(_name(row.get("name", like), where), recipe))
    if not arms:
        raise ConfigError(f"{path}: no arm", 'add [[arm]] with a name, as in name = "now"')
    _once([arm.name for arm in arms], "arm", path)
    return tuple(arms)


def _checkers(table: Mapping[str, Any], path: Path, text: str) -> tuple[Checker, ...]:
    found = []
    for row, where in _rows(table, "checker", path, text):
        _only(row, ("name", "use"), where)
        use = _word(row, "use", where)
        file, _, function = use.rpartition(":")
        if not file or not function.isidentifier():
            raise ConfigError(f"{where}: use = {use!r}", 'write use = "file.py:function"')
        found.append(Checker(_name(row.get("name", function), where), use))
    _once([checker.name for checker in found], "checker", path)
    return tuple(found)


def _rows(
    table: Mapping[str, Any], kind: str, path: Path, text: str
) -> list[tuple[dict[str, Any], str]]:
    """The tables of a kind, each with its place `file:line`."""
    rows = table.get(kind, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ConfigError(f"{path}: {kind} is no list of tables", f"write [[{kind}]]")
    head = re.compile(rf"\s*\[\[\s*{kind}\s*\]\]")
    at = [number for number, line in enumerate(text.split("\n"), 1) if head.match(line)]
    lines = at if len(at) == len(rows) else [0] * len(rows)
    return [
        (row, f"{path}:{line} [[{kind}]]" if line else f"{path} [[{kind}]] {number}")
        for number, (row, line) in enumerate(zip(rows, lines, strict=True), 1)
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as fault:
        raise NotFound(f"cannot read {path}: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise ConfigError(f"{path} is not UTF-8: {fault}", "save it as UTF-8") from fault


def _table(table: Mapping[str, Any], key: str, path: Path) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: {key} = {value!r}", f"write it as a table: [{key}]")
    return value


def _only(table: Mapping[str, Any], allowed: Sequence[str], where: str) -> None:
    for key, value in table.items():
        if key not in allowed:
            raise ConfigError(
                f"{where}: unknown key {key} = {value!r}", f"allowed: {', '.join(allowed)}"
            )


def _name(value: Any, where: str) -> str:
    """A name that can be a folder's as well."""
    if not isinstance(value, str) or not _NAME.match(value):
        raise ConfigError(f"{where}: name = {value!r}", "give letters, digits, and . + - _")
    return value


def _word(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where}: {key} = {value!r}", "give a path")
    return value


def _paths(value: Any, where: str) -> tuple[str, ...]:
    paths = [value] if isinstance(value, str) else value
    if not isinstance(paths, list) or not paths or not all(isinstance(p, str) and p for p in paths):
        raise ConfigError(f"{where}: documents = {value!r}", "give a path, or a list of them")
    return tuple(paths)


def _number(table: Mapping[str, Any], key: str, default: int, low: int, where: str) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise ConfigError(f"{where}: {key} = {value!r}", f"give a whole number >= {low}")
    return value


def _once(names: Sequence[str], kind: str, path: Path) -> None:
    seen: set[str] = set()
    for name in names:
        # Folders of names that differ in case only are one folder on some disks.
        if name.casefold() in seen:
            raise ConfigError(f"{path}: {kind} {name!r} stands twice", "give each its own name")
        seen.add(name.casefold())
