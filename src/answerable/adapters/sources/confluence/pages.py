"""A content of the REST API as what the index knows of a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answerable.adapters.http.redact import shareable
from answerable.records.docs import Meta

LIGHT = (
    "version,space,ancestors,metadata.labels,history,"
    "restrictions.read.restrictions.user,restrictions.read.restrictions.group"
)
"""Expansions that tell everything of a page but its body."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a listing says of a page. `number` is its version, 0 where it is not told."""

    id: str
    type: str
    title: str
    space: str
    number: int
    when: str
    author: str
    labels: tuple[str, ...]
    ancestors: tuple[tuple[str, str], ...]
    webui: str

    @property
    def ancestor_ids(self) -> tuple[str, ...]:
        """Outermost first."""
        return tuple(id for id, _ in self.ancestors)


def page_of(content: Mapping[str, Any]) -> Page:
    """A content's fields; what is missing or of another kind is empty."""
    version = _object(content, "version")
    history = _object(content, "history")
    made_by = _object(history, "createdBy") or _object(version, "by")
    labels = _object(content, "metadata", "labels").get("results")
    ancestors = content.get("ancestors")
    number = version.get("number")
    return Page(
        id=str(content.get("id", "")),
        type=_text(content, "type") or "page",
        title=_text(content, "title"),
        space=_text(_object(content, "space"), "key"),
        number=number if isinstance(number, int) else 0,
        when=_text(version, "when"),
        author=_text(made_by, "displayName"),
        labels=tuple(sorted(_text(one, "name") for one in _objects(labels) if _text(one, "name"))),
        ancestors=tuple(
            (str(one["id"]), _text(one, "title")) for one in _objects(ancestors) if one.get("id")
        ),
        webui=_text(_object(content, "_links"), "webui"),
    )


def meta_of(page: Page) -> Meta:
    """What filters and citations know: one pair each for labels and the ids of ancestors."""
    pairs = [
        ("title", page.title),
        ("space", page.space),
        ("id", page.id),
        ("type", page.type),
        ("version", str(page.number) if page.number else ""),
        ("author", page.author),
        *(("label", label) for label in page.labels),
        *(("ancestor", id) for id in page.ancestor_ids),
        ("ancestors", " / ".join(title for _, title in page.ancestors)),
    ]
    return tuple(pair for pair in pairs if pair[1])


def link_of(site: str, webui: str, id: str) -> str:
    """What a person opens; a link that the site gives leads to the site itself or is not used."""
    if webui.startswith("/") and not webui.startswith(("//", "/\\")):
        return shareable(site + webui)
    return f"{site}/pages/viewpage.action?pageId={id}"


def revision_of(page: Page, form: str, now: str) -> str:
    """What changes when the text may: version, the space that links are looked up in, the form.

    A page that is listed without a version is read each time.
    """
    number = str(page.number) if page.number else f"unknown at {now}"
    return "-".join(part for part in (number, page.space, form) if part)


def version_in(revision: str) -> int:
    """The version that a revision was made of, 0 where it was not told."""
    number = revision.partition("-")[0]
    return int(number) if number.isdecimal() else 0


def _object(whole: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    found: Any = whole
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _objects(found: Any) -> list[Mapping[str, Any]]:
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _text(whole: Mapping[str, Any], key: str) -> str:
    found = whole.get(key)
    return found if isinstance(found, str) else ""
