"""Stores of index generations."""
