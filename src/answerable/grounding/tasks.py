"""Tasks in a list: a box before an item says in a sign what questions say in words."""

from __future__ import annotations

import re

_BOX = re.compile(r"\s*\[( |x|X)\]\s")
_ASKS = re.compile(
    r"\b(?:tasks?|to-?dos?|action items?|action points?|aufgaben?|tâches?|tareas?|zada(?:nia|ń))\b",
    re.I,
)
_DONE = re.compile(
    r"\b(?:done|completed?|finished|closed|ticked|erledigt\w*|fertig|abgeschlossen\w*)\b", re.I
)
_NOT = re.compile(r"\b(?:not|nicht|yet|noch|un\w+|in\w+)\b|n['’]t\b", re.I)

_SAID = {
    "open": "open task, still to do, not yet done, unfinished, pending; offene Aufgabe",
    "done": "task done, completed, finished, closed; erledigte Aufgabe",
}


def state(text: str) -> str:
    """`open` or `done` for an item with an empty or ticked box, '' for any other."""
    box = _BOX.match(text)
    return "" if box is None else "open" if box[1] == " " else "done"


def in_words(text: str) -> str:
    """What the box before an item means, in words; '' where there is none."""
    return _SAID.get(state(text), "")


def state_asked(question: str) -> str:
    """The state that a question about tasks asks for: open unless it says that they are done."""
    if not _ASKS.search(question):
        return ""
    return "done" if _DONE.search(question) and not _NOT.search(question) else "open"
