"""When the compiled scan is worth loading: numba takes about a second to import."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Final

from answerable.errors import UsageError

WORTH: Final = 30_000_000
"""Postings scored in numpy, in this process, before numba is loaded: an estimate from some 60 ns
a posting at 100,000 chunks against 1.3 s for loading, not tuned."""


class _Meter:
    """What numpy has scored so far, and the kernels once they are loaded."""

    scored = 0
    tried = False
    loaded: ModuleType | None = None


def kernels(postings: int, fast: bool | None = None) -> ModuleType | None:
    """The compiled scan for a query of that many postings, or None for numpy.

    Like renting until the rent has reached the price: never more than twice the cost of the
    better choice. Both give the same results. `fast` True loads it now and raises UsageError
    where it cannot be had; False answers None.
    """
    if fast is False:
        return None
    if _Meter.loaded is None and not _Meter.tried:
        _Meter.scored += postings
        if fast or _Meter.scored > WORTH:
            _load()
    if fast and _Meter.loaded is None:
        raise UsageError("the compiled scan cannot be loaded", "pip install answerable[fast]")
    return _Meter.loaded


def warm() -> bool:
    """Load the compiled scan ahead of queries, as a server would; False where it is not there."""
    if not _Meter.tried:
        _load()
    return _Meter.loaded is not None


def _load() -> None:
    _Meter.tried = True
    try:
        _Meter.loaded = importlib.import_module("answerable.rank.kernels")
    except (ImportError, RuntimeError):
        # numba raises RuntimeError where it finds no folder for its cache of compiled code.
        _Meter.loaded = None
