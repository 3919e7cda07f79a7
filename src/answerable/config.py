"""Configuration: TOML file, environment and flags to Settings and Recipe.

The only module that reads the environment.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from answerable.errors import ConfigError, NotFound
from answerable.records.recipe import Recipe

FILE = "answerable.toml"
_HALVES = ("ingest", "ask")


@dataclass(frozen=True, slots=True)
class Settings:
    """What does not change results: where things lie and who asks by default.

    `folder` is the knowledge base; `keep` how many generations stay for rollback; `threads` 0
    means all cores; `principals` ask on the command line (a user and its groups).
    """

    folder: Path
    database_url: str
    store: Path
    keep: int = 2
    threads: int = 0
    principals: tuple[str, ...] = ()


def find_base(start: Path) -> Path:
    """The nearest folder with an `answerable.toml`, from `start` upwards; NotFound if none."""
    for folder in [start.resolve(), *start.resolve().parents]:
        if (folder / FILE).is_file():
            return folder
    raise NotFound(
        f"no {FILE} in {start} or above it",
        "run `answerable init` there, or name the knowledge base with --kb DIR",
    )


def load(folder: Path, overrides: Sequence[str] = ()) -> tuple[Settings, Recipe]:
    """Settings and recipe of a knowledge base, with `KEY=VALUE` overrides of recipe keys."""
    path = folder / FILE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as fault:
        raise NotFound(f"cannot read {path}: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise ConfigError(f"{path} is not UTF-8: {fault}", "save it as UTF-8") from fault
    except tomllib.TOMLDecodeError as fault:
        raise ConfigError(f"{path} is not TOML: {fault}", "mend the line it names") from fault
    unknown = sorted(set(table) - {*_HALVES, "settings"})
    if unknown:
        raise ConfigError(
            f"{path}: unknown table [{unknown[0]}]", "allowed: [settings], [ingest], [ask]"
        )
    for override in overrides:
        _override(table, override)
    recipe = read_recipe({half: table.get(half, {}) for half in _HALVES}, str(path))
    return _settings(folder, table.get("settings", {}), path), recipe


def plain_settings(folder: Path) -> Settings:
    """Settings for work without a knowledge base."""
    return _settings(folder, {}, folder)


def read_recipe(table: Mapping[str, Any], where: str) -> Recipe:
    """The recipe of a plain table; ConfigError names the key, the value and what is allowed."""
    _reject_unknown(Recipe, table, where, "")
    try:
        return _adapter().validate_python(_options_to_pairs(table))
    except ValidationError as fault:
        first = fault.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"{where}: {key} = {first.get('input')!r}: {first['msg'].lower()}",
            "see docs/reference/recipe.md",
        ) from fault


def write_recipe(recipe: Recipe, reasons: Sequence[str]) -> str:
    """The text of an `answerable.toml` for a recipe, with the reasons as comments."""
    lines = ["# Why this start:", *(f"#  - {reason}" for reason in reasons), ""]
    for rule in recipe.ingest.cut:
        lines += ["[[ingest.cut]]", *_toml_fields(rule), ""]
    for half, part in (("ingest", recipe.ingest), ("ask", recipe.ask)):
        for field in fields(part):
            value = getattr(part, field.name)
            if is_dataclass(value):
                lines += [f"[{half}.{field.name}]", *_toml_fields(value), ""]
    return "\n".join(lines)


def example_folder() -> Path:
    """Where the shipped example lies: inside the installed package, or in the checkout."""
    inside = Path(__file__).parent / "examples" / "handbook"
    checkout = Path(__file__).parents[2] / "examples" / "handbook"
    for folder in (inside, checkout):
        if folder.is_dir():
            return folder
    raise NotFound("the shipped example is missing", "install the package again")


@cache
def _adapter() -> TypeAdapter[Recipe]:
    return TypeAdapter(Recipe)


def _settings(folder: Path, table: Mapping[str, Any], path: Path) -> Settings:
    allowed = {"database_url", "keep", "threads", "principals"}
    if not isinstance(table, Mapping):
        raise ConfigError(f"{path}: settings = {table!r}", "write it as a table: [settings]")
    for key in table:
        if key not in allowed:
            raise ConfigError(
                f"{path}: unknown key settings.{key}", f"allowed: {', '.join(sorted(allowed))}"
            )
    keep, threads = table.get("keep", 2), table.get("threads", 0)
    for key, value, low in (("keep", keep, 1), ("threads", threads, 0)):
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise ConfigError(f"{path}: settings.{key} = {value!r}", f"give a number >= {low}")
    if not isinstance(table.get("database_url", ""), str):
        raise ConfigError(
            f"{path}: settings.database_url = {table['database_url']!r}", "give a text"
        )
    principals = table.get("principals", [])
    if not isinstance(principals, list) or not all(isinstance(one, str) for one in principals):
        raise ConfigError(
            f"{path}: settings.principals = {principals!r}", 'give a list of names, as in ["hr"]'
        )
    home = folder / ".answerable"
    url = os.environ.get("ANSWERABLE_DATABASE_URL") or table.get("database_url")
    return Settings(
        folder=folder,
        database_url=str(url or f"sqlite:///{home / 'answerable.db'}"),
        store=home / "index",
        keep=keep,
        threads=threads,
        principals=tuple(principals),
    )


def _override(table: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals:
        raise ConfigError(f"--set {override!r} has no '='", "write KEY=VALUE, as in k1=0.9")
    path = _full_key(key.strip())
    try:
        value = tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    for part in path[:-1]:
        table = table.setdefault(part, {})
    table[path[-1]] = value


def _full_key(key: str) -> list[str]:
    """`k1` or `search.k1` as [ask, search, k1]; a short key must be unique."""
    keys = [
        (half, field.name, leaf.name)
        for half in _HALVES
        for field in fields(_field_type(Recipe, half))
        if is_dataclass(part := _field_type(_field_type(Recipe, half), field.name))
        for leaf in fields(part)
    ]
    wanted = tuple(key.split("."))
    found = [path for path in keys if path[-len(wanted) :] == wanted]
    if len(found) != 1:
        names = ", ".join(".".join(path) for path in (found or keys))
        what = "is ambiguous" if found else "is not a recipe key"
        raise ConfigError(f"--set {key}: {key!r} {what}", f"one of: {names}")
    return list(found[0])


def _field_type(kind: Any, name: str) -> Any:
    return get_type_hints(kind)[name]


def _reject_unknown(kind: Any, table: Any, where: str, at: str) -> None:
    hints = get_type_hints(kind)
    if not isinstance(table, Mapping):
        raise ConfigError(f"{where}: [{at}] is {table!r}", "write it as a table")
    for key, value in table.items():
        full = f"{at}.{key}" if at else key
        if key not in hints:
            raise ConfigError(
                f"{where}: unknown key {full} = {value!r}", f"allowed: {', '.join(hints)}"
            )
        if is_dataclass(hints[key]):
            _reject_unknown(hints[key], value, where, full)
        elif key == "cut" and isinstance(value, list):
            for number, rule in enumerate(value):
                _reject_unknown(hints[key].__args__[0], rule, where, f"{full}[{number}]")


def _options_to_pairs(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: tuple(sorted(item.items()))
            if key == "options" and isinstance(item, Mapping)
            else _options_to_pairs(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_options_to_pairs(item) for item in value]
    return value


def _toml_fields(part: Any) -> list[str]:
    lines = []
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name == "options":
            if value:
                pairs = ", ".join(f"{key} = {_toml(item)}" for key, item in value)
                lines.append(f"options = {{ {pairs} }}")
        elif value != "" or field.default != "":
            lines.append(f"{field.name} = {_toml(value)}")
    return lines


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
