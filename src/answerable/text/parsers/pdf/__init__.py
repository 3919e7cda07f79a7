"""PDF files to documents."""

from answerable.text.parsers.pdf.document import parse

__all__ = ["parse"]
