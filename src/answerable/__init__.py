"""Answerable: documents in, proven answers out."""

__version__ = "0.1.0"
