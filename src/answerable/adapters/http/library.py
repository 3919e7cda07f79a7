"""The HTTP library, or the line that installs it."""

from __future__ import annotations

from answerable.errors import ConfigError

try:
    import httpcore
except ImportError as missing:
    raise ConfigError(
        f"reading over HTTP needs an extra: {missing.name} is not installed",
        "pip install 'answerable[remote]'",
    ) from missing

__all__ = ["httpcore"]
