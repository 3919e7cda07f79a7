import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.pdf import parse
from made_pdf import Made, made_pdf, put_together


def read(body, uri="docs/x.pdf"):
    return parse(RawDoc(uri=uri, body=body), NOTHING_KNOWN)


def nested(levels, uses, packed=False):
    """A page that uses a form, which uses one so many times, and so on down."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources "
        b"<< /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
    ]
    content = b"BT /F1 10 Tf 50 700 Td (Over the drawing) Tj ET /X Do"
    objects.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(content), content))
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for level in range(levels):
        last = level == levels - 1
        content = b"BT /F1 10 Tf 50 600 Td (leaf) Tj ET" if last else b"/X Do " * uses
        held = b"/Font << /F1 5 0 R >>" if last else b"/XObject << /X %d 0 R >>" % (7 + level)
        how = b""
        if packed:
            content, how = zlib.compress(content), b"/Filter /FlateDecode "
        objects.append(
            b"<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << %s >> %s"
            b"/Length %d >> stream\n%s\nendstream" % (held, how, len(content), content)
        )
    return put_together(objects)


@pytest.mark.parametrize("packed", [False, True])
def test_drawings_inside_drawings_without_end_are_refused_at_once(packed):
    with pytest.raises(InputError, match=r"page 1 of docs/x\.pdf is [\d,]+ bytes of drawings"):
        read(nested(12, 10, packed))


def test_a_few_drawings_inside_drawings_are_read():
    assert read(nested(3, 2)).text.split("\n\n") == ["Over the drawing", "leaf"]


def test_a_form_inside_itself_has_no_end():
    body = nested(3, 2).replace(b"/XObject << /X 8 0 R >>", b"/XObject << /X 6 0 R >>")
    with pytest.raises(InputError, match="drawings inside drawings"):
        read(body)


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7\n", b"no pdf at all", b"%PDF-1.4\n" + b"\0" * 99])
def test_a_damaged_file_says_so_with_its_name(body):
    with pytest.raises(InputError, match=r"damaged PDF docs/x\.pdf: .*[Dd]ata format"):
        read(body)


def test_a_page_that_cannot_be_read_costs_itself():
    whole = made_pdf([Made().text(60, 60, "One."), Made().text(60, 60, "Two.")])
    number = whole.split(b"/Kids [")[1].split()[3]
    broken = whole.replace(
        b"\n%s 0 obj\n<< /Type /Page" % number, b"\n%s 0 obj\n(( /Type /Page" % number
    )
    document = read(broken)
    assert document.text.strip() == "One."
    assert document.notes == ("page 2 cannot be loaded",)


def test_more_pages_than_can_be_read_are_refused():
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    kids = b" ".join(b"%d 0 R" % at for at in range(3, 5004))
    listed = b"<< /Type /Pages /Count 5001 /Kids [%s] >>" % kids
    body = put_together([b"<< /Type /Catalog /Pages 2 0 R >>", listed, *[page] * 5001])
    with pytest.raises(InputError, match=r"docs/x\.pdf has 5,001 pages"):
        read(body)


def test_a_missing_extra_costs_the_document_and_names_the_pip_line():
    code = (
        "import sys; sys.modules['pypdfium2'] = None\n"
        "from answerable.text.parsers.pdf.document import parse\n"
        "from answerable.records.docs import NOTHING_KNOWN, RawDoc\n"
        "from answerable.errors import InputError\n"
        "try: parse(RawDoc(uri='a.pdf', body=b'%PDF'), NOTHING_KNOWN)\n"
        "except InputError as fault: print(fault.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "a.pdf: reading PDF needs an extra: pip install 'answerable[pdf]'\n"


def test_threads_may_read_at_once():
    bodies = [
        made_pdf([Made().text(60, 300, f"File {n}, leaf {leaf}.") for leaf in range(5)])
        for n in range(8)
    ]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read, bodies))
    assert [document.text.replace("\f", "").split("\n\n\n\n") for document in found] == [
        [f"File {n}, leaf {leaf}." for leaf in range(5)] for n in range(8)
    ]


def test_equal_bytes_make_equal_documents():
    body = made_pdf([Made().text(60, 60, "One."), Made().text(60, 60, "Two.")])
    assert read(body) == read(body)
