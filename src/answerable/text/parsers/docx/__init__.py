"""Word documents to documents."""

from answerable.text.parsers.docx.document import parse

__all__ = ["parse"]
