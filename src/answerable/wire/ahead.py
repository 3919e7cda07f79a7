"""Slow openings side by side: the model in a thread of its own while the rest is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from answerable import config
from answerable.errors import AnswerableError
from answerable.wire.table import build

if TYPE_CHECKING:
    from answerable.ports import Embedder


def open_ahead(embedder: Embedder | None) -> Thread | None:
    """Begin to open a model that has `open`; None when there is nothing to begin.

    A fault is not raised here: the first text meets it again.
    """
    opening = getattr(embedder, "open", None)
    return None if opening is None else _begun(opening)


def hurry(folder: str | Path, overrides: Sequence[str] = ()) -> Thread | None:
    """Begin to open the model that questions to a knowledge base need, before all else is loaded.

    Most of a model's opening needs no interpreter, so the imports go on meanwhile. None where
    there is nothing to begin; a fault is met again by what opens the knowledge base.
    """
    with suppress(AnswerableError):
        settings, recipe = config.load(config.find_base(Path(folder)), overrides)
        rule = recipe.ingest.embedder
        if rule.name and recipe.ask.search.embeds and (settings.store / "CURRENT").exists():
            return _begun(lambda: build("embedder", rule.name, rule.options).open())
    return None


def _begun(opening: Callable[[], object]) -> Thread:
    def run() -> None:
        # also a part of a user's own, which may have no `open` or fail in any way
        with suppress(Exception):
            opening()

    thread = Thread(target=run, name="open-model")
    thread.start()
    return thread
