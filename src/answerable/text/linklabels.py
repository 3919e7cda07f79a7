"""Where link labels end, found once per bracket: markdown-it-py looks again from each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

from markdown_it import MarkdownIt, helpers
from markdown_it.rules_inline import StateInline


class _Label(NamedTuple):
    """The place of the closing bracket, -1 for none; whether links or notes stand inside."""

    end: int
    nested: bool


def label_plugin(md: MarkdownIt) -> None:
    """Let links and images look up their labels; what they read stays the same."""
    md.helpers = SimpleNamespace(  # type: ignore[assignment]
        parseLinkLabel=_label_end,
        parseLinkDestination=helpers.parseLinkDestination,
        parseLinkTitle=helpers.parseLinkTitle,
    )


def _label_end(state: StateInline, start: int, disableNested: bool = False) -> int:  # noqa: N803
    found = _label(state, start)
    if found.end >= state.posMax or (disableNested and found.nested):
        return -1
    return found.end


def _label(state: StateInline, start: int) -> _Label:
    known: dict[int, _Label] = vars(state).setdefault("known_labels", {})
    if start not in known:
        closed = state.src.find("]", start + 1, state.posMax) >= 0
        known[start] = _scanned(state, start) if closed else _Label(-1, False)
    return known[start]


def _scanned(state: StateInline, start: int) -> _Label:
    """The label that begins at `start`; brackets inside it have theirs already, or are skipped."""
    before, nested, end = state.pos, False, -1
    state.pos = start + 1
    while state.pos < state.posMax:
        at = state.pos
        if state.src[at] == "]":
            end = at
            break
        state.md.inline.skipToken(state)
        if state.src[at] == "[":
            if state.pos > at + 1:
                nested = True
                continue
            # A bracket that opens no token must be closed before this one can be.
            inner = _label(state, at)
            if inner.end < 0:
                break
            nested = nested or inner.nested
            state.pos = inner.end + 1
    state.pos = before
    return _Label(end, nested)
