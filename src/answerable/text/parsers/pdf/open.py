"""Opening a PDF: passwords, damage, limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from answerable.errors import InputError
from answerable.text.parsers.pdf.drawings import refuse_bombs
from answerable.text.parsers.pdf.outline import Mark
from answerable.text.parsers.pdf.streams import refuse_unpacking

MOST_PAGES, MOST_MARKS = 5000, 5000
_LOCK = Lock()
"""pdfium must not be called by two threads at once."""


@contextmanager
def opened(body: bytes, uri: str, passwords: Sequence[str]) -> Iterator[Any]:
    """The open document, for this thread alone.

    The empty password is tried first, then those given. InputError for a file that needs another,
    that is damaged, that has more pages than can be read, or streams or drawings without end.
    """
    refuse_unpacking(body, uri)
    with _LOCK:
        document = _open(body, uri, passwords)
        try:
            pages = len(document)
            if pages > MOST_PAGES:
                raise InputError(
                    f"{uri} has {pages:,} pages", f"at most {MOST_PAGES:,} are read: split the file"
                )
            refuse_bombs(body, uri)
            yield document
        finally:
            document.close()


def _open(body: bytes, uri: str, passwords: Sequence[str]) -> Any:
    for password in (None, *passwords):
        try:
            return pypdfium2.PdfDocument(body, password=password)
        except pypdfium2.PdfiumError as fault:
            code = getattr(fault, "err_code", None)
            if code == pdfium.FPDF_ERR_PASSWORD:
                continue
            if code == pdfium.FPDF_ERR_SECURITY:
                raise InputError(
                    f"encrypted in a way that cannot be read: {uri}",
                    "save the file without encryption",
                ) from None
            raise InputError(f"damaged PDF {uri}: {_words(fault)}") from None
    tried = f"; none of the {len(passwords)} given opens it" if passwords else ""
    raise InputError(
        f"encrypted: needs a password (settings.passwords names those to try): {uri}{tried}",
        "name its password in settings.passwords, or save the file without one",
    )


def _words(fault: Exception) -> str:
    words = str(fault)
    return words[words.find("PDFium: ") + 8 :].rstrip(").") if "PDFium: " in words else words


def outline_of(document: Any) -> list[Mark]:
    """The bookmarks of the file, as far as they lead to its pages."""
    out: list[Mark] = []
    try:
        for mark in islice(document.get_toc(), MOST_MARKS):
            place = mark.get_dest()
            page = place.get_index() if place else None
            if page is not None:
                out.append(Mark(mark.level + 1, mark.get_title(), page + 1))
    except (pypdfium2.PdfiumError, ValueError):
        return []
    return out


def title_of(document: Any) -> str:
    """The title that the file gives itself, or ''."""
    return str(document.get_metadata_value("Title") or "").strip()
