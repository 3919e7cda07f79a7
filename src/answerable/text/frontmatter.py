"""The head of a page between `---` lines: YAML, every value as its author wrote it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

# All scalars stay strings: a date is not a point in time here, and `no` is a word.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_HEAD = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PAIR = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:[ \t]*(.*)")
_EMPTY = ("", "~", "null", "Null", "NULL")
_DEEPEST = 3
_MOST = 1000


class FrontMatter(NamedTuple):
    """`meta` as flat pairs (lists joined by commas, nested keys by points), and the rest."""

    meta: tuple[tuple[str, str], ...]
    body: str
    note: str = ""


def split(text: str) -> FrontMatter:
    """The front matter of `text` and the text behind it.

    Text that only looks like it (no mapping between the lines) is left in the body. Broken YAML
    is read line by line as `key: value`, with a note.
    """
    found = _HEAD.match(text)
    if not found:
        return FrontMatter((), text)
    source, body = found.group(1), text[found.end() :]
    try:
        value = yaml.load(source, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        pairs = {m[1]: m[2].strip().strip("'\"") for m in map(_PAIR.match, source.split("\n")) if m}
        if not pairs:
            return FrontMatter((), text)
        where = getattr(getattr(fault, "problem_mark", None), "line", None)
        at = "" if where is None else f" in line {where + 2}"
        why = getattr(fault, "problem", None) or type(fault).__name__
        note = f"front matter is not valid YAML{at}: {why}; read line by line"
        return FrontMatter(tuple(pairs.items()), body, note)
    if isinstance(value, dict):
        return FrontMatter(tuple(_flat(value).items()), body)
    if not source.strip():
        return FrontMatter((), body)
    return FrontMatter((), text)


def _flat(value: dict[Any, Any]) -> dict[str, str]:
    pairs: dict[str, str] = {}

    def walk(prefix: str, item: Any, depth: int) -> None:
        if len(pairs) >= _MOST or depth > _DEEPEST:
            return
        if isinstance(item, dict):
            for key, inner in item.items():
                walk(f"{prefix}.{key}" if prefix else str(key), inner, depth + 1)
        elif isinstance(item, list):
            words = [one for one in item[:_MOST] if isinstance(one, str) and one not in _EMPTY]
            if words:
                pairs[prefix] = ", ".join(words)
            for number, one in enumerate(item[:_MOST]):
                if isinstance(one, dict | list):
                    walk(f"{prefix}.{number}", one, depth + 1)
        elif item not in _EMPTY:
            pairs[prefix] = str(item)

    walk("", value, 0)
    return pairs
