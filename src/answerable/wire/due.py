"""A webhook of a source: verified, and its page queued for the next round of `sync --every`."""

from __future__ import annotations

from collections.abc import Mapping

from answerable import config
from answerable.errors import NotFound, UsageError
from answerable.wire.base import KnowledgeBase
from answerable.wire.table import load


def take_notice(
    base: KnowledgeBase, source: str, secret: str, headers: Mapping[str, str], body: bytes
) -> str:
    """Queue the page that a request to the webhook of `source` is about; returns its id.

    `secret` names the shared secret (an environment variable, or `keyring:SERVICE/USER`). Raises
    NotFound for an unknown source, UsageError for one that has no webhook, Forbidden where the
    signature is not of this body under the secret, InputError where no page is named.
    """
    rows = {row.name: row for row in base.database.sources()}
    if source not in rows:
        raise NotFound(f"no source is named {source!r}", "`answerable status` lists them")
    if rows[source].kind != "confluence":
        raise UsageError(
            f"source {source!r} is a {rows[source].kind}, which sends no webhooks",
            "the next round lists it",
        )
    notice = load("webhook", "confluence")(config.secret(secret), body, headers)
    page: str = notice.page
    base.database.ledger.queue(source, [page], base.clock.now())
    return page
