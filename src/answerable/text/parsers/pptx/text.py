"""Text of shapes: paragraphs, bullets and numbers as layout and master give them (21.1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.docx.numbers import written
from answerable.text.parsers.ooxml.math import equation
from answerable.text.parsers.ooxml.parts import (
    Element,
    Relation,
    child,
    children,
    name_of,
    number,
    path,
    relation_id,
    shown,
    value,
)
from answerable.text.parsers.ooxml.text import target_of, tidy, words_of

_BULLETS = ("a:buNone", "a:buChar", "a:buAutoNum", "a:buBlip")
_FORMATS = {"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman"}


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words of a paragraph, its level from 0, and its marker ('': none, '-' or a number)."""

    content: Inlines
    level: int = 0
    marker: str = ""


def read_text(
    body: Element | None,
    relations: Mapping[str, Relation],
    inherited: Sequence[Element] = (),
) -> list[Paragraph]:
    """The paragraphs of a text body that have words.

    `inherited` are list styles (`a:lstStyle`, `p:bodyStyle`) that hold where the text says nothing,
    nearest first.
    """
    found: list[Paragraph] = []
    counts: dict[int, tuple[str, int]] = {}
    own = child(body, "a:lstStyle")
    styles = [own, *inherited] if own is not None else list(inherited)
    for paragraph in children(body, "a:p"):
        content = tidy(inline(paragraph, relations))
        properties = child(paragraph, "a:pPr")
        level = max(0, min(8, number(value(properties, "lvl"))))
        if not words_of(content):
            continue
        bullet = _bullet(properties, level, styles)
        kind = name_of(bullet) if bullet is not None else ""
        deepest = level if kind == "a:buAutoNum" else level - 1
        for deeper in [at for at in counts if at > deepest]:
            del counts[deeper]
        marker = "-" if kind in ("a:buChar", "a:buBlip") else ""
        if bullet is not None and kind == "a:buAutoNum":
            scheme, before = value(bullet, "type"), counts.get(level, ("", 0))
            first = number(value(bullet, "startAt"), 1)
            count = before[1] + 1 if before[0] == scheme else first
            counts[level] = (scheme, count)
            format = next((f for start, f in _FORMATS.items() if scheme.startswith(start)), "")
            format = "upperRoman" if scheme.startswith("romanUc") else format or "decimal"
            marker = f"{written(count, format)}."
        found.append(Paragraph(content, level, marker))
    return found


def inline(paragraph: Element, relations: Mapping[str, Relation]) -> Iterable[Run]:
    """The runs of a paragraph, with their links."""
    for inner in paragraph:
        name = name_of(inner)
        if name in ("a:r", "a:fld"):
            link = path(inner, "a:rPr", "a:hlinkClick")
            relation = relations.get(relation_id(link, "id")) if link is not None else None
            target = target_of(relation.target) if relation and relation.outside else None
            text = child(inner, "a:t")
            words = (text.text or "") if text is not None else ""
            raised = number(value(child(inner, "a:rPr"), "baseline")) > 0
            yield Run("^" + words if raised and words.strip().isdigit() else words, target)
        elif name == "a:br":
            yield Run("\n")
        elif name == "a14:m" or name.endswith(":m"):
            yield from (Run(equation(part)) for part in inner)
        elif name == "mc:AlternateContent":
            branch = shown(inner)
            if branch is not None:
                yield from inline(branch, relations)


def draw_text(canvas: Canvas, paragraphs: Iterable[Paragraph]) -> None:
    """Draw paragraphs, those with markers as items of lists."""
    nest: list[tuple[int, int]] = []
    for paragraph in paragraphs:
        if not paragraph.marker:
            nest.clear()
            canvas.paragraph(paragraph.content)
            continue
        while nest and nest[-1][0] >= paragraph.level:
            nest.pop()
        marker, content = paragraph.marker, paragraph.content
        if marker != "-" and not marker[:-1].isdigit():
            content = [Run(f"{marker} "), *_runs(content)]
            marker = "-"
        block = canvas.item(len(nest) + 1, marker, content, nest[-1][1] if nest else -1)
        nest.append((paragraph.level, block))


def _bullet(properties: Element | None, level: int, styles: Sequence[Element]) -> Element | None:
    own = child(properties, *_BULLETS)
    if own is not None:
        return own
    for style in styles:
        found = child(child(style, f"a:lvl{level + 1}pPr"), *_BULLETS)
        if found is not None:
            return found
    return None


def _runs(content: Inlines) -> Sequence[Run]:
    return [Run(content)] if isinstance(content, str) else content
