"""The source files that a module of this package stands on, by what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "answerable"


@cache
def digests(modules: tuple[str, ...], without: tuple[str, ...]) -> Mapping[str, str]:
    """SHA-256 by path in the package of the modules' files and all that they import of it.

    Subpackages named in `without` are not followed. Read once: what runs is what was loaded.
    """
    found: dict[str, str] = {}
    left = list(modules)
    seen = set(left)
    while left:
        name = left.pop()
        file = _file(name)
        if file is None:
            continue
        body = file.read_bytes()
        path = "/".join(name.split(".")[1:]) + ("/__init__" if file.stem == "__init__" else "")
        found[f"{path}.py"] = sha256(body).hexdigest()
        for other in _imports(body):
            parts = other.split(".")
            if parts[0] == PACKAGE and len(parts) > 1 and parts[1] not in without:
                left += [] if other in seen else [other]
                seen.add(other)
    return dict(sorted(found.items()))


def _imports(body: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(body)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            # What is imported from a package may be a module of it.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _file(module: str) -> Path | None:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)
