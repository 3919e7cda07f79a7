"""Whether a model's JSON reply passes whole: nothing wrong in it, nothing missing, nothing more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from answerable.measure.answers import matches
from answerable.records.evals import Score

CAUSES = (
    "no JSON",
    "incomplete JSON",
    "text beside the JSON",
    "keys missing, doubled or of the wrong kind",
    "wrong answer",
    "title in place of an id",
    "unknown id",
    "required id missing",
    "answered though unanswerable",
    "sources though unanswerable",
    "refused though answerable",
)
"""What keeps a reply from passing, as it is counted."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a reply is held against; ids are those of the passages that the model was shown.

    `required` are the ways of answering, each a tuple of places, each the ids that hold it: of
    every place of one way an id must be cited. `given` are the ids shown, and `titles` the titles
    shown with them, which are no ids. Not answerable: the answer must be null and the sources
    empty.
    """

    answers: tuple[str, ...]
    required: tuple[tuple[frozenset[str], ...], ...]
    given: frozenset[str]
    titles: frozenset[str] = frozenset()
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply as read: the answer or None, and the ids it cites."""

    answer: str | None
    sources: tuple[str, ...]


def read(text: str) -> Reply | str:
    """A model's text `{"answer": ..., "sources": [...]}` as a reply, or the cause why it is none.

    The whole text must be one JSON object; a fence around it is taken off. `answer` is a text, a
    number or null, `sources` a list of texts or numbers.
    """
    body = _unfenced(text.strip())
    if not body.startswith("{"):
        return "text beside the JSON" if "{" in body and "}" in body else "no JSON"
    try:
        row, end = json.JSONDecoder(object_pairs_hook=_once).raw_decode(body)
    except (json.JSONDecodeError, RecursionError):
        return "incomplete JSON"
    if body[end:].strip():
        return "text beside the JSON"
    answer, sources = row.get("answer", ...), row.get("sources")
    known = answer is None or _plain(answer)
    if not known or not isinstance(sources, list) or not all(map(_plain, sources)):
        return "keys missing, doubled or of the wrong kind"
    return Reply(None if answer is None else str(answer), tuple(str(one) for one in sources))


def faults(reply: Reply | str, key: Key) -> tuple[str, ...]:
    """All that keeps a reply from passing, in the order of `CAUSES`; () when it passes.

    The answer must equal an accepted one after normalisation; every source must be an id that was
    shown, character for character, and all ids of one way of answering must be there.
    """
    if isinstance(reply, str):
        return (reply,)
    found = set()
    foreign = [one for one in reply.sources if one not in key.given]
    titles = {_folded(title) for title in key.titles}
    if any(_folded(one) in titles for one in foreign):
        found.add("title in place of an id")
    if any(_folded(one) not in titles for one in foreign):
        found.add("unknown id")
    if not key.answerable:
        if reply.answer is not None:
            found.add("answered though unanswerable")
        if reply.sources:
            found.add("sources though unanswerable")
    elif reply.answer is None:
        found.add("refused though answerable")
    else:
        if not matches(reply.answer, key.answers):
            found.add("wrong answer")
        if not any(
            way and all(holders & set(reply.sources) for holders in way) for way in key.required
        ):
            found.add("required id missing")
    return tuple(cause for cause in CAUSES if cause in found)


def by_cause(scores: Iterable[Score]) -> dict[str, list[str]]:
    """The items that failed under `strict` by cause, in the order of `CAUSES`.

    A score says its causes in `why`, with `; ` between; an item with two is under both.
    """
    failed = [(one.item_id, one.why.split("; ")) for one in scores if one.value == 0]
    found = {cause: [item for item, whys in failed if cause in whys] for cause in CAUSES}
    return {cause: items for cause, items in found.items() if items}


def _unfenced(text: str) -> str:
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text[text.index("\n") + 1 : -3].strip()
    return text


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without the keys that it has twice: which value is meant cannot be told."""
    counts = Counter(name for name, _ in pairs)
    return {name: value for name, value in pairs if counts[name] == 1}


def _plain(value: object) -> bool:
    """Whether it is a text or a number, which true and false are not."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)
