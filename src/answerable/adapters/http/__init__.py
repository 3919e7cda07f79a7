"""Talking HTTP: retries, limits, guarded addresses, and nothing secret in any message."""
