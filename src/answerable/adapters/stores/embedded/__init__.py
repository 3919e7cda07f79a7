"""The store in local files: immutable generations swapped by one rename."""
