"""Streams of PDF files that unpack without end are refused before pdfium sees them."""

import base64
import tracemalloc
import zlib

import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from answerable.text.parsers.pdf.streams import MOST, MOST_OF_IMAGE, refuse_unpacking
from made_pdf import put_together

WORDS = b"BT /F1 12 Tf 50 700 Td (Plain words) Tj ET"


def made(data, about):
    return put_together(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R "
            b"/Resources << /Font << /F1 4 0 R >> >> >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d %s >> stream\n%s\nendstream" % (len(data), about, data),
            b"[ /ASCIIHexDecode /FlateDecode ]",
        ]
    )


def packed(data, times=1):
    for _ in range(times):
        data = zlib.compress(data, 9)
    return data


LARGE = WORDS + b" " * (MOST + (1 << 20))
HIDDEN = (
    # a stored block (RFC 1951, 3.2.4) with the word that ends a stream, then the rest of it
    b"\x78\x9c" + b"\x00" + bytes([10, 0, 245, 255]) + b"\nendstream" + zlib.compress(LARGE, 9)[2:]
)


@pytest.mark.parametrize(
    ("data", "about"),
    [
        (packed(LARGE), b"/Filter /FlateDecode"),
        (packed(LARGE), b"/Filter /#46l"),
        (packed(LARGE), b"/Filter 9 0 R"),
        (packed(LARGE, 3), b"/Filter [/FlateDecode /FlateDecode /FlateDecode]"),
        (HIDDEN, b"/Filter /FlateDecode"),
        (packed(packed(LARGE) + b"\n" * MOST), b"/Filter [/Fl /Fl]"),
        (base64.a85encode(packed(LARGE)) + b"~>", b"/Filter [/ASCII85Decode /FlateDecode]"),
        (packed(LARGE).hex().encode() + b">", b"/Filter [ /AHx /Fl ]"),
        (packed(LARGE).hex().encode() + b">", b"/Filter 6 0 R"),
        (b"\x81\0" * (MOST // 128 + 1), b"/Filter /RunLengthDecode"),
        (packed(b"\x81\0" * (MOST // 2 + 1)), b"/Filter [/FlateDecode /RunLengthDecode]"),
    ],
    ids=range(11),
)
def test_a_stream_that_unpacks_without_end_is_refused(data, about):
    with pytest.raises(
        InputError, match=r"of docs/x\.pdf .* unpacks to more than 67,108,864 bytes"
    ):
        refuse_unpacking(made(data, about), "docs/x.pdf")


def test_a_picture_may_be_larger():
    about = b"/Subtype /Image /Filter /FlateDecode"
    refuse_unpacking(made(packed(b"\0" * MOST_OF_IMAGE), about), "x.pdf")
    with pytest.raises(InputError, match="unpacks to more than 134,217,728 bytes"):
        refuse_unpacking(made(packed(b"\0" * (MOST_OF_IMAGE + 1)), about), "x.pdf")


@pytest.mark.parametrize(
    ("data", "about"),
    [
        (WORDS, b""),
        (packed(WORDS), b"/Filter /FlateDecode"),
        (packed(WORDS)[:-6], b"/Filter /FlateDecode"),
        (packed(WORDS, 3), b"/Filter [/FlateDecode /FlateDecode /FlateDecode]"),
        (base64.a85encode(packed(WORDS)) + b"~>", b"/Filter [/ASCII85Decode /FlateDecode]"),
        (packed(WORDS).hex().encode() + b">", b"/Filter 6 0 R"),
        (b"8O " + WORDS, b""),  # begins as zlib does, and is none
    ],
    ids=range(7),
)
def test_what_is_packed_as_usual_is_read(data, about):
    if data.startswith(b"8O"):
        refuse_unpacking(made(data, about), "x.pdf")
        return
    document = parse(RawDoc(uri="x.pdf", body=made(data, about)), NOTHING_KNOWN)
    assert document.text == "Plain words"


def test_what_is_refused_costs_little_memory():
    body = made(packed(bytes(4 * MOST), 3), b"/Filter [/Fl /Fl /Fl]")
    assert len(body) < 2000
    tracemalloc.start()
    try:
        with pytest.raises(InputError):
            refuse_unpacking(body, "x.pdf")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
