import json
import os
from pathlib import Path

import pytest

from answerable.errors import InputError
from answerable.records.docs import EVERYONE, NOTHING_KNOWN, Access, Known, KnownPage, RawDoc
from answerable.text.parsers.storage import parse

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "fixtures" / "cases"
DOCS = Path(os.environ.get("ANSWERABLE_DATA", ROOT / "../shared/data")) / "docs"


def read(name, known=NOTHING_KNOWN, **more):
    return parse(RawDoc(uri=name, body=(CASES / name).read_bytes(), **more), known)


def test_b01_code_character_for_character():
    page = read("B01_code_cdata.xhtml")
    assert [b.kind for b in page.blocks] == ["heading", "paragraph", "code", "paragraph"]
    code = page.blocks[2]
    assert page.text[code.inner.start : code.inner.end] == (
        "while (q[idx[0]]> 5 && n < 9) {\n    /* <b>not markup</b> & &amp; stays */\n    n++;\n}"
    )
    assert (code.lang, code.title) == ("c", "guard.c")


def test_b02_named_characters():
    assert read("B02_entities.xhtml").text == (
        "Café opening hours — Mon…Fri, the chef’s day off is Sun. Shop R&D: 5 < 6.\n\n"
        "Olá, über €20, €30 and €40."
    )


def test_b04_links():
    facts = json.loads((CASES / "B04_known.json").read_text())
    pages = {(p["space"], p["title"]): KnownPage(p["id"], p["id"]) for p in facts["pages"]}
    page = read("B04_links.xhtml", Known(facts["page_space"], pages, facts["users"]))
    assert page.text.split("\n\n") == [
        "Read the restart steps <v2> first.",
        "See Queue restart guide for the lab copy.",
        "Jump to step four.",
        "Ask Rowan Test or @unknown user.",
        "Form: night shift (v1).pdf",
        "Gone: Page That Is Gone",
    ]
    assert [link.target for link in page.links] == ["11", "21", "11#Step 4", ""]
    assert "1 broken link: 'Page That Is Gone'" in page.notes


def test_b05_tasks():
    users = json.loads((CASES / "B05_users.json").read_text())["users"]
    assert read("B05_tasks.xhtml", Known(users=users)).text == (
        "## Open points\n\n"
        "- [ ] Rotate the vault key Rowan Test by 2026-04-30\n"
        "- [x] Order two spare seals"
    )


def test_b07_includes():
    pages = {}
    for entry in json.loads((CASES / "B07_pages.json").read_text()):
        readers = tuple(entry["read_groups"])
        body = (CASES / f"B07_page{entry['id']}.xhtml").read_bytes()
        access = Access(readers) if readers else EVERYONE
        pages["", entry["title"]] = KnownPage(entry["id"], entry["id"], access, body)
    read_as = {page.id: page for page in pages.values()}

    def page(number):
        raw = RawDoc(number, read_as[number].body, access=read_as[number].access)
        return parse(raw, Known(pages=pages))

    first, second, third = page("51"), page("52"), page("53")
    assert "From Desk card:\n\nDesk phone: 4471" in first.text
    assert "Bonus pool" not in first.text + second.text
    assert "[Included page: Bonus sheet]" in first.text
    assert first.includes == ("52", "53")  # also what may be shown once its readers change
    assert any("not followed" in note for note in first.notes)
    assert second.text.count("Own line of page 51.") == 1
    assert "Bonus pool 9000" in third.text


@pytest.mark.parametrize("name", ["M02_external.xhtml", "M02_bomb.xhtml", "M02_picture.svg"])
def test_m02_entities_bring_nothing_in(name):
    try:
        page = read(name)
    except InputError as fault:
        assert "CANARY" not in str(fault)
    else:
        assert "CANARY" not in page.text + " ".join(page.notes)
        assert len(page.text) < 100


@pytest.mark.data
def test_all_pages_of_the_collections_are_read_with_exact_spans():
    paths = sorted(
        path
        for place in ("querypie-docs", "confluence-jsonix", "confluence-md2conf", "confluence-mark")
        for path in (DOCS / place).rglob("*")
        if path.suffix in (".xhtml", ".xml") or (place.endswith("mark") and path.suffix == ".html")
    )
    assert len(paths) == 150
    for path in paths:
        page = parse(RawDoc(uri=path.name, body=path.read_bytes()), NOTHING_KNOWN)
        ends = 0
        for number, block in enumerate(page.blocks):
            assert page.text[ends : block.span.start].strip() == ""
            assert block.span.holds(block.inner)
            assert block.parent < number
            ends = block.span.end
        assert page.text[ends:].strip() == ""
