"""The streams of the process: closed from the start, narrow, or closed by a reader as by `head`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def steady_streams() -> None:
    """Give the process every stream; a character that one cannot show becomes an escape."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def json_text(plain: Any) -> str:
    """One JSON document, in characters that standard output can show."""
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(plain, allow_nan=False, indent=2)
    return text


@contextmanager
def quiet_pipe(code: int = 0) -> Iterator[None]:
    """End the process with `code` and no word when nobody reads its output any more."""
    try:
        yield
    except BrokenPipeError:
        silence()
        sys.exit(code)


def silence() -> None:
    """Let what is still to be written go nowhere, as the interpreter flushes at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


def harmless(text: str) -> str:
    """Foreign text that cannot steer a terminal: control characters become U+FFFD."""
    return text.translate(_STEERING)


_STEERING = dict.fromkeys(
    (*range(9), *range(11, 32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)), "�"
)
