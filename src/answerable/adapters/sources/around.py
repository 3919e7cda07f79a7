"""What a source may use of the knowledge base that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Around:
    """Secrets by name, a folder of the source's own, and time.

    `secret` gives the value of an environment variable, or of `keyring:SERVICE/USER`; ConfigError
    names it when it is not set. `folder` is for what a source keeps (a clone) and need not exist.
    `seconds` and `sleep` are of a monotonic clock. `since` is the checkpoint of the last listing
    that was indexed, '' for none. `environment` is what programs that a source starts inherit.
    """

    secret: Callable[[str], str]
    folder: Path
    now: Callable[[], str]
    seconds: Callable[[], float]
    sleep: Callable[[float], None]
    since: str = ""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
