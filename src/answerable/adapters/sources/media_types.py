"""Which parser a file name calls for."""

from __future__ import annotations

MARKDOWN = "text/markdown"
HTML = "text/html"
STORAGE = "application/x-confluence-storage"
PLAIN = "text/plain"
CSV = "text/csv"
SOURCE = "text/x-source"
PDF = "application/pdf"
MAIL = "message/rfc822"
EPUB = "application/epub+zip"
_OOXML = "application/vnd.openxmlformats-officedocument."
DOCX = _OOXML + "wordprocessingml.document"
XLSX = _OOXML + "spreadsheetml.sheet"
PPTX = _OOXML + "presentationml.presentation"
_ODF = "application/vnd.oasis.opendocument."
ODT, ODS, ODP = _ODF + "text", _ODF + "spreadsheet", _ODF + "presentation"
OLD = "application/x-ole-storage"
"""Office files from before 2007 and other formats that are named and not read."""

_CODE = (
    "py pyi js mjs cjs jsx ts tsx java kt kts scala groovy c h cc cpp cxx hh hpp cs fs go rs swift "
    "m mm rb php pl pm lua r jl dart ex exs erl hrl hs clj cljs ml mli sh bash zsh fish ps1 bat "
    "sql proto graphql tf css scss less vue svelte toml yaml yml ini cfg gradle cmake"
)

BY_EXTENSION: dict[str, str] = {
    **dict.fromkeys(("md", "mdx", "markdown"), MARKDOWN),
    **dict.fromkeys(("html", "htm"), HTML),
    **dict.fromkeys(("xhtml", "xml"), STORAGE),
    **dict.fromkeys(("txt", "text", "rst", "adoc", "asciidoc"), PLAIN),
    **dict.fromkeys(("csv", "tsv"), CSV),
    "pdf": PDF,
    **dict.fromkeys(_CODE.split(), SOURCE),
    **dict.fromkeys(("docx", "docm", "dotx"), DOCX),
    **dict.fromkeys(("xlsx", "xlsm", "xltx"), XLSX),
    **dict.fromkeys(("pptx", "pptm", "ppsx", "potx"), PPTX),
    "odt": ODT,
    "ott": ODT,
    "ods": ODS,
    "odp": ODP,
    "epub": EPUB,
    "eml": MAIL,
    **dict.fromkeys(["doc", "dot", "xls", "xlt", "xlsb", "ppt", "pps", "msg", "rtf"], OLD),
}
"""Lower-case extension without its dot -> media type."""

SNIFF = 64 * 1024
"""How many bytes of a file tell one kind of XML from another."""


def settle(extension: str, head: bytes) -> str:
    """The media type of a file by its extension and, for XML, its first bytes; '' if none reads it.

    An .xml file is read only as Confluence's storage format; an .xhtml file without its elements
    but with an html element is a web page.
    """
    kind = BY_EXTENSION.get(extension, "")
    if kind != STORAGE:
        return kind
    start = head[:SNIFF].lower()
    if b"<ac:" in start or b"<ri:" in start or b"xmlns:ac" in start:
        return STORAGE
    if extension == "xml":
        return ""
    return HTML if b"<html" in start else STORAGE
