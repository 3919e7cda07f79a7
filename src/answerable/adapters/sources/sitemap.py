"""Lists of pages: sitemaps, indexes of sitemaps, and texts with a URL a line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from answerable.adapters.http.inflate import NotPacked, TooLarge, inflated

LIMIT = 50 * 1024 * 1024
"""The largest sitemap, unpacked, in bytes (sitemaps.org protocol)."""

_ROOT = re.compile(rb"<(?:[\w-]+:)?(urlset|sitemapindex|html|body|rss|feed)[\s>/]")


@dataclass(frozen=True, slots=True)
class Sitemap:
    """(URL, when changed last or '') of pages, URLs of further sitemaps, and what is wrong."""

    pages: tuple[tuple[str, str], ...] = ()
    sitemaps: tuple[str, ...] = ()
    fault: str = ""


def unpacked(body: bytes) -> bytes:
    """The body, unpacked when it is a gzip file; NotPacked or TooLarge."""
    return inflated(body, LIMIT) if body[:2] == b"\x1f\x8b" else body


def shape_of(body: bytes) -> str:
    """`sitemap` for a urlset or an index, `list` for lines of URLs, else `page`."""
    head = body[: 1 << 16].lstrip(b"\xef\xbb\xbf \t\r\n")
    tag = _ROOT.search(head) if head.startswith(b"<") else None
    if tag and tag[1] in (b"urlset", b"sitemapindex"):
        return "sitemap"
    lines = [line.strip() for line in head.splitlines()[:20]]
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    return "list" if re.fullmatch(rb"https?://\S+", first) else "page"


def sitemap_of(body: bytes) -> Sitemap:
    """What a sitemap or a text list names; `fault` when it could not be read whole.

    Entities are not followed and nothing is loaded.
    """
    try:
        body = unpacked(body)
    except NotPacked:
        return Sitemap(fault="the packed file is broken or cut")
    except TooLarge:
        return Sitemap(fault=f"larger than {LIMIT:,} bytes unpacked")
    if shape_of(body) == "list":
        lines = [line.strip() for line in body.decode("utf-8-sig", "replace").splitlines()]
        return Sitemap(tuple((line, "") for line in lines if line and not line.startswith("#")))
    fault = ""
    try:
        root = etree.fromstring(body, _parser(recover=False))
    except etree.XMLSyntaxError as broken:
        fault = f"not well-formed XML: {broken.msg}"
        try:
            root = etree.fromstring(body, _parser(recover=True))
        except etree.XMLSyntaxError:
            root = None
    if root is None:
        return Sitemap(fault=fault or "it is empty")
    kind = _local(root)
    if kind not in ("urlset", "sitemapindex"):
        return Sitemap(fault=f"neither urlset nor sitemapindex: {kind[:40]!r}")
    found = [
        (_child(one, "loc"), _child(one, "lastmod"))
        for one in root
        if _local(one) == ("url" if kind == "urlset" else "sitemap")
    ]
    found = [(url, changed) for url, changed in found if url]
    if kind == "urlset":
        return Sitemap(tuple(found), (), fault)
    return Sitemap((), tuple(url for url, _ in found), fault)


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=recover, huge_tree=False
    )


def _local(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _child(element: etree._Element, name: str) -> str:
    for child in element:
        if _local(child) == name:
            return "".join(str(part) for part in child.itertext()).strip()
    return ""
