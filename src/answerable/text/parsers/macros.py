"""What stands for each macro of a Confluence page."""

from __future__ import annotations

import re
from collections.abc import Callable

from answerable.text.parsers.includes import include
from answerable.text.parsers.references import labelled, resource_of, title_of
from answerable.text.parsers.scribe import Expand, Surroundings, Tag, Work, block, inside
from answerable.text.parsers.xmltree import Element, child, name_of, value, words

_KINDS = {
    "info": "Info",
    "note": "Note",
    "warning": "Warning",
    "tip": "Tip",
    "success": "Success",
    "error": "Error",
}
# Their words are made by the server when the page is shown, from other pages.
_LISTS = frozenset(
    [
        "toc",
        "toc-zone",
        "children",
        "pagetree",
        "pagetreesearch",
        "recently-updated",
        "recently-updated-dashboard",
        "contentbylabel",
        "content-by-user",
        "detailssummary",
        "tasks-report-macro",
        "task-report",
        "livesearch",
        "search",
        "listlabels",
        "related-labels",
        "popular-labels",
        "contributors",
        "contributors-summary",
        "blog-posts",
        "index",
        "space-attachments",
        "attachments",
        "gallery",
        "change-history",
        "navmap",
        "calendar",
        "roadmap",
        "global-reports",
        "spaces-list",
        "favpages",
        "network",
        "create-from-template",
    ]
)
_SILENT = frozenset(("anchor", "toc", "livesearch", "search", "pagetreesearch"))
_CLEAR = frozenset(
    [
        "excerpt",
        "section",
        "column",
        "div",
        "span",
        "details",
        "page-properties",
        "panelbox",
        "multiexcerpt",
        "multiexcerpt-macro",
        "table-filter",
        "table-chart",
        "tabs",
        "tab",
        "tabs-group",
        "layout",
        "html-wrap",
        "hidden-text",
        "show-if",
        "hide-if",
        "numberedheadings",
        "alert",
        "bgcolor",
        "auihorizontalnav",
    ]
)
_FILES = frozenset(
    ["view-file", "viewpdf", "viewdoc", "viewxls", "viewppt", "multimedia", "viewfile", "preview"]
)
_SAYING = frozenset(
    [
        "title",
        "name",
        "filename",
        "body",
        "text",
        "label",
        "caption",
        "summary",
        "description",
        "content",
        "jql",
        "jqlquery",
        "cql",
        "query",
        "subject",
        "header",
        "heading",
        "tooltip",
        "value",
        "question",
        "answer",
    ]
)
_PACKED = re.compile(r"[A-Za-z0-9+/=_-]{40,}|[0-9a-fA-F-]{32,36}")


def macro(element: Element, around: Surroundings) -> list[Work]:
    """`ac:structured-macro`: by its name; an unknown one by its name, its words and its body."""
    name = value(element, "name").lower()
    known = _MACROS.get(name)
    if known is not None:
        return known(element, around)
    if name in _KINDS:
        return labelled(_KINDS[name], parameter(element, "title"), _body(element))
    if name == "anchor":
        return []
    if name in _LISTS:
        if name not in _SILENT:
            around.notes[f"macro {name}, whose words the server makes"] += 1
        return inside(child(element, "ac:rich-text-body"))
    if name in _CLEAR:
        return labelled("", parameter(element, "title"), _body(element))
    if name in _FILES:
        return _file(element, around)
    return _unknown(element, around)


def parameter(element: Element, *names: str) -> str:
    """The text of the first parameter with one of these names, '' if there is none."""
    wanted = _parameter(element, *names)
    return " ".join(words(wanted).split())


def _parameter(element: Element, *names: str) -> Element | None:
    for inner in element:
        if name_of(inner) == "ac:parameter" and value(inner, "name") in names:
            return inner
    return None


def _body(element: Element) -> list[Work]:
    return inside(child(element, "ac:rich-text-body"))


def _code(element: Element, around: Surroundings) -> list[Work]:
    body = child(element, "ac:plain-text-body")
    return _pre(
        words(body if body is not None else child(element, "ac:rich-text-body")),
        parameter(element, "language", "lang", ""),
        parameter(element, "title"),
    )


def _pre(code: str, lang: str, title: str) -> list[Work]:
    attributes = {"data-exact": "", "data-lang": lang, "data-title": title}
    return [Tag("pre", attributes), code, Tag("/pre")]


def _noformat(element: Element, around: Surroundings) -> list[Work]:
    return _pre(words(child(element, "ac:plain-text-body")), "", parameter(element, "title"))


def _panel(element: Element, around: Surroundings) -> list[Work]:
    return labelled("", parameter(element, "title"), _body(element))


def _status(element: Element, around: Surroundings) -> list[Work]:
    return [parameter(element, "title") or parameter(element, "colour", "color")]


def _jira(element: Element, around: Surroundings) -> list[Work]:
    key = parameter(element, "key")
    if key:
        return [key]
    query = parameter(element, "jqlQuery", "jql")
    around.notes["macro jira, whose words the server makes"] += 1
    return block(f"[Jira issues: {query}]" if query else "[Jira issues]")


def _profile(element: Element, around: Surroundings) -> list[Work]:
    wanted = _parameter(element, "user", "User", "")
    target = resource_of(wanted) if wanted is not None else None
    return [title_of(target, around) if target is not None else words(wanted)]


def _file(element: Element, around: Surroundings) -> list[Work]:
    for inner in element:
        if name_of(inner) == "ac:parameter" and resource_of(inner) is not None:
            return [" ", *inside(inner), " "]
    return [" ", parameter(element, "name", "file", ""), " "]


def _frame(element: Element, around: Surroundings) -> list[Work]:
    target = _parameter(element, "url", "src", "")
    source = resource_of(target) if target is not None else None
    address = value(source, "value") if source is not None else words(target).strip()
    return [Tag("a", {"href": address}), address, Tag("/a")] if address else []


def _formula(element: Element, around: Surroundings) -> list[Work]:
    body = child(element, "ac:plain-text-body")
    return [words(body) or parameter(element, "body", "formula", "equation", "")]


def _unknown(element: Element, around: Surroundings) -> list[Work]:
    name = value(element, "name") or "without a name"
    around.notes[f"unknown macro {name}"] += 1
    said = [
        " ".join(words(inner).split())
        for inner in element
        if name_of(inner) == "ac:parameter" and _says(value(inner, "name"), words(inner))
    ]
    parts: list[Work] = [" ", " ".join([f"[macro: {name}]", *said])]
    for inner in element:
        if name_of(inner) == "ac:parameter" and resource_of(inner) is not None:
            parts += [" ", *inside(inner)]
    parts.append(" ")
    rich = child(element, "ac:rich-text-body")
    if rich is not None:
        parts += [Tag("div"), *inside(rich), Tag("/div")]
    plain = words(child(element, "ac:plain-text-body"))
    if plain.strip():
        parts += _pre(plain, name, "")
    return parts


def _says(name: str, words: str) -> bool:
    """Whether a parameter's value is words rather than a setting."""
    shown = words.strip()
    if not shown or _PACKED.fullmatch(shown):
        return False
    return name.lower() in _SAYING or len(shown.split()) > 1


_MACROS: dict[str, Callable[[Element, Surroundings], list[Work]]] = {
    "code": _code,
    "code-block": _code,
    "codeblock": _code,
    "noformat": _noformat,
    "panel": _panel,
    "expand": _panel,
    "ui-expand": _panel,
    "status": _status,
    "jira": _jira,
    "jiraissues": _jira,
    "profile": _profile,
    "profile-picture": _profile,
    "widget": _frame,
    "iframe": _frame,
    "include": include,
    "excerpt-include": include,
    "eazy-math-inline": _formula,
    "easy-math-block": _formula,
    "mathinline": _formula,
    "mathblock": _formula,
    "math": _formula,
    "latex": _formula,
}

MACROS: dict[str, Expand] = {"ac:structured-macro": macro, "ac:macro": macro}
