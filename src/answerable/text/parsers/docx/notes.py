"""Footnotes and endnotes of Word documents, placed where they are referred to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from answerable.text.canonical import Canvas, Inlines, Run
from answerable.text.parsers.docx.inline import Inline
from answerable.text.parsers.docx.styles import Styles
from answerable.text.parsers.ooxml.parts import Office, children, value, within
from answerable.text.parsers.ooxml.text import spread, tidy

_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")
Key = tuple[str, str]


@dataclass(slots=True)
class Notes:
    """Texts of notes by (kind, id), and the labels that their references were given."""

    texts: Mapping[Key, Inlines]
    labels: Mapping[Key, str]

    def draw(self, canvas: Canvas, wanted: Sequence[Key], parent: int = -1) -> None:
        """Draw notes as paragraphs that begin with their labels."""
        for key in wanted:
            text = self.texts.get(key)
            if text:
                canvas.paragraph(tidy([Run(f"[{self.labels[key]}] "), *_runs(text)]), parent)


def read_notes(office: Office, styles: Styles) -> dict[Key, Inlines]:
    """The texts of all notes of a document."""
    found: dict[Key, Inlines] = {}
    for kind in ("footnote", "endnote"):
        part = office.related(office.main, f"{kind}s")
        inline = Inline(styles, office.relations(part) if part else {})
        for note in children(office.tree(part), f"w:{kind}"):
            if value(note, "type") not in _SEPARATORS:
                lines = [tidy(inline.read(inner).runs) for inner in within(note, "w:p")]
                found[(kind, value(note, "id"))] = spread(lines, " ")
    return found


def _runs(text: Inlines) -> Sequence[Run]:
    return [Run(text)] if isinstance(text, str) else text
