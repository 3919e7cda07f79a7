"""Cutters: a Document to Pieces, one rule a file."""
