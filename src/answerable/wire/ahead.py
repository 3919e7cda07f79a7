"""Slow openings side by side: the model in a thread of its own while the database opens."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

from answerable.errors import AnswerableError
from answerable.ports import Embedder


def open_ahead(embedder: Embedder | None) -> Thread | None:
    """Begin to open a model that has `open`; None when there is nothing to begin.

    A fault is not raised here: the first text meets it again.
    """
    opening = getattr(embedder, "open", None)
    if opening is None:
        return None

    def run() -> None:
        with suppress(AnswerableError):
            opening()

    thread = Thread(target=run, name="open-model")
    thread.start()
    return thread
