"""Tests marked `data` need the public collections; they are skipped where those are missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[1] / "../shared/data"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if DATA.is_dir():
        return
    missing = pytest.mark.skip(reason=f"no collections in {DATA}; set ANSWERABLE_DATA")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(missing)
