"""Who a service is told that is asking."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Credentials:
    """The value of an Authorization header, the setting it came from, what must never be shown."""

    header: str = field(default="", repr=False)
    setting: str = ""
    secrets: tuple[str, ...] = field(default=(), repr=False)


NO_CREDENTIALS = Credentials()


def basic(user: str, secret: str, setting: str) -> Credentials:
    """RFC 7617; `setting` names where the secret comes from, as errors show it."""
    secret = secret.strip()
    pair = f"{user}:{secret}"
    packed = b64encode(pair.encode("utf-8")).decode("ascii")
    return Credentials(f"Basic {packed}", setting, (secret, pair, packed))


def bearer(secret: str, setting: str) -> Credentials:
    """RFC 6750; `setting` names where the secret comes from, as errors show it."""
    secret = secret.strip()
    return Credentials(f"Bearer {secret}", setting, (secret,))
