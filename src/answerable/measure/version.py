"""The version of what the measures mean."""

from __future__ import annotations

CHECKER_VERSION = "1"
"""Raised whenever a measure gives another value for the same trace and golden item.

Scores carry the version that made them; those of two versions are never compared.
"""
