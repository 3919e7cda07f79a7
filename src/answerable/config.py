"""Configuration: TOML file, environment and flags to Settings and Recipe.

The only module that reads the environment.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from answerable.errors import ConfigError, NotFound
from answerable.records.recipe import CutRule, Options, Recipe

FILE = "answerable.toml"
_HALVES = ("ingest", "ask")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_NUMBER = re.compile(r"\[\d+\]")
_KINDS = {str: "text", int: "whole number", float: "number", bool: "truth value (true or false)"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What does not change results: where things lie and who asks by default.

    `folder` is the knowledge base; `keep` how many generations stay for rollback; `threads` 0
    means all cores; `principals` ask on the command line (a user and its groups); `passwords` name
    the secrets that are tried on encrypted files.
    """

    folder: Path
    database_url: str
    store: Path
    keep: int = 2
    threads: int = 0
    principals: tuple[str, ...] = ()
    passwords: tuple[str, ...] = ()


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
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise ConfigError(f"{path} is not TOML: {fault}", "mend the line it names") from fault
    unknown = sorted(set(table) - {*_HALVES, "settings"})
    if unknown:
        raise ConfigError(
            f"{path}: unknown table [{unknown[0]}]", "allowed: [settings], [ingest], [ask]"
        )
    given = {_override(table, override): f"--set {override}" for override in overrides}
    recipe = read_recipe({half: table.get(half, {}) for half in _HALVES}, str(path), given)
    return _settings(folder, table.get("settings", {}), path), recipe


def recipe_of(overrides: Sequence[str]) -> Recipe:
    """The default recipe with `KEY=VALUE` overrides."""
    table: dict[str, Any] = {}
    for override in overrides:
        _override(table, override)
    return read_recipe({half: table.get(half, {}) for half in _HALVES}, "--set")


def plain_settings(folder: Path) -> Settings:
    """Settings for work without a knowledge base."""
    return _settings(folder, {}, folder)


def read_recipe(
    table: Mapping[str, Any], where: str, given: Mapping[str, str] | None = None
) -> Recipe:
    """The recipe of a plain table; ConfigError names the key, the value and what is allowed.

    It names `where` the value stands too: that of `given` for the full keys which it holds.
    """
    try:
        return _read(Recipe, table, "")  # type: ignore[no-any-return]
    except ConfigError as fault:
        named = _NUMBER.sub("", fault.message)
        places = [place for key, place in (given or {}).items() if _holds(named, key)]
        raise ConfigError(f"{' '.join(places) or where}: {fault.message}", fault.hint) from fault


def _holds(message: str, key: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", message) is not None


def overridden(table: Mapping[str, Any], changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A recipe's plain table with changes in the keys of `--set`, which may be nested tables.

    `cut.KEY` changes every rule without `match`; a list under `cut` replaces the rules.
    ConfigError names `where` and the key.
    """
    new = deepcopy(dict(table))
    for key, value in _flat(changes):
        _assign(new, key, value, where)
    return new


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


def secret(name: str) -> str:
    """The value of an environment variable, or of `keyring:SERVICE/USER` (extra `keyring`).

    ConfigError when it is not set; what does not look like a name is not shown, it may be a secret.
    """
    if name.startswith("keyring:"):
        return _from_keyring(name.removeprefix("keyring:"))
    if not _VARIABLE.fullmatch(name):
        raise ConfigError(
            "a secret is given by its name, and what was given is none",
            "name an environment variable in capitals, as in token_env=WIKI_TOKEN, or "
            "keyring:SERVICE/USER",
        )
    value = os.environ.get(name, "")
    if not value:
        raise ConfigError(f"the environment variable {name} is not set", f"export {name}=...")
    return value


def environment() -> dict[str, str]:
    """What programs that we start inherit."""
    return dict(os.environ)


def _from_keyring(place: str) -> str:
    service, slash, user = place.partition("/")
    if not slash:
        raise ConfigError(f"keyring:{place}", "write keyring:SERVICE/USER")
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as fault:
        raise ConfigError(
            "reading the keyring needs an extra", "pip install 'answerable[keyring]'"
        ) from fault
    try:
        value = keyring.get_password(service, user)
    except KeyringError as fault:
        raise ConfigError(f"the keyring cannot be read: {type(fault).__name__}") from fault
    if not value:
        raise ConfigError(f"the keyring holds nothing for {place}", f"keyring set {service} {user}")
    return str(value)


def example_folder() -> Path:
    """Where the shipped example lies: inside the installed package, or in the checkout."""
    inside = Path(__file__).parent / "examples" / "handbook"
    checkout = Path(__file__).parents[2] / "examples" / "handbook"
    for folder in (inside, checkout):
        if folder.is_dir():
            return folder
    raise NotFound("the shipped example is missing", "install the package again")


def _settings(folder: Path, table: Mapping[str, Any], path: Path) -> Settings:
    allowed = {"database_url", "keep", "threads", "principals", "passwords"}
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
    lists = {key: table.get(key, []) for key in ("principals", "passwords")}
    for key, names in lists.items():
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise ConfigError(
                f"{path}: settings.{key} = {names!r}", 'give a list of names, as in ["hr"]'
            )
    home = folder / ".answerable"
    url = os.environ.get("ANSWERABLE_DATABASE_URL") or table.get("database_url")
    return Settings(
        folder=folder,
        database_url=str(url or f"sqlite:///{home / 'answerable.db'}"),
        store=home / "index",
        keep=keep,
        threads=threads,
        principals=tuple(lists["principals"]),
        passwords=tuple(lists["passwords"]),
    )


def _override(table: dict[str, Any], override: str) -> str:
    """Puts KEY=VALUE into a table; returns the full key."""
    key, equals, text = override.partition("=")
    if not equals:
        raise ConfigError(f"--set {override!r} has no '='", "write KEY=VALUE, as in k1=0.9")
    try:
        value = tomllib.loads(f"v = {text}")["v"]
    except (tomllib.TOMLDecodeError, RecursionError):
        value = text.strip()
    return _assign(table, key.strip(), value, "--set")


def _flat(table: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        full = f"{at}.{key}" if at else key
        if isinstance(value, Mapping) and key != "options":
            yield from _flat(value, full)
        else:
            yield full, value


def _assign(table: dict[str, Any], key: str, value: Any, where: str) -> str:
    if isinstance(value, list) and key in ("cut", "ingest.cut"):
        table.setdefault("ingest", {})["cut"] = deepcopy(value)
        return "ingest.cut"
    path = _full_key(key, where)
    full = ".".join(path)
    for part in path[:-1]:
        table = table.setdefault(part, [{}] if part == "cut" else {})
        if isinstance(table, list):
            chosen = [rule for rule in table if isinstance(rule, dict) and not rule.get("match")]
            if not chosen:
                raise ConfigError(
                    f"{where} {key}: every rule of ingest.cut has a match", "list them"
                )
            for rule in chosen:
                rule[path[-1]] = value
            return full
        if not isinstance(table, dict):
            return full  # what stands there instead is named when the recipe is read
    table[path[-1]] = value
    return full


def _full_key(key: str, where: str) -> list[str]:
    """`k1` or `search.k1` as [ask, search, k1]; a short key must be unique."""
    keys: list[tuple[str, ...]] = [("ingest", "cut", leaf.name) for leaf in fields(CutRule)]
    for half in _HALVES:
        for name, part in get_type_hints(_field_type(Recipe, half)).items():
            if is_dataclass(part):
                keys += [(half, name, leaf.name) for leaf in fields(part)]
            elif name != "cut":
                keys.append((half, name))
    wanted = tuple(key.split("."))
    found = [path for path in keys if path[-len(wanted) :] == wanted]
    if len(found) != 1:
        names = ", ".join(".".join(path) for path in (found or keys))
        what = "is ambiguous" if found else "is not a recipe key"
        raise ConfigError(f"{where} {key}: {key!r} {what}", f"one of: {names}")
    return list(found[0])


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _field_type(kind: Any, name: str) -> Any:
    return _hints(kind)[name]


def _read(kind: Any, value: Any, key: str) -> Any:
    """A plain value as the `kind` that a record's field has; `key` is where it stands."""
    if is_dataclass(kind):
        return _table(kind, value, key)
    if kind == Options:
        return _options(value, key)
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{key} = {value!r} is no list", f"write it as [[{key}]]")
        inner = get_args(kind)[0]
        return tuple(_read(inner, item, f"{key}[{n}]") for n, item in enumerate(value))
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            names = ", ".join(map(repr, get_args(kind)))
            raise ConfigError(f"{key} = {value!r} is not known", f"one of: {names}")
        return value
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ConfigError(f"{key} = {value!r} is no {_KINDS[kind]}", "see docs/reference/recipe.md")
    return value


def _table(kind: Any, value: Any, key: str) -> Any:
    if not isinstance(value, Mapping):
        raise ConfigError(f"[{key}] is {value!r}", "write it as a table")
    hints = _hints(kind)
    full = {name: f"{key}.{name}" if key else name for name in value}
    for name, item in value.items():
        if name not in hints:
            raise ConfigError(
                f"unknown key {full[name]} = {item!r}", f"allowed: {', '.join(hints)}"
            )
    return kind(**{name: _read(hints[name], item, full[name]) for name, item in value.items()})


def _options(value: Any, key: str) -> Options:
    try:
        pairs = dict(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{key} = {value!r} is no table", "write { KEY = VALUE }") from None
    for name, item in pairs.items():
        if not isinstance(item, str | int | float):
            raise ConfigError(f"{key}.{name} = {item!r}", "give a text, a number, true or false")
    return tuple(sorted(pairs.items()))


def _toml_fields(part: Any) -> list[str]:
    lines = []
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name == "options":
            if value:
                pairs = ", ".join(f"{_toml_key(key)} = {_toml(item)}" for key, item in value)
                lines.append(f"options = {{ {pairs} }}")
        elif value != "" or field.default != "":
            lines.append(f"{field.name} = {_toml(value)}")
    return lines


def _toml_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _toml(key)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        escaped = _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", escaped)
        return f'"{escaped}"'
    return str(value)
