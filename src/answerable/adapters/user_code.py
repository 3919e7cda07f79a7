"""A function of the user's own file, and the digest of the very text that was run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from answerable.errors import ConfigError


def load_function(file: Path, name: str) -> tuple[Callable[..., Any], str]:
    """The function and the SHA-256 of its file; ConfigError if it cannot be had.

    The file stands alone: what it imports beside itself would not be in the digest.
    """
    try:
        body = file.read_bytes()
    except OSError as fault:
        raise ConfigError(f"cannot read {file}: {fault.strerror}") from fault
    digest = sha256(body).hexdigest()
    module = ModuleType(f"answerable_user_{digest[:12]}")
    module.__file__ = str(file)
    # Dataclasses and pickles of the file look their module up by its name.
    sys.modules[module.__name__] = module
    try:
        exec(compile(body, str(file), "exec"), module.__dict__)
    except Exception as fault:  # the user's own code may raise anything
        raise ConfigError(
            f"{file} cannot be run: {fault!r}", "keep a checker in one file that stands alone"
        ) from fault
    function = getattr(module, name, None)
    if not callable(function):
        raise ConfigError(f"{file} has no function {name!r}", "write use = 'file.py:function'")
    return function, digest
