"""Text files line by line, where a bad line costs itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answerable.errors import InputError, NotFound


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Each line that is not blank with its number from 1; a byte order mark is skipped.

    Raises NotFound when the file is not there; bytes that are not UTF-8 become U+FFFD.
    """
    try:
        body = path.read_bytes()
    except FileNotFoundError as fault:
        raise NotFound(f"no file {path}") from fault
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}") from fault
    text = body.decode("utf-8-sig", errors="replace")
    # Only line feeds end a line: JSON strings may hold U+2028 and the like.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def objects(path: Path, problems: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line's JSON object with its place `file:line`; others go to `problems`."""
    for number, line in lines(path):
        place = f"{path.name}:{number}"
        try:
            found = json.loads(line)
        except json.JSONDecodeError as fault:
            problems.append(f"{place}: not JSON ({fault.msg} at column {fault.colno})")
            continue
        if isinstance(found, dict):
            yield place, found
        else:
            problems.append(f"{place}: not an object but {type(found).__name__}")


def identifier(value: Any) -> str | None:
    """An id as text: strings trimmed, whole numbers as digits; None for anything else or ''."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None
