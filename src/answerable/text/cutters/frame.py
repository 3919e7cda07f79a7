"""What all cutters measure against: one document, one ruler, the leads and the limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from answerable.errors import ConfigError
from answerable.records.docs import Document
from answerable.text.cutters.atoms import Layout, layout
from answerable.text.cutters.window import word_end
from answerable.text.ruler import Measured, Ruler, measured

LeadAt = Callable[[int], str]
"""The lead that will stand in front of a piece starting at an offset."""

NO_LIMIT = 1 << 60


def check_limits(name: str, size: int, overlap: int, *, limitless: bool = False) -> None:
    """ConfigError unless 0 <= overlap < size (size 0 is no limit where `limitless`)."""
    wrong = ""
    if size < 0 or (size == 0 and not limitless):
        wrong = "the size must be at least 1" if not limitless else "the size cannot be negative"
    elif overlap < 0:
        wrong = "the overlap cannot be negative"
    elif overlap and overlap >= size:
        wrong = "the overlap must be smaller than the size"
    if wrong:
        raise ConfigError(f"cutter {name} with size {size} and overlap {overlap}: {wrong}")


def stacked(*leads: str) -> str:
    """Leads above each other, empty ones left out."""
    return "\n".join(filter(None, leads))


@dataclass(frozen=True, slots=True)
class Frame:
    """Measures pieces of one document as they will be searched: lead, line feed, text.

    `size` and `overlap` are in the ruler's units. With `counted` false leads cost nothing, with
    `repeating` false no table header or fence is repeated.
    """

    layout: Layout
    measure: Measured
    lead_at: LeadAt
    size: int
    overlap: int
    counted: bool = True
    repeating: bool = True

    @property
    def text(self) -> str:
        return self.measure.text

    def lead(self, start: int, own: str) -> str:
        """All that is counted in front of a piece at `start` that repeats `own`."""
        if not self.counted:
            return ""
        return stacked(self.lead_at(start), own) if own else self.lead_at(start)

    def left(self, start: int, own: str = "") -> int:
        """Units that the lead leaves to the text of a piece at `start`; 0 or less if none."""
        return self.size - self.measure.cost(self.lead(start, own))

    def room(self, start: int, own: str = "") -> int:
        """As `left`, but at least 1: every piece must hold something."""
        return max(1, self.left(start, own))

    def reach(self, start: int, own: str = "") -> int:
        """The furthest end that a piece at `start` can have."""
        return self.measure.fit(start, self.room(start, own))

    def count(self, start: int, end: int, own: str = "") -> int:
        """The exact count of a piece."""
        return self.measure.count(self.lead(start, own), start, end)

    def fits(self, start: int, end: int, own: str = "") -> bool:
        """Whether a piece that ends within `reach` also fits when it is counted alone."""
        if self.measure.exact(start, end) and self.left(start, own) > 0:
            return True
        return self.count(start, end, own) <= self.size

    def own_lead(self, start: int, end: int) -> str:
        """The fullest repeat with which `text[start:end]` still fits.

        If it fits with none, the fullest that leaves half of the room to the text.
        """
        if not self.repeating:
            return ""
        forms = self.layout.repeats(start)
        if len(forms) == 1:
            return forms[0]
        for form in forms:
            left = self.left(start, form)
            if left > 0 and end <= self.measure.fit(start, left):
                return form
        half = self.room(start) // 2
        return next(form for form in forms if self.measure.cost(form) <= half or not form)

    def window(self, start: int, end: int, own: str = "") -> int:
        """The end of the longest piece at `start` inside `end`, at a word end if one fits."""
        cut = min(end, self.reach(start, own))
        cut = end if cut == end else word_end(self.text, start, cut)
        while (count := self.count(start, cut, own)) > self.size and cut > start + 1:
            # Cutting a word changes how its rest is counted; shrink in proportion, then count anew.
            shorter = start + max(1, (cut - start) * self.size // count)
            cut = word_end(self.text, start, min(shorter, cut - 1))
        while cut > start + 1 and self.text[cut - 1].isspace():
            cut -= 1
        return cut


def frame(
    document: Document,
    ruler: Ruler,
    lead_at: LeadAt,
    size: int,
    overlap: int,
    *,
    counted: bool = True,
    repeating: bool = True,
) -> Frame:
    """A frame for one cutting of `document`; size 0 is no limit."""
    return Frame(
        layout(document),
        measured(document.text, ruler),
        lead_at,
        size or NO_LIMIT,
        overlap,
        counted,
        repeating,
    )
