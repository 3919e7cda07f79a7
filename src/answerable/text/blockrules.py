"""Block rules added to CommonMark: a floor under nesting, and `:::` admonitions."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

ALL_BLOCKS = ("paragraph", "reference", "blockquote", "list")
DEEPEST = 40
_DIRECTIVE = re.compile(r":{3,}[ \t]*([A-Za-z][\w-]*)?[ \t]*(?:\[([^\]]*)\])?(\{[^}]*\})?(.*)")
_TITLE = re.compile(r"title\s*=\s*[\"']([^\"']*)[\"']")

Rule = Callable[[StateBlock, int, int, bool], bool]


def say(state: StateBlock, words: str, line: int) -> None:
    """Add a paragraph of `words` to the token stream."""
    state.push("paragraph_open", "p", 1).map = [line, line + 1]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = words, [line, line + 1], []
    state.push("paragraph_close", "p", -1)


def floor_plugin(md: MarkdownIt) -> None:
    """Read marks nested deeper than `DEEPEST` levels as words instead of opening more blocks.

    Without a floor the recursive rules of markdown-it-py raise RecursionError, or with its own
    limit drop the words.
    """
    for rule in list(md.block.ruler.__rules__):
        if rule.name in ("blockquote", "list", "deflist", "footnote_def", "admonition"):
            md.block.ruler.at(rule.name, _floored(rule.fn), {"alt": rule.alt})


def _floored(rule: Rule) -> Rule:
    def guarded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < DEEPEST and rule(state, start, end, silent)

    return guarded


def directive_plugin(md: MarkdownIt) -> None:
    """Read `:::note Title` as a paragraph `note Title`, and drop the closing `:::`."""
    md.block.ruler.before("fence", "directive", _directive, {"alt": list(ALL_BLOCKS)})


def _directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith(":::", at):
        return False
    found = _DIRECTIVE.fullmatch(state.src, at, state.eMarks[start])
    if not found:
        return False
    if silent:
        return True
    name, label, attributes, rest = found.groups(default="")
    titled = _TITLE.search(attributes + rest)
    title = titled.group(1) if titled else label or rest.split("{")[0]
    words = " ".join(f"{name} {title}".split())
    state.line = start + 1
    if words:
        say(state, words, start)
    return True
