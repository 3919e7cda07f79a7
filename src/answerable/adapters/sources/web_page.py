"""What a fetched page says of itself: its type, its own address, and whether it may be kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from answerable.adapters.sources.media_types import BY_EXTENSION, HTML, MARKDOWN, PLAIN, settle
from answerable.text.decode import charset_of, decode
from answerable.text.parsers.tokens import attributes, tokenize

_SAME = {
    "application/xhtml+xml": HTML,
    "text/x-markdown": MARKDOWN,
    "application/x-pdf": "application/pdf",
}
_VAGUE = ("", PLAIN, "application/octet-stream", "binary/octet-stream", "application/zip")
_READER = re.compile(
    r"\s*(?!max-snippet|max-image-preview|max-video-preview|unavailable_after)([a-z*][\w*.-]*)\s*:",
    re.IGNORECASE,
)
"""The name of a reader before its rules; some rules have a value behind a colon too."""
_NOINDEX = re.compile(r"(?:^|[,:\s])(noindex|none)(?:$|[,\s])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """`canonical` is the page's own URL as it names it ('' if it does not); `links` are URLs."""

    media_type: str
    noindex: bool = False
    canonical: str = ""
    links: tuple[str, ...] = ()


def said(url: str, headers: Mapping[str, str], body: bytes, agent: str) -> Said:
    """What headers and, for HTML, the page itself say; the media type is '' if none reads it.

    The type is that of the header where it says one, else by the path's extension, else by the
    first bytes. A charset of the header stays a parameter of the type.
    """
    kind = media_type_of(url, headers.get("content-type", ""), body)
    noindex = _forbids(headers.get("x-robots-tag", ""), agent)
    if kind.partition(";")[0] != HTML:
        return Said(kind, noindex)
    base, canonical, links = url, "", []
    text = decode(body, charset_of(kind)).text if body.strip(b"\0 \r\n\t") else ""
    for tag, written, _ in tokenize(text).tokens:
        name = tag.lower()
        if name not in ("a", "base", "link", "meta"):
            continue
        given = {key.lower(): value for key, value in attributes(written).items()}
        if name == "base" and base == url and given.get("href"):
            base = _joined(url, given["href"]) or url
        elif name == "link" and "canonical" in given.get("rel", "").lower().split():
            canonical = canonical or _joined(base, given.get("href", ""))
        elif name == "meta" and given.get("name", "").lower() in ("robots", agent):
            noindex = noindex or bool(_NOINDEX.search(given.get("content", "")))
        elif name == "a" and given.get("href") and "nofollow" not in given.get("rel", "").lower():
            links.append(_joined(base, given["href"]))
    return Said(kind, noindex, canonical, tuple(dict.fromkeys(filter(None, links))))


def media_type_of(url: str, header: str, body: bytes) -> str:
    """The type of a body, with its charset if the header names one; '' if no parser reads it."""
    named = header.partition(";")[0].strip().lower()
    named = _SAME.get(named, named)
    extension = urlsplit(url).path.rpartition("/")[2].rpartition(".")[2].lower()
    kind = named if named in BY_EXTENSION.values() else ""
    if body.startswith(b"%PDF-"):
        kind = "application/pdf" if "application/pdf" in BY_EXTENSION.values() else ""
    elif named in _VAGUE:
        kind = settle(extension, body) or kind or _sniffed(body)
    charset = charset_of(header)
    return f"{kind}; charset={charset}" if kind and charset else kind


def _sniffed(body: bytes) -> str:
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return HTML if head.startswith((b"<!doctype html", b"<html")) else ""


def _forbids(header: str, agent: str) -> bool:
    """X-Robots-Tag: rules for all, or for the reader whose name stood before them last."""
    name = ""
    for part in header.split(","):
        named = _READER.match(part)
        name = named.group(1).lower() if named else name
        rule = part[named.end() :] if named else part
        if name in ("", agent) and ":" not in rule and _NOINDEX.search(rule):
            return True
    return False


def _joined(base: str, href: str) -> str:
    try:
        url = urljoin(base, href.strip())
        return url.partition("#")[0] if urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:
        return ""
