"""The text of a content: its storage format, else what the new editor keeps, else as rendered."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from answerable.adapters.sources.confluence.adf import html_of
from answerable.adapters.sources.confluence.bodies import Bodies
from answerable.adapters.sources.confluence.pages import page_of
from answerable.adapters.sources.confluence.views import needs_view
from answerable.adapters.sources.media_types import HTML, STORAGE
from answerable.errors import InputError

_ADF = "atlas_doc_format"
_VIEW = "export_view"
_LINKED = re.compile(r"(?i)\s(?:src|href)=([\"'])(?!#)[^\"']*[?&](?:token|jwt|sig)[^\"']*\1")


@dataclass(frozen=True, slots=True)
class Text:
    """A body, and what reads it."""

    body: bytes
    media_type: str


def text_of(
    content: Mapping[str, Any], bodies: Bodies, shown: Collection[str] | None, uri: str
) -> Text:
    """The text to read; as rendered by the site where only that has the words of macros `shown`.

    Never as rendered where `shown` is None.

    Raises InputError for a content without a body, ServiceError.
    """
    storage = _value(content, "storage")
    if not storage.strip():
        return _from_adf(content, bodies, uri)
    if shown is not None and needs_view(storage, shown):
        rendered = bodies.one(str(content.get("id", "")), f"body.{_VIEW},version")
        same = page_of(rendered).number == page_of(content).number
        if same and _value(rendered, _VIEW).strip():
            return Text(_LINKED.sub("", _value(rendered, _VIEW)).encode(), HTML)
    return Text(storage.encode("utf-8", "replace"), STORAGE)


def _from_adf(content: Mapping[str, Any], bodies: Bodies, uri: str) -> Text:
    id = str(content.get("id", ""))
    held = _value(content, _ADF) or _value(bodies.one(id, f"body.{_ADF},version"), _ADF)
    if not held.strip():
        raise InputError(f"{uri}: no text", "the page holds no words")
    try:
        document = json.loads(held)
    except (ValueError, RecursionError) as fault:
        raise InputError(f"{uri}: its body is no readable ADF: {type(fault).__name__}") from fault
    return Text(html_of(document).encode("utf-8", "replace"), HTML)


def _value(content: Mapping[str, Any], kind: str) -> str:
    body = content.get("body")
    part = body.get(kind) if isinstance(body, Mapping) else None
    value = part.get("value") if isinstance(part, Mapping) else None
    return value if isinstance(value, str) else ""
