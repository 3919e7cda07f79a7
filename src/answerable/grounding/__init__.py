"""Grounding: sentences chosen, cited, checked."""
