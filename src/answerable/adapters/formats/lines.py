"""Text files line by line, where a bad line costs itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from answerable.errors import InputError, NotFound
from answerable.records.docs import Span

LONGEST = 1 << 40
"""No document has as many characters."""


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
            found = parsed(line)
        except InputError as fault:
            problems.append(f"{place}: {fault.message}")
            continue
        if isinstance(found, dict):
            yield place, found
        else:
            problems.append(f"{place}: not an object but {type(found).__name__}")


def parsed(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """What JSON text says; InputError says why it says nothing that can be used.

    `pairs` makes the value of an object from its keys and values, as `json.loads` has it.
    """
    try:
        found = json.loads(text, object_pairs_hook=pairs)
        if "\\ud" in text.lower():
            json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno} " if "\n" in text else ""
        raise InputError(f"not JSON ({fault.msg} at {where}column {fault.colno})") from fault
    except UnicodeEncodeError as fault:
        raise InputError(f"not text: {fault.object[fault.start]!r} is half a character") from fault
    except RecursionError as fault:
        raise InputError("not usable JSON (nested too deeply)") from fault
    except ValueError as fault:
        raise InputError("not usable JSON (a number of thousands of digits)") from fault
    return found


def span(start: Any, end: Any) -> Span | None:
    """Half-open offsets in characters; None where they are none."""
    if type(start) is not int or type(end) is not int or not 0 <= start < end < LONGEST:
        return None
    return Span(start, end)


def identifier(value: Any) -> str | None:
    """An id as text: strings trimmed, whole numbers as digits; None for anything else or ''."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None
