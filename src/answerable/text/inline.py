"""Markdown inline tokens to plain words and links."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from answerable.text.canonical import Run
from answerable.text.jsx import shown_words

_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)")
_ATTRIBUTE = r"\b%s\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))"
_HREF = re.compile(_ATTRIBUTE % "href", re.IGNORECASE)
_SRC = re.compile(_ATTRIBUTE % "src", re.IGNORECASE)
_ALT = re.compile(_ATTRIBUTE % "alt", re.IGNORECASE)
_URL = re.compile(r"\bhttps?://[^\s<>\"“”]+", re.IGNORECASE)
_PAYLOAD = re.compile(
    r"(\bdata:[\w/+.-]*(?:;[\w=.-]+)*;base64,)"
    r"((?:[A-Za-z0-9+/_%-]{100,}|(?:[A-Za-z0-9+/]{40,}\s*\n[ \t]*)+[A-Za-z0-9+/]*)=*)"
)
_LOOSE_DATA = re.compile(r"\bdata:[\w/+.-]*(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/_%=-]*")
_BREAK = re.compile(r"[ \t]*\n\s*")
_APART_NAMES = (
    "address article aside blockquote center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary "
    "table tbody td tfoot th thead tr ul"
)
_OTHER_NAMES = (
    "a abbr acronym audio b base bdi bdo big body br button canvas caption cite code col colgroup "
    "data datalist del dfn em embed font head html i iframe img input ins kbd label legend link "
    "map area mark math menu meta meter nobr noscript object optgroup output param path picture "
    "progress q rect ruby rp rt s samp script select slot small source span strike strong style "
    "sub sup svg g template textarea time title track tt u var video wbr"
)
_APART = frozenset(_APART_NAMES.split())
_KNOWN = _APART | frozenset(_OTHER_NAMES.split())
_UNSAFE = ("javascript:", "vbscript:")


@dataclass(slots=True)
class Dropped:
    """How many bytes of data: URIs reading has left out so far."""

    bytes: int = 0

    def payloads(self, text: str) -> str:
        """`text` without the long base64 payloads in it (RFC 2397: payload, not language)."""
        if ";base64," not in text:
            return text

        def cut(found: re.Match[str]) -> str:
            self.bytes += len(found.group(2))
            return found.group(1)

        return _PAYLOAD.sub(cut, text)


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns inline tokens into runs; `closes(name)` says whether the page has `</name`."""

    dropped: Dropped
    closes: Callable[[str], bool] = lambda name: True

    def runs(self, tokens: Sequence[Token]) -> list[Run]:
        """Words and links, emphasis marks gone, a hard break as one line feed."""
        if len(tokens) == 1 and tokens[0].type == "text" and ":" not in tokens[0].content:
            text = tokens[0].content.strip()
            return [Run(text)] if text else []
        out: list[Run] = []
        targets: list[str | None] = [None]
        mute = ""
        for token in tokens:
            kind = token.type
            if kind == "html_inline":
                mute = self._tag(token.content, out, targets, mute)
            elif mute:
                continue
            elif kind == "text":
                self._text(token.content, out, targets[-1])
            elif kind in ("code_inline", "math_inline"):
                out.append(Run(token.content, targets[-1]))
            elif kind == "softbreak":
                out.append(Run(" ", targets[-1]))
            elif kind == "hardbreak":
                out.append(Run("\n", targets[-1]))
            elif kind == "link_open":
                targets.append(self.target(str(token.attrs.get("href", ""))))
            elif kind == "link_close":
                if len(targets) > 1:
                    targets.pop()
            elif kind == "image":
                out.append(Run(self.alt(token), targets[-1]))
            elif kind == "footnote_ref":
                out.append(Run(f"[^{token.meta.get('label', '')}]"))
        return tidy(out)

    def alt(self, token: Token) -> str:
        """What an image shows, in words: its alt text, else its title."""
        self.target(str(token.attrs.get("src", "")))
        words = "".join(run.text for run in self.runs(token.children or ()))
        return " ".join((words or str(token.attrs.get("title", ""))).split())

    def target(self, href: str) -> str | None:
        """Where a link leads; None for a data: URI (counted), '' for a script."""
        start = href[:12].lstrip().lower()
        if start.startswith("data:"):
            self.dropped.bytes += len(href)
            return None
        return "" if start.startswith(_UNSAFE) else href

    def _text(self, text: str, out: list[Run], target: str | None) -> None:
        if "data:" in text:
            before = len(text)
            text = _LOOSE_DATA.sub("", text)
            self.dropped.bytes += before - len(text)
        if target is not None or "://" not in text:
            out.append(Run(text, target))
            return
        done = 0
        for found in _URL.finditer(text):
            url = _trimmed(found.group())
            out.append(Run(text[done : found.start()]))
            out.append(Run(url, url))
            done = found.start() + len(url)
        out.append(Run(text[done:]))

    def _tag(self, tag: str, out: list[Run], targets: list[str | None], mute: str) -> str:
        """Draw what a tag of HTML stands for; returns the element whose content is hidden."""
        found = _TAG.match(tag)
        if not found:
            return mute
        closing, written = bool(found.group(1)), found.group(2)
        name = written.lower()
        if mute:
            return "" if closing and name == mute else mute
        if name in ("script", "style"):
            return "" if closing or tag.endswith("/>") else name
        if name == "br":
            out.append(Run("\n", targets[-1]))
        elif name == "img":
            self.target(_value(_SRC, tag))
            out.append(Run(html.unescape(_value(_ALT, tag)), targets[-1]))
        elif name == "a":
            if closing and len(targets) > 1:
                targets.pop()
            elif not closing and (href := _value(_HREF, tag)):
                targets.append(self.target(html.unescape(href)))
        elif name in _APART and out and not out[-1].text[-1:].isspace():
            out.append(Run(" ", targets[-1]))
        elif written[0].isupper():
            out.extend(Run(f" {words} ", targets[-1]) for words in shown_words(tag))
        elif name not in _KNOWN and tag == f"<{written}>" and not self.closes(written):
            # A stand-in such as <version>, not an element.
            out.append(Run(tag, targets[-1]))
        return ""


def tidy(runs: Sequence[Run]) -> list[Run]:
    """The runs joined where they lead to the same place, without space at the edges."""
    joined: list[Run] = []
    for run in runs:
        if not run.text:
            continue
        if joined and joined[-1].target == run.target:
            joined[-1] = Run(joined[-1].text + run.text, run.target)
        else:
            joined.append(run)
    out = [Run(_BREAK.sub("\n", run.text), run.target) for run in joined]
    while out and not out[0].text.strip():
        del out[0]
    while out and not out[-1].text.strip():
        del out[-1]
    if out:
        out[0] = Run(out[0].text.lstrip(), out[0].target)
        out[-1] = Run(out[-1].text.rstrip(), out[-1].target)
    return out


def words(runs: Iterable[Run]) -> str:
    """The bare words of the runs."""
    return "".join(run.text for run in runs)


def _value(pattern: re.Pattern[str], tag: str) -> str:
    found = pattern.search(tag)
    return next((one for one in found.groups() if one is not None), "") if found else ""


def _trimmed(url: str) -> str:
    """A bare address without the punctuation of its sentence (GFM, extended autolinks)."""
    while url:
        last = url[-1]
        if last in "?!.,:;*_~'\"]}" or (last == ")" and url.count(")") > url.count("(")):
            url = url[:-1]
        else:
            break
    return url
