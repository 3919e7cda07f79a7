"""OpenDocument files to documents."""

from answerable.text.parsers.odf.document import parse, parse_sheets, parse_slides

__all__ = ["parse", "parse_sheets", "parse_slides"]
