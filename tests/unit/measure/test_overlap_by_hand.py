"""One question counted by hand as the public chunking benchmark counts it."""

from fractions import Fraction

from answerable.measure.match import overlap
from answerable.records.docs import Span


def test_two_references_and_five_pieces_counted_by_hand() -> None:
    """Smith & Troynikov 2024, `base_evaluation.py`: what a chunk retrieved twice costs.

    References: wiki 100-160 and 300-320, 80 characters. Five pieces:

        wiki    50-150   100 characters, holds 100-150 of the first reference
        wiki   120-220   100 characters, holds 120-160: 120-150 is retrieved twice
        wiki    50-150   the first piece once more: another 100 characters, nothing new
        finance 100-200  100 characters of another text at the same places, holds nothing
        wiki   600-640   40 characters, holds nothing

    Shared: 100-160, 60 characters (each once). Retrieved: 100 + 100 + 100 + 100 + 40 = 440, every
    piece in full, also the one of another text. Not found: 300-320, 20 characters.
    Recall 60 / 80, precision 60 / 440, IoU 60 / (440 + 20).
    """
    marked = [("wiki", Span(100, 160)), ("wiki", Span(300, 320))]
    retrieved = [
        ("wiki", Span(50, 150)),
        ("wiki", Span(120, 220)),
        ("wiki", Span(50, 150)),
        ("finance", Span(100, 200)),
        ("wiki", Span(600, 640)),
    ]
    found = overlap(marked, retrieved)
    assert found.recall == float(Fraction(60, 80))
    assert found.precision == float(Fraction(60, 440))
    assert found.iou == float(Fraction(60, 460))


def test_nothing_found_is_measured_as_nothing_and_not_left_out() -> None:
    """Their code gives 0 for all three where no reference is touched, not a missing value."""
    found = overlap([("wiki", Span(0, 10))], [("wiki", Span(10, 30))])
    assert (found.recall, found.precision, found.iou) == (0.0, 0.0, 0.0)
