"""Preformatted text of HTML: character for character, with the language its classes name."""

from __future__ import annotations

import re
from html import unescape

from answerable.text.parsers.pen import Pen
from answerable.text.parsers.skip import Jump, hidden, may_hide
from answerable.text.parsers.tokens import attributes

_NAMED = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-(?!source|text)"
    r"|brush:\s*|sourceCode\s+)([A-Za-z0-9+#.-]+)"
)
_LINES = frozenset(("div", "p", "li", "tr"))


def language(written: str) -> str:
    """The language that an element's attributes name, '' if none."""
    if not written:
        return ""
    values = attributes(written)
    named = values.get("data-lang") or values.get("data-language") or ""
    if not named:
        found = _NAMED.search(values.get("class", ""))
        named = found.group(1) if found else ""
    return "" if named in ("default", "none", "text", "plaintext", "notranslate") else named


def preformatted(pen: Pen, written: str, at: int) -> Jump | None:
    """Draw a `pre` up to its end tag, or up to the end of the text if it has none."""
    pen.strong()
    tokens = pen.tokens
    lang = language(written)
    values = attributes(written)
    title = values.get("data-title", "")
    exact = "data-exact" in values
    parts = [tokens[at - 1][2]]
    end = len(tokens)
    depth = 1
    while at < end:
        tag, more, text = tokens[at]
        name = tag.lower()
        at += 1
        if name in ("/pre", "/listing", "/xmp"):
            depth -= 1
            if not depth:
                break
        elif name in ("pre", "listing", "xmp"):
            depth += 1
        elif name == "br":
            parts.append("\n")
        elif name == "code" and not lang:
            lang = language(more)
        elif name == "button" or (more and may_hide(more) and hidden(more)):
            jump = pen.ends.past(name, at)
            if jump is not None:
                at, text = jump
        elif name.lstrip("/") in _LINES and not _at_line_start(parts):
            parts.append("\n")
        parts.append(text)
    else:
        _drawn(pen, "".join(parts), lang, title, exact)
        return Jump(end, "")
    _drawn(pen, "".join(parts), lang, title, exact)
    return Jump(at, tokens[at - 1][2])


def _at_line_start(parts: list[str]) -> bool:
    for part in reversed(parts):
        if part:
            return part.endswith("\n")
    return True


def _drawn(pen: Pen, code: str, lang: str, title: str, exact: bool) -> None:
    if "&" in code:
        code = unescape(code)
    # The parser of the HTML standard (13.2.6.4.7) drops a line feed right behind the start tag.
    if not exact:
        code = code.removeprefix("\n").rstrip()
    if pen.soft:
        pen.buffer.append(" " + code.replace("&", "&amp;") + " ")
    elif code.strip():
        pen.canvas.code(code, lang or _surrounding(pen), title, pen.anchor())


def _surrounding(pen: Pen) -> str:
    """Highlighters put the language on the division around the `pre`."""
    return pen.frames[-1].lang if pen.frames else ""
