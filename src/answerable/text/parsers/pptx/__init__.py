"""PowerPoint presentations to documents."""

from answerable.text.parsers.pptx.document import parse

__all__ = ["parse"]
