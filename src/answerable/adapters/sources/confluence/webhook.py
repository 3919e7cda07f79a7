"""What a webhook says: whether it comes from the site, and which page it is about.

The signature: HMAC-SHA256 of the body (RFC 2104) as `X-Hub-Signature: sha256=HEX` (WebSub).
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answerable.errors import Forbidden, InputError

_HOLDERS = ("page", "blog", "blogpost", "content")
_PARTS = ("comment", "attachment", "attachedTo", "container")


@dataclass(frozen=True, slots=True)
class Notice:
    """A page that changed, and how: `event` is the site's own name for it, '' if not told."""

    page: str
    event: str


def signed_by(secret: str, body: bytes, signature: str) -> bool:
    """Whether `signature` is of `body` under the shared secret; compared in constant time."""
    method, equals, given = signature.strip().partition("=")
    if not secret or not equals or method.lower() != "sha256":
        return False
    right = hmac.new(secret.encode("utf-8"), body, "sha256").hexdigest()
    return hmac.compare_digest(right.encode(), given.strip().lower().encode("utf-8", "replace"))


def read_notice(secret: str, body: bytes, headers: Mapping[str, str]) -> Notice:
    """The page that a request is about.

    Forbidden unless it is signed with the shared secret, InputError when it names no page.
    """
    given = {name.lower(): value for name, value in headers.items()}
    if not signed_by(secret, body, given.get("x-hub-signature", "")):
        raise Forbidden("the webhook is not signed with the shared secret")
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as fault:
        raise InputError("the webhook's body is no JSON") from fault
    page = _page(said)
    if not page:
        raise InputError("the webhook names no page", "subscribe to page and content events")
    event = (
        given.get("x-event-key", "") or _text(said.get("event")) or _text(said.get("webhookEvent"))
    )
    return Notice(page, event)


def _page(said: Any) -> str:
    """The id of the page, or of the page that a comment or attachment belongs to."""
    if not isinstance(said, Mapping):
        return ""
    for key in _HOLDERS:
        held = said.get(key)
        if isinstance(held, Mapping) and _id(held):
            return _id(held)
    for key in _PARTS:
        held = said.get(key)
        if isinstance(held, Mapping):
            inner = _page(held) or _page({"page": held.get("parent") or held.get("container")})
            if inner:
                return inner
    return ""


def _id(held: Mapping[str, Any]) -> str:
    id = held.get("id")
    if isinstance(id, int) and not isinstance(id, bool) and id > 0:
        return str(id)
    return id if isinstance(id, str) and id.isalnum() and id.isascii() else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
