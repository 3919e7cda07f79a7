"""Excel workbooks to documents."""

from answerable.text.parsers.xlsx.document import parse

__all__ = ["parse"]
