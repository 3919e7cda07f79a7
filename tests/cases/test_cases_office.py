"""Office files that break readers (area F, kinds of M02): each costs itself, quickly."""

import io
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from docx import Document as Word
from pptx import Presentation

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers import docx, epub, mail, odf, pptx, xlsx
from answerable.text.parsers.ooxml import old as ooxml_old
from answerable.text.parsers.ooxml.parts import tree_of
from answerable.wire.reading import read_sources, source_of

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("ANSWERABLE_DATA", ROOT / "../shared/data")) / "docs" / "docling-files"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
PARSERS = {
    "docx": docx.parse,
    "xlsx": xlsx.parse,
    "pptx": pptx.parse,
    "odt": odf.parse,
    "epub": epub.parse,
}
MAIN = {
    "docx": "word/document.xml",
    "xlsx": "xl/workbook.xml",
    "pptx": "ppt/presentation.xml",
    "odt": "content.xml",
    "epub": "META-INF/container.xml",
}


def word(text: str) -> bytes:
    out = io.BytesIO()
    made = Word()
    made.add_paragraph(text)
    made.save(out)
    return out.getvalue()


def changed(body: bytes, part: str, content: bytes) -> bytes:
    """A container with one part replaced."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(body)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return out.getvalue()


def ole(stream: str) -> bytes:
    return OLE + stream.encode("utf-16-le") + bytes(100)


@pytest.mark.parametrize("kind", PARSERS)
@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "empty: it has no bytes"),
        (ole("EncryptedPackage"), "encrypted: needs a password"),
        (ole("WordDocument"), "old binary format of Word"),
        (ole("PowerPoint Document"), "old binary format of PowerPoint"),
        (b"{\\rtf1 text}", "RTF, not"),
        (b"%PDF-1.7\n", "a PDF, not"),
        (b"<!DOCTYPE html><html><body>words</body></html>", "a web page, not"),
        (b"PK\x03\x04 and no more", "damaged"),
        (b"\x00\x01\x02", "damaged or not"),
    ],
)
def test_what_the_file_is_instead(kind: str, body: bytes, words: str) -> None:
    with pytest.raises(InputError) as fault:
        PARSERS[kind](RawDoc(f"kb/file.{kind}", body), NOTHING_KNOWN)
    assert fault.value.message.startswith(f"kb/file.{kind}: ")
    assert words in fault.value.message
    assert fault.value.hint


@pytest.mark.parametrize(
    ("name", "body", "message", "hint"),
    [
        ("a.doc", ole("WordDocument"), "old binary format of Word: save it as .docx", ""),
        ("a.xls", ole("Workbook"), "old binary format of Excel: save it as .xlsx", ""),
        (
            "a.ppt",
            ole("PowerPoint Document"),
            "old binary format of PowerPoint: save it as .pptx",
            "",
        ),
        ("a.msg", ole("__substg1.0_0037001F"), "old binary format of Outlook: save it as .eml", ""),
        ("a.rtf", b"{\\rtf1 x}", "RTF, which is not read: save it as .docx", ""),
        ("a.doc", word("hello"), "a Word document (.docx), not doc", "give it the name"),
    ],
)
def test_old_formats_say_how_to_save_them(name: str, body: bytes, message: str, hint: str) -> None:
    with pytest.raises(InputError) as fault:
        ooxml_old.parse(RawDoc(name, body), NOTHING_KNOWN)
    assert message in fault.value.message
    assert hint in fault.value.hint


def test_a_document_under_the_name_of_a_workbook() -> None:
    with pytest.raises(InputError, match=r"a Word document \(.docx\), not xlsx"):
        xlsx.parse(RawDoc("prices.xlsx", word("hello")), NOTHING_KNOWN)


ENTITIES = {
    "file": '<!DOCTYPE x [<!ENTITY qa SYSTEM "{canary}">]>',
    "net": '<!DOCTYPE x [<!ENTITY qa SYSTEM "http://203.0.113.9/qa">]>',
    "bomb": '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY qa "'
    + "&a;" * 10
    + '">'
    + "".join(f'<!ENTITY q{n} "{f"&q{n - 1};" * 10}">' for n in range(1, 10))
    + "]>",
    "outside": '<!DOCTYPE x SYSTEM "http://203.0.113.9/x.dtd">',
}


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx", "odt", "epub"])
@pytest.mark.parametrize("attack", ENTITIES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_m02_entities_in_an_office_part(
    kind: str, attack: str, encoding: str, tmp_path: Path
) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("CANARY-XXE")
    declared = ENTITIES[attack].format(canary=canary) if attack == "file" else ENTITIES[attack]
    part = f'<?xml version="1.0" encoding="{encoding}"?>{declared}<x y="&qa;">&qa;</x>'
    out = io.BytesIO()
    folder = MAIN[kind].split("/")[0]
    with ZipFile(out, "w") as file:
        if kind in ("docx", "xlsx", "pptx"):
            file.writestr(
                "_rels/.rels",
                '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                '<Relationship Id="a" Type="x/officeDocument" '
                f'Target="{folder}/{MAIN[kind].split("/")[1]}"/></Relationships>',
            )
        file.writestr(MAIN[kind], part.encode(encoding))
    begun = time.process_time()
    with pytest.raises(InputError) as fault:
        PARSERS[kind](RawDoc(f"a.{kind}", out.getvalue()), NOTHING_KNOWN)
    assert "CANARY" not in str(fault.value)
    assert "declares" in fault.value.message
    assert time.process_time() - begun < 2


def test_m02_a_part_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked() -> None:
    bomb = changed(word("x"), "word/document.xml", b"<w>" + b" " * 60_000_000)
    assert len(bomb) < 200_000
    limit = (
        "import resource,sys;resource.setrlimit(resource.RLIMIT_AS,(1<<30,1<<30));"
        "from answerable.text.parsers.docx.document import parse;"
        "from answerable.records.docs import RawDoc,NOTHING_KNOWN;"
        "from answerable.errors import InputError\n"
        "try: parse(RawDoc('a.docx',sys.stdin.buffer.read()),NOTHING_KNOWN)\n"
        "except InputError as fault: print(fault)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", limit], input=bomb, capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert b"unpacks to 60,000,003 bytes, the most that is read is" in done.stdout
    assert after.ru_utime - before.ru_utime < 2


def test_m02_a_sheet_that_lies_about_its_size() -> None:
    body = bytearray(changed(word("x"), "word/document.xml", b"<w>" + b" " * 60_000_000))
    size = (60_000_003).to_bytes(4, "little")
    while (at := body.find(size)) >= 0:
        body[at : at + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(InputError, match=r"word/document\.xml"):
        docx.parse(RawDoc("a.docx", bytes(body)), NOTHING_KNOWN)


def test_deep_nesting_ends_as_a_report_or_as_text() -> None:
    inner = "<w:p><w:r><w:t>deep</w:t></w:r></w:p>"
    for _ in range(80):
        inner = f"<w:tbl><w:tr><w:tc>{inner}</w:tc><w:tc/></w:tr></w:tbl>"
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    part = f'<w:document xmlns:w="{space}"><w:body>{inner}</w:body></w:document>'
    document = docx.parse(
        RawDoc("a.docx", changed(word("x"), "word/document.xml", part.encode())), NOTHING_KNOWN
    )
    assert "deep" in document.text
    part = part.replace("<w:p>", "<w:sdt><w:sdtContent>" * 3000 + "<w:p>")
    with pytest.raises(InputError):
        docx.parse(
            RawDoc("a.docx", changed(word("x"), "word/document.xml", part.encode())), NOTHING_KNOWN
        )


def test_a_span_over_thousands_of_columns_does_not_fill_memory() -> None:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    wide = '<w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr>'
    cell = f"<w:tc>{wide}<w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>"
    part = (
        f'<w:document xmlns:w="{space}"><w:body><w:tbl>{f"<w:tr>{cell}</w:tr>" * 500}</w:tbl>'
        "</w:body></w:document>"
    )
    document = docx.parse(
        RawDoc("a.docx", changed(word("x"), "word/document.xml", part.encode())), NOTHING_KNOWN
    )
    assert len(document.text) < 500_000


def test_one_bad_file_in_a_folder_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "good.docx").write_bytes(word("The spare seals are in locker nineteen."))
    (tmp_path / "locked.docx").write_bytes(ole("EncryptedPackage"))
    (tmp_path / "old.doc").write_bytes(ole("WordDocument"))
    (tmp_path / "cut.xlsx").write_bytes(word("x")[:900])
    documents, skipped = read_sources([source_of(tmp_path, "kb")])
    assert [document.uri for document in documents] == ["kb/good.docx"]
    reasons = {skip.uri: skip.reason for skip in skipped}
    assert set(reasons) == {"kb/locked.docx", "kb/old.doc", "kb/cut.xlsx"}
    assert "encrypted: needs a password" in reasons["kb/locked.docx"]
    assert "old binary format of Word" in reasons["kb/old.doc"]


def test_f_kinds_a_message_of_outlook_is_named() -> None:
    with pytest.raises(InputError, match="old binary format of Outlook"):
        mail.parse(RawDoc("a.eml", ole("__substg1.0_0037001F")), NOTHING_KNOWN)


@pytest.mark.data
@pytest.mark.parametrize("name", ["Strict.docx", "Transitional.docx"])
def test_real_files_strict_and_transitional(name: str) -> None:
    body = (DATA / "docx" / "sources" / name).read_bytes()
    assert docx.parse(RawDoc(name, body), NOTHING_KNOWN).text == "Some text"


@pytest.mark.data
def test_the_inflated_workbook_reads_like_the_plain_one() -> None:
    plain, inflated = (
        xlsx.parse(
            RawDoc(f"{name}.xlsx", (DATA / "xlsx" / "sources" / f"{name}.xlsx").read_bytes()),
            NOTHING_KNOWN,
        ).text
        for name in ("xlsx_01", "xlsx_04_inflated")
    )
    assert plain == inflated


def test_m02_millions_of_empty_elements_are_not_built_into_a_tree() -> None:
    begun = time.process_time()
    with pytest.raises(InputError, match="tags and attributes, at most 4,000,000"):
        tree_of(b"<w>" + b"<r/>" * 5_000_000 + b"</w>", "a.docx: word/document.xml")
    assert time.process_time() - begun < 2


def test_slides_deep_in_groups() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    group = slide.shapes
    for _ in range(30):
        group = group.add_group_shape().shapes
    group.add_textbox(0, 0, 100, 100).text_frame.text = "at the bottom"
    out = io.BytesIO()
    deck.save(out)
    assert pptx.parse(RawDoc("a.pptx", out.getvalue()), NOTHING_KNOWN).text == "at the bottom"
