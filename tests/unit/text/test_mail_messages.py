"""E-mail messages as the standards' examples write them (RFC 5322, 2045-2047, 2231)."""

from email.message import EmailMessage

import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.text.parsers.mail import attachments, parse

HEAD = (
    "From: =?utf-8?Q?J=C3=B6rg?= <joerg@a.example>\r\nTo: b@b.example,\r\n c@c.example\r\n"
    "Subject: =?utf-8?B?UHVtcGUg4oCTIERpY2h0dW5n?=\r\nDate: Tue, 3 Mar 2026 10:15:00 +0100\r\n"
)


def read(body: bytes | str) -> Document:
    return parse(
        RawDoc("kb/m.eml", body.encode() if isinstance(body, str) else body), NOTHING_KNOWN
    )


def test_who_wrote_to_whom_and_when_and_what_they_quote() -> None:
    document = read(
        HEAD + "Content-Type: text/plain; charset=utf-8\r\n\r\nYes, replace it.\r\n\r\n"
        "On Monday B wrote:\r\n> Is the seal worn?\r\n> Please look.\r\n\r\nJ\r\n"
    )
    assert document.title == "Pumpe – Dichtung"
    assert document.text == (
        "# Pumpe – Dichtung\n\nFrom: Jörg <joerg@a.example>\nTo: b@b.example, c@c.example\n"
        "Date: 2026-03-03 09:15 UTC\n\nYes, replace it.\n\nOn Monday B wrote:\n\n"
        "> Is the seal worn?\nPlease look.\n\nJ"
    )
    assert dict(document.meta)["from"] == "Jörg <joerg@a.example>"


def test_the_richer_alternative_is_read_with_its_table() -> None:
    message = EmailMessage()
    message["Subject"] = "Numbers"
    message.set_content("plain numbers")
    message.add_alternative(
        "<p>See:</p><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
        subtype="html",
    )
    document = read(message.as_bytes())
    assert "plain numbers" not in document.text
    assert document.blocks[-1].cells == (("a", "b"), ("1", "2"))


def test_attachments_are_named_and_handed_over() -> None:
    inner = EmailMessage()
    inner["Subject"] = "Inner"
    inner.set_content("inner words")
    message = EmailMessage()
    message["Subject"] = "Outer"
    message.set_content("outer words")
    message.add_attachment(
        b"a,b\n1,2\n", maintype="text", subtype="csv", filename="../x/Zahlen ü.csv"
    )
    message.add_attachment(inner)
    message.get_payload()[0].add_header("X-Nothing", "1")
    document = read(message.as_bytes())
    assert document.text.endswith("outer words\n\nAttachments: Zahlen ü.csv, message-3.eml")
    assert "inner words" not in document.text
    found = dict(attachments(message))
    assert found["Zahlen ü.csv"] == b"a,b\n1,2\n"
    assert b"inner words" in found["message-3.eml"]


def test_broken_headers_and_charsets_cost_nothing_else() -> None:
    document = read(
        b"Subject: caf\xe9\nDate: yesterday\nContent-Type: text/plain; charset=nonsense\n"
        b"Content-Transfer-Encoding: base64\n\nU2VhbHMgYXJlIHdvcm4u\n"
    )
    assert document.text.endswith("Date: yesterday\n\nSeals are worn.")


def test_a_message_nested_without_end_is_refused() -> None:
    lines = ["Subject: deep"]
    for level in range(1200):
        lines += [f'Content-Type: multipart/mixed; boundary="b{level}"', "", f"--b{level}"]
    with pytest.raises(InputError, match="a damaged message"):
        read("\n".join([*lines, "Content-Type: text/plain", "", "text", ""]))


@pytest.mark.parametrize("body", [b"", b"just words\nwithout any header", b"\xd0\xcf\x11\xe0" * 9])
def test_what_is_no_message_is_refused(body: bytes) -> None:
    with pytest.raises(InputError, match=r"kb/m\.eml"):
        read(body)
