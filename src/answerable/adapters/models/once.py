"""Made once for all threads: what is slow to open and then shared."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def once(make: Callable[P, T]) -> Callable[P, T]:
    """`functools.cache`, under which a second thread waits for the first and makes nothing."""
    made, lock = cache(make), Lock()

    @wraps(make)
    def given(*args: P.args, **more: P.kwargs) -> T:
        with lock:
            return made(*args, **more)  # type: ignore[arg-type]

    return given
