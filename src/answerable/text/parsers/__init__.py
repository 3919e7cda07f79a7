"""Parsers: bytes of one format to a Document, one format a file."""
