"""A piece per section; long sections are divided between blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from answerable.errors import ConfigError
from answerable.records.docs import Document
from answerable.records.index import Piece
from answerable.text.cutters.atoms import Atom
from answerable.text.cutters.frame import Frame, LeadAt, check_limits, frame
from answerable.text.cutters.pack import pack
from answerable.text.outline import Section, outline
from answerable.text.ruler import Ruler


@dataclass(frozen=True, slots=True)
class Headings:
    """Cuts at every heading; a section over `size` units is divided between blocks.

    A block that is too long is divided between rows (the header repeated), lines of code (the
    fence repeated) or sentences. A heading without text of its own stays with its first
    sub-section. Neighbouring sections under the same parent join while one of the two has fewer
    than `merge_under` units and both fit. Size 0 is no limit.
    """

    size: int = 200
    overlap: int = 0
    merge_under: int = 0

    def __post_init__(self) -> None:
        check_limits("headings", self.size, self.overlap, limitless=True)
        if self.merge_under < 0:
            raise ConfigError(f"cutter headings: merge_under cannot be {self.merge_under}")

    def __call__(self, document: Document, ruler: Ruler, lead_at: LeadAt) -> tuple[Piece, ...]:
        walk = frame(document, ruler, lead_at, self.size, self.overlap)
        groups = list(_sections(walk))
        if self.merge_under:
            groups = _merged(walk, groups, self.merge_under)
        return tuple(piece for _, atoms in groups for piece in pack(walk, atoms))


def _sections(walk: Frame) -> Iterator[tuple[Section, list[Atom]]]:
    """Sections with their atoms; one that is only a heading opens its first sub-section's."""
    atoms = walk.layout.atoms
    held: tuple[Section, list[Atom]] | None = None
    level = 0  # of the last heading held
    here = 0
    for section in outline(walk.layout.document).sections():
        begin = here
        while here < len(atoms) and atoms[here].start < section.span.end:
            here += 1
        if begin == here:
            continue
        group = list(atoms[begin:here])
        if held and section.level > level:
            held = (held[0], held[1] + group)
        else:
            if held:
                yield held
            held = (section, group)
        level = section.level
        if not all(atom.glue for atom in group):
            yield held
            held = None
    if held:
        yield held


def _merged(
    walk: Frame, groups: list[tuple[Section, list[Atom]]], under: int
) -> list[tuple[Section, list[Atom]]]:
    merged: list[tuple[Section, list[Atom]]] = []
    for section, atoms in groups:
        if merged:
            before, held = merged[-1]
            start, end = held[0].start, atoms[-1].end
            siblings = section.level and before.level and section.path[:-1] == before.path[:-1]
            tiny = min(
                walk.measure.between(start, held[-1].end),
                walk.measure.between(atoms[0].start, end),
            )
            if siblings and tiny < under and walk.count(start, end) <= walk.size:
                merged[-1] = (before, held + atoms)
                continue
        merged.append((section, atoms))
    return merged
