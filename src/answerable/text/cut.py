"""Cutting one document by the recipe's rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

from answerable.errors import ConfigError
from answerable.records.docs import Document
from answerable.records.index import Chunk, Piece
from answerable.records.recipe import CutRule
from answerable.text.cutters.frame import LeadAt, stacked
from answerable.text.dress import Leads, dress
from answerable.text.outline import outline
from answerable.text.ruler import Ruler, Words

Cutter = Callable[[Document, Ruler, LeadAt], tuple[Piece, ...]]


def cut(
    document: Document,
    rules: Sequence[CutRule],
    build: Callable[[CutRule], Cutter],
    rulers: Mapping[str, Ruler],
) -> tuple[Chunk, ...]:
    """The chunks of `document` by the last rule that matches it.

    `build` makes the cutter of a rule, `rulers` holds a ruler per unit. A lead longer than half
    the size is shortened, unless the cutter says that it does not count leads (`count_lead`
    false). ConfigError for an unknown unit, a malformed match, or when no rule matches.
    """
    rule = rule_for(document, rules)
    ruler = rulers.get(rule.unit)
    if ruler is None:
        known = ", ".join(sorted(rulers))
        raise ConfigError(f"cannot count in {rule.unit!r}", f"the units here are {known}")
    cutter = build(rule)
    counted = rule.size > 0 and getattr(cutter, "count_lead", True)
    sections = outline(document)
    lead_at = Leads(document, sections, rule.lead, ruler, rule.size // 2 if counted else None)
    pieces = cutter(document, ruler, lead_at)
    return dress(document, sections, pieces, lead_at, {"words": Words(), **rulers})


def rule_for(document: Document, rules: Sequence[CutRule]) -> CutRule:
    """The last of `rules` that matches; `match` is '', `type:NAME` or `uri:GLOB`."""
    for rule in reversed(rules):
        if _matches(document, rule.match):
            return rule
    raise ConfigError(
        f"no cut rule matches {document.uri!r} (type {document.type!r})",
        "give a first rule with an empty match",
    )


def searched(chunk: Chunk, document: Document) -> str:
    """What is searched and embedded: the lead, a line feed, the text of the span."""
    return stacked(chunk.lead, document.text[chunk.span.start : chunk.span.end])


def _matches(document: Document, match: str) -> bool:
    if not match:
        return True
    field, _, value = match.partition(":")
    if field == "type" and value:
        return document.type == value
    if field == "uri" and value:
        return fnmatchcase(document.uri, value)
    raise ConfigError(f"cut rule with match {match!r}", "'' (all), 'type:html' or 'uri:policies/*'")
