from answerable.text.parsers.grid import Cell, header_rows, resolve


def words(rows):
    return [[cell.content for cell in row] for row in resolve(rows)]


def test_a_spanning_cell_stands_in_every_spot_it_covers():
    rows = [
        [Cell("a", rows=2), Cell("b", columns=2)],
        [Cell("c"), Cell("d")],
        [Cell("e"), Cell("f"), Cell("g")],
    ]
    assert words(rows) == [["a", "b", "b"], ["a", "c", "d"], ["e", "f", "g"]]


def test_a_block_of_rows_and_columns():
    rows = [[Cell("a", 2, 2), Cell("b")], [Cell("c")], [Cell("d")]]
    assert words(rows) == [["a", "a", "b"], ["a", "a", "c"], ["d", "", ""]]


def test_rowspan_zero_reaches_to_the_last_row_and_too_long_ones_are_cut():
    assert words([[Cell("a", rows=0), Cell("b")], [Cell("c")], [Cell("d")]]) == [
        ["a", "b"],
        ["a", "c"],
        ["a", "d"],
    ]
    assert words([[Cell("a", rows=99), Cell("b")], [Cell("c")]]) == [["a", "b"], ["a", "c"]]


def test_spans_far_larger_than_the_table_are_ignored():
    rows = [[Cell("x", rows=60000, columns=1000)], *[[Cell("y")]] * 500]
    assert sum(len(row) for row in resolve(rows)) == 501


def test_header_rows():
    head, plain = Cell("h", head=True), Cell("d")
    assert header_rows([[head, head], [head, plain]], 0) == 1
    assert header_rows([[head, plain], [head, plain]], 0) == 0
    assert header_rows([[plain], [plain], [plain]], 2) == 2
    assert header_rows([[head], [head]], 0) == 1
    assert header_rows([[head], [head]], 2) == 1
