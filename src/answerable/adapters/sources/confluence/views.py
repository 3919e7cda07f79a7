"""Whether a page's storage format holds macros whose words only the site can make."""

from __future__ import annotations

import re

_OPENING = re.compile(r"<ac:(?:structured-)?macro\b(?P<attributes>[^>]*?)(?P<empty>/?)>")
_NAME = re.compile(r"\bac:name\s*=\s*([\"'])(.*?)\1", re.S)
_EDGE = re.compile(r"</?ac:(?:structured-)?macro\b")

_OTHERS = (
    "include excerpt-include multiexcerpt-include multiexcerpt-include-macro include-shared-block "
    "contentbylabel detailssummary children pagetree blog-posts recently-updated search livesearch "
    "tasks-report-macro task-report content-by-user excerpt-include-plus attachments gallery "
    "space-attachments index listlabels related-labels popular-labels"
)
_READ = (
    "code code-block codeblock noformat panel expand ui-expand status jira jiraissues profile "
    "profile-picture widget iframe toc toc-zone anchor info note warning tip success error excerpt "
    "section column view-file viewpdf viewdoc viewxls viewppt multimedia viewfile mathinline "
    "mathblock latex math eazy-math-inline easy-math-block details"
)

SHOWS_OTHERS = frozenset(_OTHERS.split())
"""Rendered with what the user that asks may read, which not every reader of the page may."""

READ_ALREADY = frozenset(_READ.split())
"""Macros that are read from their storage."""


def needs_view(storage: str) -> bool:
    """Whether a macro that is not read from its storage has no body there.

    Never for a page that shows other pages: rendered, it would show what the one who asks may read.
    """
    needed = False
    for opening in _OPENING.finditer(storage):
        found = _NAME.search(opening["attributes"])
        name = found[2].lower() if found else ""
        if name in SHOWS_OTHERS:
            return False
        if name not in READ_ALREADY:
            needed = needed or bool(opening["empty"]) or not _has_body(storage, opening.end())
    return needed


def _has_body(storage: str, start: int) -> bool:
    edge = _EDGE.search(storage, start)
    return "-body" in storage[start : edge.start() if edge else len(storage)]
