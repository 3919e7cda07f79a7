from itertools import pairwise

from answerable.records.docs import RawDoc, Span
from answerable.text.canonical import Canvas
from answerable.text.outline import outline


def drawn():
    """Levels 1, 3, 2, 4, 1 after a preamble: skipped levels and resets."""
    canvas = Canvas()
    canvas.paragraph("Preamble.")
    for level, name in ((1, "Manual"), (3, "Odd"), (2, "Setup"), (4, "Deep"), (1, "Annex")):
        canvas.heading(level, name)
        canvas.paragraph(f"{name} text.")
    return canvas.finish(RawDoc("a.md", b""), "markdown", "")


def test_paths_close_levels_and_skip_none():
    document = drawn()
    found = outline(document)
    assert [section.path for section in found.sections()] == [
        (),
        ("Manual",),
        ("Manual", "Odd"),
        ("Manual", "Setup"),
        ("Manual", "Setup", "Deep"),
        ("Annex",),
    ]
    for name, path in (("Preamble", ()), ("Odd text", ("Manual", "Odd")), ("Annex t", ("Annex",))):
        assert found.path_at(document.text.index(name)) == path


def test_sections_partition_the_text_and_begin_at_their_heading():
    document = drawn()
    sections = outline(document).sections()
    assert sections[0].span.start == 0
    assert sections[-1].span.end == len(document.text)
    for one, two in pairwise(sections):
        assert one.span.end == two.span.start
        assert document.blocks[two.heading_block].span.start == two.span.start
    assert sections[0].heading_block == -1


def test_with_subsections_ends_at_the_next_heading_of_the_level():
    document = drawn()
    found = outline(document)
    annex = document.text.index("# Annex")
    assert found.with_subsections(1) == Span(document.text.index("# Manual"), annex)
    assert found.with_subsections(3) == Span(document.text.index("## Setup"), annex)
    assert found.with_subsections(0).end == document.text.index("# Manual")


def test_an_empty_document_and_an_empty_heading():
    assert [s.path for s in outline(Canvas().finish(RawDoc("a", b""), "plain", "")).sections()] == [
        ()
    ]
    canvas = Canvas()
    canvas.heading(1, "A")
    canvas.heading(2, "")
    canvas.paragraph("text")
    found = outline(canvas.finish(RawDoc("a", b""), "markdown", ""))
    assert found.sections()[-1].path == ("A",)
