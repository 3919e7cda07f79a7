"""Frozen values that every layer speaks in; no behaviour that needs the world outside."""
