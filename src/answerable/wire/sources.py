"""Where documents come from: a path or URI to a registered source, and that to a `Source`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from answerable import config
from answerable.errors import ConfigError, NotFound
from answerable.ports import Clock, Source
from answerable.wire.table import load

SCHEMES: Mapping[str, str] = {
    "confluence+https": "confluence",
    "confluence+http": "confluence",
    "git+https": "git",
    "git+http": "git",
    "git+ssh": "git",
    "git+file": "git",
    "https": "web",
    "http": "web",
}
"""The scheme of a URI -> the kind of its source."""


@dataclass(frozen=True, slots=True)
class Target:
    """What `add` was given, understood: the kind of source, its name of choice, its options."""

    kind: str
    name: str
    options: Mapping[str, Any]


def target_of(given: str, extra: Sequence[str] = ()) -> Target:
    """A path or URI with `KEY=VALUE` options as a target; a key given again makes a list.

    Raises NotFound for a path that is not there, ConfigError for an option that cannot be.
    """
    scheme, colon, _ = given.partition("://")
    if colon:
        if scheme.lower() not in SCHEMES:
            raise ConfigError(f"no source for {scheme}://", f"one of: {', '.join(SCHEMES)}, a path")
        kind = SCHEMES[scheme.lower()]
        options = load("target", kind)(given)
        return Target(kind, _named_after(given), _with(options, extra))
    path = Path(given).expanduser().resolve()
    if not path.exists():
        raise NotFound(f"{given} does not exist", "give a folder, a file or a URI")
    kind = "jsonl" if path.suffix == ".jsonl" else "file" if path.is_file() else "folder"
    name = path.stem if path.is_file() else path.name
    options = _with({"root": str(path)}, extra)
    if "users" in options:
        options["users"] = str(Path(str(options["users"])).expanduser().resolve())
    return Target(kind, name, options)


def free_name(target: Target, taken: Mapping[str, Mapping[str, Any]]) -> str:
    """The target's name, with a mark of its options where another source has it already."""
    if target.name not in taken or _place(taken[target.name]) == _place(target.options):
        return target.name
    mark = sha256(str(_place(target.options)).encode()).hexdigest()[:6]
    return f"{target.name}-{mark}"


def make_source(
    name: str,
    kind: str,
    options: Mapping[str, Any],
    settings: config.Settings,
    clock: Clock,
    since: str = "",
) -> Source:
    """The source of a registered row; ConfigError names the option or secret that is wrong."""
    around = load("around", "around")(
        secret=config.secret,
        folder=settings.store.parent / "sources" / name,
        now=clock.now,
        seconds=clock.seconds,
        sleep=sleep,
        since=since,
        environment=config.environment(),
    )
    made: Source = load("source", kind)(name, options, around)
    return made


def _with(options: Mapping[str, Any], extra: Sequence[str]) -> dict[str, Any]:
    merged: dict[str, Any] = dict(options)
    given: dict[str, list[str]] = {}
    for pair in extra:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ConfigError(f"--with {pair!r} has no '='", "write KEY=VALUE")
        given.setdefault(key.strip(), []).append(value.strip())
    for key, values in given.items():
        merged[key] = values[0] if len(values) == 1 else values
    return merged


def _place(options: Mapping[str, Any]) -> Any:
    """What makes two sources the same: where and within which boundary, not how they are read."""
    if "root" in options:
        return options["root"]
    boundary = ("url", "path", "ref", "spaces", "labels", "types", "cql")
    if "url" not in options:
        return sorted(options.items())
    return [(key, options.get(key)) for key in boundary]


def _named_after(uri: str) -> str:
    parts = urlsplit(uri)
    kind = SCHEMES[parts.scheme.lower()]
    if kind == "git":
        return parts.path.rstrip("/").rpartition("/")[2].removesuffix(".git") or "git"
    host = parts.hostname or "web"
    return host.split(".")[0] if kind == "confluence" else host
