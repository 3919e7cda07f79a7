"""Books and OpenDocument files built part by part; what must come out is written by hand."""

import io
from collections.abc import Mapping
from zipfile import ZipFile

import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers import epub, odf

OPF = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Pump care</dc:title>
<dc:creator>Ana Lu</dc:creator><dc:language>en</dc:language></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine>
</package>"""
CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""
_O = "urn:oasis:names:tc:opendocument:xmlns:"
_ODF = " ".join(
    f'xmlns:{prefix}="{_O}{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("style", "style"),
        ("draw", "drawing"),
        ("svg", "svg-compatible"),
        ("fo", "xsl-fo-compatible"),
        ("presentation", "presentation"),
    )
)


def packed(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


def page(body: str) -> str:
    return (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>File</title>'
        f"</head><body>{body}</body></html>"
    )


BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OEBPS/book.opf": OPF,
    "OEBPS/nav.xhtml": page("<nav><ol><li>Contents</li></ol></nav>"),
    "OEBPS/one.xhtml": page("<h1>Seals</h1><p>Check &amp; log.</p>"),
    "OEBPS/two b.xhtml": page(
        "<h2>Sizes</h2><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    ),
}


def book(parts: Mapping[str, str]) -> RawDoc:
    return RawDoc("kb/book.epub", packed(parts))


def test_chapters_in_the_order_of_the_spine() -> None:
    document = epub.parse(book(BOOK), NOTHING_KNOWN)
    assert document.text == (
        "# Seals\n\nCheck & log.\n\n## Sizes\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"
    )
    assert document.title == "Pump care"
    assert dict(document.meta) == {"author": "Ana Lu", "language": "en"}
    assert document.notes == ("1 chapter is named in the book and not there",)


def test_a_protected_book_says_so_and_scrambled_fonts_do_not_matter() -> None:
    method = (
        '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod '
        'Algorithm="{}"/></encryption>'
    )
    sold = method.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    with pytest.raises(InputError, match="encrypted: protected by its seller"):
        epub.parse(book({**BOOK, "META-INF/encryption.xml": sold}), NOTHING_KNOWN)
    font = method.format("http://www.idpf.org/2008/embedding")
    assert epub.parse(book({**BOOK, "META-INF/encryption.xml": font}), NOTHING_KNOWN).text


def odf_file(body: str, styles: str = "", **more: str) -> bytes:
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
    return packed({"content.xml": content, **more})


def test_an_opendocument_text() -> None:
    styles = (
        '<style:style style:name="P1" style:parent-style-name="Title"/>'
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" '
        'style:num-format="1"/></text:list-style>'
    )
    body = (
        "<office:text><text:tracked-changes><text:changed-region><text:deletion>"
        "<text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        '<text:p text:style-name="P1">Pump<text:s text:c="2"/>care</text:p>'
        '<text:h text:outline-level="2">Seals</text:h>'
        "<text:p>Last<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>Two years.</text:p></text:note-body></text:note> long<text:line-break/>and "
        '<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://a.example/">well'
        "</text:a>.<office:annotation><text:p>why?</text:p></office:annotation></text:p>"
        '<text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list>'
        "<text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item>"
        "<text:list-item><text:p>two</text:p></text:list-item></text:list>"
        "<table:table><table:table-row>"
        '<table:table-cell table:number-columns-spanned="2"><text:p>Head</text:p>'
        "</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row>"
        '<table:table-cell table:number-columns-repeated="2"><text:p>x</text:p>'
        "</table:table-cell></table:table-row></table:table>"
        "<draw:frame><draw:image/><svg:desc>Valve, closed</svg:desc></draw:frame></office:text>"
    )
    document = odf.parse(RawDoc("kb/a.odt", odf_file(body, styles)), NOTHING_KNOWN)
    assert document.text == (
        "# Pump care\n\n## Seals\n\nLast[1] long\nand well.\n\n[1] Two years.\n\n"
        "1. one\n  - inner\n2. two\n\n| Head | Head |\n| --- | --- |\n| x | x |\n\nValve, closed"
    )
    assert document.title == "Pump care"
    assert document.notes == ("1 comment was left out",)


def test_an_opendocument_sheet_of_a_million_empty_rows() -> None:
    def cell(words: str, kind: str = "string", more: str = "") -> str:
        return (
            f'<table:table-cell office:value-type="{kind}" {more}><text:p>{words}</text:p>'
            "</table:table-cell>"
        )

    def row(*cells: str, more: str = "") -> str:
        return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"

    again = 'table:number-rows-repeated="1048000"'
    gap = '<table:table-cell table:number-columns-repeated="16000"/>'
    body = (
        '<office:spreadsheet><table:table table:name="Prices">'
        + row(cell("From"), cell("Sum"), gap)
        + row(cell("29.02.24", "date", 'office:date-value="2024-02-29"'), cell("7,50 €", "float"))
        + row(gap, more=again)
        + row(cell("end"))
        + "</table:table></office:spreadsheet>"
    )
    document = odf.parse_sheets(RawDoc("kb/a.ods", odf_file(body)), NOTHING_KNOWN)
    assert document.text == (
        "# Prices\n\n| From | Sum |\n| --- | --- |\n| 2024-02-29 | 7,50 € |\n\nend"
    )


def test_cells_and_rows_repeated_without_end() -> None:
    def sheet(words: str, rows: int, columns: int) -> RawDoc:
        body = (
            f'<table:table table:name="S"><table:table-row table:number-rows-repeated="{rows}">'
            f'<table:table-cell table:number-columns-repeated="{columns}">'
            f"<text:p>{words}</text:p></table:table-cell></table:table-row></table:table>"
        )
        body = f"<office:spreadsheet>{body}</office:spreadsheet>"
        return RawDoc("kb/a.ods", odf_file(body))

    document = odf.parse_sheets(sheet("rep", 1_048_576, 16_384), NOTHING_KNOWN)
    # 1,000 columns, and rows for 20,000 cells more than the first one has. Of these 21 rows, each
    # of one value, the last two are drawn as a table and those before them as its titles.
    assert document.text.count("rep") == 19 + 2 * 1000
    document = odf.parse_sheets(sheet("rep", 3, 2), NOTHING_KNOWN)
    assert document.text.count("rep") == 1 + 2 * 2
    with pytest.raises(InputError, match="hold more than 20,000,000 characters"):
        odf.parse_sheets(sheet("A" * 30_000, 1000, 1), NOTHING_KNOWN)


def test_opendocument_slides() -> None:
    frame = (
        '<draw:frame presentation:class="{}" svg:x="1cm" svg:y="{}cm" svg:width="9cm" '
        'svg:height="1cm"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
    )
    body = (
        "<office:presentation><draw:page>"
        + frame.format("outline", 8, "lower")
        + frame.format("outline", 4, "upper")
        + frame.format("title", 1, "Care")
        + "</draw:page><draw:page>"
        + frame.format("title", 1, "Costs")
        + "</draw:page></office:presentation>"
    )
    document = odf.parse_slides(RawDoc("kb/a.odp", odf_file(body)), NOTHING_KNOWN)
    assert document.text == "# Care\n\nupper\n\nlower\n\n\f\n\n# Costs"


def test_an_encrypted_or_mistaken_opendocument_file() -> None:
    manifest = {"META-INF/manifest.xml": "<m><encryption-data/></m>"}
    with pytest.raises(InputError, match="encrypted: needs a password"):
        odf.parse(RawDoc("kb/a.odt", odf_file("<office:text/>", **manifest)), NOTHING_KNOWN)
    with pytest.raises(InputError, match="not odt"):
        odf.parse(RawDoc("kb/a.odt", odf_file("<office:spreadsheet/>")), NOTHING_KNOWN)
