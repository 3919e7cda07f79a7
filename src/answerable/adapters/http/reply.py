"""What a service answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answerable.errors import ServiceError


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer read whole: `url` is where it came from in the end, header names are lower-case.

    `body` is unpacked; `place` is host and path as messages may show them.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes
    place: str = ""

    def json(self) -> Any:
        """The body as JSON; ServiceError when it is none."""
        kind = self.headers.get("content-type", "")
        fault = ""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as broken:
            fault = type(broken).__name__
        page = "html" in kind.lower() or self.body.lstrip()[:1] == b"<"
        raise ServiceError(
            f"GET {self.place}: answered {self.status} with "
            + ("a web page" if page else f"{len(self.body):,} bytes that are no JSON ({fault})"),
            "a login page or a proxy answered; see address and credentials" if page else "",
            retryable=not page,
        )
