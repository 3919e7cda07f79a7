"""MDX inside Markdown: where a JSX tag ends, and the words its attributes show."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from answerable.text.blockrules import ALL_BLOCKS, say

# In MDX what stands inside these is Markdown even without a blank line (mdxjs.com, "Markdown").
_TRANSPARENT = re.compile(r"</?(?:details|div|section|center|article|aside|main)(?=[\s/>])")
_SUMMARY = re.compile(r"<summary[^<>]*>(.*?)</summary>[ \t]*")
_OPEN = re.compile(r"<(?:/?(?:[A-Z][\w.]*|[a-z][\w.]*\.[\w.]+)(?=[\s/>])|/?>)")
_BRACED = re.compile(r"<[a-z][\w-]*\s[^<>]*?=\s*\{")
_SHOWN = re.compile(
    r"\b(?:title|label|text|heading|summary|description|caption|alt)\s*=\s*"
    r"\{?(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`)"
)
_MODULE = re.compile(r"(?:import|export)\b(?!\s*:)")
_SPACER = re.compile(r"\{\s*([\"'`])([^{}\n]*?)\1\s*\}")
_LONGEST = 20_000
_PATIENCE = 1_000_000


def shown_words(tag: str) -> list[str]:
    """The values of the attributes that a component shows to its reader (title, label, ...)."""
    found = (next(v for v in m.groups() if v is not None) for m in _SHOWN.finditer(tag))
    return [" ".join(value.split()) for value in found if value.strip()]


def tag_end(src: str, start: int, limit: int) -> int:
    """The offset behind the `>` of the JSX tag at `start`, braces and quotes skipped; -1: none."""
    depth, quote = 0, ""
    for at in range(start + 1, min(limit, start + _LONGEST)):
        char = src[at]
        if quote:
            if char == quote:
                quote = ""
        elif char in "\"'`" and (depth or src[at - 1] in "= "):
            quote = char
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == ">" and depth <= 0:
            return at + 1
        elif char == "<" and not depth:
            return -1
    return -1


def _patient_end(env: MutableMapping[str, Any], src: str, start: int, limit: int) -> int:
    """As `tag_end`, until tags without an end have cost `_PATIENCE` characters on this page."""
    spent = env.setdefault("mdx_spent", 0)
    if spent > _PATIENCE:
        return -1
    end = tag_end(src, start, limit)
    if end < 0:
        env["mdx_spent"] = spent + min(limit - start, _LONGEST)
    return end


def mdx_plugin(md: MarkdownIt) -> None:
    """Teach `md` MDX: modules and comments dropped, component tags dropped, words kept."""
    md.disable("code")
    options: RuleOptionsType = {"alt": list(ALL_BLOCKS)}
    md.block.ruler.before("html_block", "mdx_module", _module)
    md.block.ruler.before("html_block", "mdx_comment", _comment_block, options)
    md.block.ruler.before("html_block", "mdx_tag", _tag_block, options)
    md.inline.ruler.before("html_inline", "mdx_inline_tag", _tag_inline)
    md.inline.ruler.push("mdx_expression", _expression)


def _module(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.level or state.sCount[start] or not _MODULE.match(state.src, state.bMarks[start]):
        return False
    # A module may hold blank lines inside its brackets, but not without end.
    depth, blank, line = 0, 0, start
    last = min(end, start + _LONGEST // 40)
    if state.env.get("mdx_spent", 0) > _PATIENCE:
        last = min(end, start + 1)
    while line < last:
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        depth += sum(map(text.count, "{[(")) - sum(map(text.count, "}])"))
        if not text.strip():
            blank = blank or line
            if depth <= 0:
                break
        line += 1
    if depth > 0:
        state.env["mdx_spent"] = state.env.get("mdx_spent", 0) + _LONGEST
    state.line = line if depth <= 0 else (blank or line)
    return True


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("{/*", at):
        return False
    close = state.src.find("*/}", at, state.eMarks[end - 1])
    line = _line_closed(state, start, end, close + 3) if close >= 0 else -1
    if line >= 0 and not silent:
        state.line = line + 1
    return line >= 0


def _tag_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    summary = _SUMMARY.fullmatch(state.src, at, state.eMarks[start])
    if summary:
        if not silent:
            state.line = start + 1
            say(state, summary.group(1).strip(), start)
        return True
    if not (_OPEN.match(state.src, at) or _TRANSPARENT.match(state.src, at)):
        return False
    close = _patient_end(state.env, state.src, at, state.eMarks[end - 1])
    line = _line_closed(state, start, end, close) if close >= 0 else -1
    if line >= 0 and not silent:
        state.line = line + 1
        for words in shown_words(state.src[at:close]):
            say(state, words, start)
    return line >= 0


def _line_closed(state: StateBlock, start: int, end: int, offset: int) -> int:
    """The line that holds `offset` if nothing else stands behind it there, else -1."""
    line = start
    while line < end - 1 and state.eMarks[line] < offset:
        line += 1
    return -1 if state.src[offset : state.eMarks[line]].strip() else line


def _tag_inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<":
        return False
    if not (_OPEN.match(state.src, state.pos) or _BRACED.match(state.src, state.pos)):
        return False
    close = _patient_end(state.env, state.src, state.pos, state.posMax)
    if close < 0:
        return False
    if not silent:
        state.push("html_inline", "", 0).content = state.src[state.pos : close]
    state.pos = close
    return True


def _expression(state: StateInline, silent: bool) -> bool:
    src, at = state.src, state.pos
    if src[at] != "{":
        return False
    if src.startswith("{/*", at):
        close = src.find("*/}", at, state.posMax)
        if close < 0:
            return False
        state.pos = close + 3
        return True
    found = _SPACER.match(src, at, state.posMax)
    if not found:
        return False
    if not silent:
        state.push("text", "", 0).content = found.group(2)
    state.pos = found.end()
    return True
