"""Workbooks made with openpyxl, and by hand where it cannot; expected text is by hand."""

import io
from datetime import date, datetime, time
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.text.parsers.xlsx import parse
from answerable.text.parsers.xlsx.formats import Format, Kind, format_of, worded
from answerable.text.parsers.xlsx.regions import regions

X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"


def read(book: Workbook) -> Document:
    out = io.BytesIO()
    book.save(out)
    return parse(RawDoc("kb/prices.xlsx", out.getvalue()), NOTHING_KNOWN)


def raw_book(sheet: str, styles: str = "", strings: str = "") -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for folder, entries in (
            ("_rels/.rels", [("w", "officeDocument", "xl/workbook.xml")]),
            (
                "xl/_rels/workbook.xml.rels",
                [
                    ("a", "worksheet", "worksheets/sheet1.xml"),
                    ("b", "styles", "styles.xml"),
                    ("c", "sharedStrings", "sharedStrings.xml"),
                ],
            ),
        ):
            inner = "".join(
                f'<Relationship Id="{i}" Type="{R}/{k}" Target="{t}"/>' for i, k, t in entries
            )
            file.writestr(folder, f'<Relationships xmlns="{_REL}">{inner}</Relationships>')
        file.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{X}" xmlns:r="{R}"><sheets><sheet name="S" sheetId="1" r:id="a"/>'
            "</sheets></workbook>",
        )
        file.writestr("xl/styles.xml", f'<styleSheet xmlns="{X}">{styles}</styleSheet>')
        file.writestr("xl/sharedStrings.xml", f'<sst xmlns="{X}">{strings}</sst>')
        file.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{X}">{sheet}</worksheet>')
    return out.getvalue()


def test_a_sheet_is_a_heading_and_a_table_of_what_people_see() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Price list"
    sheet.append(["Item", "From", "Share", "Paid", "At"])
    sheet.append(["Valve | A", date(2024, 2, 29), 0.125, True, time(7, 30)])
    sheet.append(["Seal", datetime(2023, 12, 31, 18, 45), 0.1 + 0.2, False, time(0, 5)])
    sheet["C2"].number_format = "0.0%"
    document = read(book)
    assert document.title == "prices"
    assert document.text.startswith("# Price list\n\n| Item |")
    assert document.blocks[1].cells == (
        ("Item", "From", "Share", "Paid", "At"),
        ("Valve | A", "2024-02-29", "12.5%", "TRUE", "07:30:00"),
        ("Seal", "2023-12-31 18:45:00", "0.3", "FALSE", "00:05:00"),
    )
    assert document.blocks[1].header == 1


def test_merged_cells_titles_and_areas_apart() -> None:
    book = Workbook()
    sheet = book.active
    for place, value in {
        "A1": "Ducks per year",
        "A2": "Year",
        "B2": "Lakes",
        "A3": 2019,
        "B3": 120,
        "A4": 2020,
        "B4": 135,
        "D2": "Region",
        "E2": "Head",
        "D3": "North",
        "E3": "Ana",
        "D4": "South",
        "E4": "Bo",
        "A7": "Sum",
        "A8": "All of it",
        "B8": 255,
        "B7": "Value",
    }.items():
        sheet[place] = value
    sheet["D6"] = "lone words"
    sheet.merge_cells("A1:B1")
    document = read(book)
    told = [
        block.cells or document.text[block.span.start : block.span.end] for block in document.blocks
    ]
    assert told == [
        "# Sheet",
        "Ducks per year",
        (("Year", "Lakes"), ("2019", "120"), ("2020", "135")),
        (("Region", "Head"), ("North", "Ana"), ("South", "Bo")),
        (("Sum", "Value"), ("All of it", "255")),
        "lone words",
    ]


def test_labels_beside_an_empty_column_stay_with_their_values() -> None:
    book = Workbook()
    sheet = book.active
    for row, (label, value) in enumerate(
        [("Voltage", "130 kV"), ("Phases", "3"), ("Earth", "solid")]
    ):
        sheet.cell(row + 1, 1, label)
        sheet.cell(row + 1, 3, value)
    assert read(book).blocks[1].cells == (
        ("Voltage", "130 kV"),
        ("Phases", "3"),
        ("Earth", "solid"),
    )


def test_hidden_sheets_comments_and_formulas_without_values_are_noted() -> None:
    book = Workbook()
    sheet = book.active
    sheet.append(["a", "sum"])
    sheet.append([1, "=A2+1"])
    sheet["A1"].comment = Comment("why?", "me")
    secret = book.create_sheet("Salaries")
    secret.append(["Bo", 1])
    secret.sheet_state = "hidden"
    document = read(book)
    assert "Bo" not in document.text and "why" not in document.text
    assert document.blocks[1].cells == (("a", "sum"), ("1", "=A2+1"))
    assert set(document.notes) == {
        "the hidden sheet 'Salaries' was left out",
        "comments on sheet 'Sheet' were left out",
        "sheet 'Sheet': 1 formulas without a stored value are shown as formulas",
    }


def test_links_of_cells_are_links() -> None:
    book = Workbook()
    sheet = book.active
    sheet.append(["Name", "Page"])
    sheet.append(["A", "its page"])
    sheet["B2"].hyperlink = "https://a.example/p"
    document = read(book)
    (link,) = document.links
    assert (document.text[link.span.start : link.span.end], link.target) == (
        "its page",
        "https://a.example/p",
    )


def test_cached_values_rich_strings_and_phonetics() -> None:
    strings = (
        "<si><r><t>Bold</t></r><r><t xml:space='preserve'> plain</t></r></si>"
        "<si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si>"
    )
    sheet = (
        "<sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>"
        "<row r='2'><c r='A2'><f>1+1</f><v>2</v></c><c r='B2' t='str'><f>x</f><v>two</v></c></row>"
        "<row r='3'><c r='A3' t='e'><v>#DIV/0!</v></c>"
        "<c r='B3' t='inlineStr'><is><t>in</t></is></c></row>"
        "<row><c t='d'><v>2024-02-29T00:00:00</v></c><c t='d'><v>2024-02-29T18:30:00</v></c></row>"
        "</sheetData>"
    )
    document = parse(RawDoc("a.xlsx", raw_book(sheet, "", strings)), NOTHING_KNOWN)
    assert document.blocks[1].cells == (
        ("Bold plain", "東京"),
        ("2", "two"),
        ("#DIV/0!", "in"),
        ("2024-02-29", "2024-02-29 18:30:00"),
    )


def test_an_inflated_sheet_is_read_at_the_size_of_its_values() -> None:
    empty = "".join(f"<row r='{row}'><c r='A{row}' s='0'/></row>" for row in range(3, 50_000))
    sheet = (
        "<dimension ref='A1:XFD1048576'/><sheetData><row r='1'><c r='A1'><v>1</v></c></row>"
        f"<row r='2'><c r='A2'><v>2</v></c></row>{empty}"
        "<row r='1048576'><c r='XFD1048576'><v>3</v></c></row></sheetData>"
    )
    document = parse(RawDoc("a.xlsx", raw_book(sheet)), NOTHING_KNOWN)
    assert len(document.text) < 100
    assert "3" in document.text


def test_merged_ranges_over_the_whole_sheet_do_not_fill_it() -> None:
    sheet = (
        "<sheetData><row r='1'><c r='A1'><v>1</v></c><c r='B1'><v>2</v></c></row></sheetData>"
        "<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"
    )
    document = parse(RawDoc("a.xlsx", raw_book(sheet)), NOTHING_KNOWN)
    assert document.blocks[1].cells == (("1", "2"),)


def test_an_empty_workbook_is_refused() -> None:
    with pytest.raises(InputError, match=r"no text in kb/prices\.xlsx"):
        read(Workbook())


@pytest.mark.parametrize(
    ("stored", "id", "code", "shown"),
    [
        ("45351", 14, None, "2024-02-29"),  # Excel's own example: serial 45351 is 29 Feb 2024
        ("60", 14, None, "1900-02-29"),  # the leap day that Excel invented
        ("59", 14, None, "1900-02-28"),
        ("61", 14, None, "1900-03-01"),
        ("0.5", 20, None, "12:00:00"),
        ("1.5", 164, "[h]:mm", "36:00:00"),
        ("45351.75", 164, "dd/mm/yyyy hh:mm", "2024-02-29 18:00:00"),
        ("12.3", 164, '0.0 "days"', "12.3"),
        ("12", 164, "[Red]0", "12"),
        ("1234.5", 164, "#,##0.00 [$€-407]", "1234.5"),
        ("0.07", 9, None, "7%"),
        ("0.33333333333333331", 10, None, "33.33%"),
        ("1E-3", 0, None, "0.001"),
        ("1.1000000000000001", 0, None, "1.1"),
        ("100000000000", 0, None, "100000000000"),
        ("45351", 165, "mmm\\-yy", "2024-02-29"),
    ],
)
def test_numbers_as_people_see_them(stored: str, id: int, code: str | None, shown: str) -> None:
    assert worded(stored, format_of(id, code)) == shown


def test_one_shared_text_in_every_cell_is_too_much() -> None:
    def book(cells: int, merged: str = "") -> RawDoc:
        rows = "".join(
            f'<row r="{at}"><c r="A{at}" t="s"><v>0</v></c></row>' for at in range(1, cells + 1)
        )
        strings = f"<si><t>{'A' * 1_000_000}</t></si>"
        sheet = f"<sheetData>{rows}</sheetData>{merged}"
        return RawDoc("kb/prices.xlsx", raw_book(sheet, strings=strings))

    assert len(parse(book(3), NOTHING_KNOWN).text) > 3_000_000
    merged = '<mergeCells><mergeCell ref="A1:A5000"/></mergeCells>'
    for raw in (book(21), book(1, merged)):
        with pytest.raises(InputError, match="hold more than 20,000,000 characters"):
            parse(raw, NOTHING_KNOWN)


def test_days_from_1904() -> None:
    # ECMA-376 18.17.4.1: day 0 of the 1904 system is 1 January 1904, 1,462 days after 1900's.
    assert worded("43889", Format(Kind.DATE), True) == "2024-02-29"


def test_areas() -> None:
    def told(*places: tuple[int, int]) -> list[tuple[int, int, int, int]]:
        return [region[:4] for region in regions(places)]

    square = [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert told(*square, (2, 4), (2, 5), (3, 4), (3, 5), (9, 1)) == [
        (1, 1, 2, 2),
        (2, 4, 3, 5),
        (9, 1, 9, 1),
    ]
    assert told(*square, (3, 3), (3, 4), (4, 3), (4, 4)) == [(1, 1, 2, 2), (3, 3, 4, 4)]
    assert told() == []
