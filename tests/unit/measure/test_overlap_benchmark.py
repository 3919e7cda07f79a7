"""Overlap against the public benchmark's count, done with sets of characters."""

from itertools import pairwise

import numpy as np
import pytest

from answerable.measure.match import overlap, touched_at, whole_at
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem


def spans(generator: np.random.Generator, count: int, apart: bool) -> list[tuple[str, Span]]:
    edges = sorted(int(n) for n in generator.choice(200, size=2 * count, replace=False))
    pairs = zip(edges[::2], edges[1::2], strict=True) if apart else pairwise(edges)
    return [(f"d{generator.integers(2)}", Span(a, b)) for a, b in pairs if b > a]


@pytest.mark.parametrize("seed", range(50))
def test_recall_precision_and_iou_are_shares_of_characters(seed: int) -> None:
    """Recall over marked characters; a character retrieved twice counts twice below the others."""
    generator = np.random.default_rng(seed)
    marked = spans(generator, 3, apart=True)
    retrieved = spans(generator, 4, apart=False) + spans(generator, 2, apart=False)
    want = {(name, at) for name, span in marked for at in range(span.start, span.end)}
    got = [(name, at) for name, span in retrieved for at in range(span.start, span.end)]
    shared = len(want & set(got))
    found = overlap(marked, retrieved)
    assert found.recall == pytest.approx(shared / len(want))
    assert found.precision == pytest.approx(shared / len(got))
    assert found.iou == pytest.approx(shared / (len(got) + len(want - set(got))))


@pytest.mark.parametrize("seed", range(50))
def test_depths_are_the_first_at_which_the_characters_are_all_there(seed: int) -> None:
    generator = np.random.default_rng(seed)
    marked = spans(generator, 2, apart=True)
    retrieved = [place for _ in range(8) for place in spans(generator, 4, apart=False)]
    item = GoldenItem("q", "?", tuple(Evidence(name, span=span) for name, span in marked))
    want = {(name, at) for name, span in marked for at in range(span.start, span.end)}
    whole = touched = None

    def there(seen: set[tuple[str, int]]) -> bool:
        """All characters, but for one or two in a row between others (the seam of two pieces)."""
        for name, span in marked:
            row = "".join(" x"[(name, at) in seen] for at in range(span.start, span.end))
            if row != row.strip() or "   " in row:
                return False
        return True

    seen: set[tuple[str, int]] = set()
    for depth, (name, span) in enumerate(retrieved, 1):
        seen |= {(name, at) for at in range(span.start, span.end)}
        if touched is None and seen & want:
            touched = depth
        if whole is None and there(seen):
            whole = depth
    assert whole_at(item, retrieved) == whole
    assert touched_at(item, retrieved) == touched


def test_grades_of_zero_and_less_answer_nothing_and_an_unanchored_quote_is_nowhere() -> None:
    place = ("d", Span(0, 9))
    assert whole_at(GoldenItem("q", "?", (Evidence("d", grade=0),)), [place]) is None
    assert touched_at(GoldenItem("q", "?", (Evidence("d", "words"),)), [place]) is None
    two = GoldenItem("q", "?", (Evidence("d"), Evidence("e", grade=-1)))
    assert whole_at(two, [place]) == 1
