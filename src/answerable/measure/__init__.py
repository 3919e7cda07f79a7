"""Measures: evidence matched, metrics, comparisons."""
