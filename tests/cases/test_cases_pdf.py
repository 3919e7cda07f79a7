from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, Known, RawDoc
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "cases"


def read(name):
    return parse(RawDoc(uri=name, body=(CASES / name).read_bytes()), NOTHING_KNOWN)


def test_f01_columns_hyphen_ligature():
    page = read("F01_two_columns.pdf")
    assert [(b.kind, page.text[b.inner.start : b.inner.end]) for b in page.blocks] == [
        ("heading", "Pump room handbook"),
        (
            "paragraph",
            "Pump rooms need quarterly maintenance by two people. Staff must configure the alarm "
            "panel before they open the main valve.",
        ),
        (
            "paragraph",
            "Spare seals are kept in locker nineteen. The key hangs behind the desk of the shift "
            "leader and must be signed out each time.",
        ),
    ]


def test_f03_a_scan_is_refused_as_such():
    with pytest.raises(InputError, match=r"no text layer on any page.*F03_scan\.pdf"):
        read("F03_scan.pdf")


def test_f03_pages_without_text_are_named_and_the_others_read():
    page = read("F03_mixed.pdf")
    assert page.notes == ("page 1 has no text layer",)
    assert page.text.strip() == "Tide table is in drawer 5."
    assert [(b.kind, b.level) for b in page.blocks] == [("page_break", 2), ("paragraph", 0)]


def test_f04_an_owner_password_keeps_nobody_from_reading():
    assert "LANTERN" in read("F04_owner_only.pdf").text


def test_f04_the_password_of_a_protected_file_is_asked_for():
    with pytest.raises(InputError, match=r"encrypted: needs a password.*F04_needs_password\.pdf"):
        read("F04_needs_password.pdf")


def test_f04_a_password_from_the_configuration_opens_it():
    body = (CASES / "F04_needs_password.pdf").read_bytes()
    raw = RawDoc(uri="F04_needs_password.pdf", body=body)
    assert parse(raw, Known(passwords=("qa-user-pass",))).text.strip()


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_f04_a_given_password_opens_and_a_wrong_one_is_never_shown(algorithm):
    if algorithm.startswith("AES"):
        pytest.importorskip("cryptography")
    plain = made_pdf([Made().text(60, 60, "The safe word is BEACON.")])
    writer = pypdf.PdfWriter(clone_from=BytesIO(plain))
    writer.encrypt(user_password="zebra-77", owner_password="owner-1", algorithm=algorithm)
    out = BytesIO()
    writer.write(out)
    raw = RawDoc(uri="docs/locked.pdf", body=out.getvalue())
    opened = parse(raw, Known(passwords=("giraffe-88", "zebra-77")))
    assert opened.text == "The safe word is BEACON."
    assert "zebra" not in repr(opened)
    with pytest.raises(InputError, match=r"none of the 2 given opens it") as refused:
        parse(raw, Known(passwords=("giraffe-88", "walrus-99")))
    assert "giraffe" not in str(refused.value)
    assert "walrus" not in str(refused.value)
    assert "docs/locked.pdf" in str(refused.value)
