"""Area C through `cut --json` and `add` + `search`, and variants of each kind."""

from __future__ import annotations

import pytest


def headings(found):
    return [
        [block["level"], found["text"][slice(*block["inner"])]]
        for block in found["blocks"]
        if block["kind"] == "heading"
    ]


def code(found):
    return [found["text"][slice(*b["inner"])] for b in found["blocks"] if b["kind"] == "code"]


def tables(found):
    return [block["cells"] for block in found["blocks"] if block["kind"] == "table"]


def items(found):
    """(depth, marker, words of the item itself)."""
    listed = []
    for block in found["blocks"]:
        if block["kind"] == "list_item":
            own = found["text"][slice(*block["inner"])].split("\n")[0]
            listed.append([block["level"], block["marker"], own.strip()])
    return listed


def check(case, name):
    return next(c["value"] for c in case["checks"] if c["on"] == name)


@pytest.mark.data
def test_c01_fences(bench, read, cases, case_file):
    path = case_file("C01_fences.md")
    found = read(path)
    assert headings(found) == check(cases["C01"], "document.headings")
    for number in range(1, 10):
        assert f"not-a-heading-{number}" in found["text"]
    made = bench({path.name: path.read_bytes()})
    made.add()
    assert all("## Cold start" in text for text in made.texts("not-a-heading-3")[:1])


@pytest.mark.parametrize(
    ("text", "levels", "blocks"),
    [
        ("- item\n\n  ~~~sh\n  # no\n  ~~~\n\n# Yes\n", [[1, "Yes"]], ["# no"]),
        ("~~~\n```\n# no\n~~~\n# Yes\n", [[1, "Yes"]], ["```\n# no"]),
        ("> ```\n> # no\n\n# Yes\n", [[1, "Yes"]], ["# no"]),
        ("~~~~ md\n~~~\n# no\n~~~~~\nTitle\n=====\n", [[1, "Title"]], ["~~~\n# no"]),
        ("``` a`b\n# Yes\n", [[1, "Yes"]], []),
        ("1. one\n\n   ```\n   # no\n   ```\n2. two\n\n## Two\n", [[2, "Two"]], ["# no"]),
        ("# A #hash\n# B \\#\n####### seven\n", [[1, "A #hash"], [1, "B #"]], []),
        ("<!-- \n# no\n-->\n# Yes\n", [[1, "Yes"]], []),
    ],
)
def test_c01_variants(read, text, levels, blocks):
    found = read("a.md", text)
    assert headings(found) == levels
    assert code(found) == blocks


@pytest.mark.data
def test_c03_levels(bench, read, cases, case_file):
    found = read(case_file("C03_levels.md"))
    assert [
        [block["path"], found["text"][block["start"] : block["end"]]]
        for block in found["blocks"]
        if block["kind"] == "paragraph"
    ] == check(cases["C03"], "document.heading_paths")
    made = bench({"a.md": case_file("C03_levels.md").read_bytes()})
    made.add()
    hit = made.cli("search", "Delta", "--json").json["hits"][0]
    assert hit["path"] == ["Manual", "Setup", "Deep"]


@pytest.mark.parametrize(
    ("name", "text", "paths"),
    [
        ("a.md", "### Deep\nx1\n# Top\nx2\n", {"x1": ["Deep"], "x2": ["Top"]}),
        (
            "a.html",
            "<p>x0</p><h1>A</h1><h4>B</h4><p>x1</p><h3>C</h3><p>x2</p><h1>D</h1><p>x3</p>",
            {"x0": [], "x1": ["A", "B"], "x2": ["A", "C"], "x3": ["D"]},
        ),
        (
            "a.md",
            "One\n===\nx1\n\nTwo\n---\nx2\n\n# One\nx3\n",
            {"x1": ["One"], "x2": ["One", "Two"], "x3": ["One"]},
        ),
        (
            "a.xhtml",
            "<h2>P</h2><p>x1</p><ac:layout><ac:layout-section><ac:layout-cell><h3>Q</h3>"
            "<p>x2</p></ac:layout-cell></ac:layout-section></ac:layout><h1>R</h1><p>x3</p>",
            {"x1": ["P"], "x2": ["P", "Q"], "x3": ["R"]},
        ),
    ],
)
def test_c03_variants(read, name, text, paths):
    found = read(name, text)
    seen = {
        found["text"][b["start"] : b["end"]]: b["path"]
        for b in found["blocks"]
        if b["kind"] == "paragraph"
    }
    assert seen == paths


@pytest.mark.data
def test_c05_cells(bench, read, cases, case_file):
    path = case_file("C05_cells.html")
    found = read(path)
    assert tables(found) == [check(cases["C05"], "document.tables[0].rows")]
    made = bench({path.name: path.read_bytes()})
    made.add()
    assert "| mode | red\\|blue |" in made.texts("blue")[0]


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        (
            "two.html",
            "<table><thead><tr><th colspan=2>Sizes</th><th rowspan=2>Bin</th></tr><tr><th>w</th>"
            "<th>h</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>B|1</td></tr></tbody>"
            "</table>",
            [["Sizes", "Sizes", "Bin"], ["w", "h", "Bin"], ["1", "2", "B|1"]],
        ),
        (
            "code.html",
            "<table><tr><th>a</th></tr><tr><td><pre>x | y\nz</pre></td></tr></table>",
            [["a"], ["x | y z"]],
        ),
        (
            "nested.html",
            "<table><tr><th>k</th><th>v</th></tr><tr><td>one</td><td><ul><li>p</li><li>q</li></ul>"
            "<p>r</p></td></tr></table>",
            [["k", "v"], ["one", "p q r"]],
        ),
        (
            "pipes.md",
            "| a | b |\n|---|---|\n| `x\\|y` | z \\| w |\n| short |\n",
            [["a", "b"], ["x|y", "z | w"], ["short", ""]],
        ),
        (
            "ragged.html",
            "<table><tr><td>1<td>2<tr><td>3</table>",
            [["1", "2"], ["3", ""]],
        ),
    ],
)
def test_c05_variants(read, name, text, rows):
    (cells,) = tables(read(name, text))
    flat = [[" ".join(cell.replace("`", "").split()) for cell in row] for row in cells]
    assert [[c.replace(";", "").replace("•", "").replace(",", "") for c in r] for r in flat] == rows


@pytest.mark.data
def test_c06_lists(read, cases, case_file):
    found = read(case_file("C06_lists.html"))
    assert items(found) == check(cases["C06"], "document.list_items")
    assert code(found) == ["pumpctl stop --id 7\n    --wait"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "3. c\n4. d\n   - e\n", [[1, "3.", "c"], [1, "4.", "d"], [2, "-", "e"]]),
        (
            "a.html",
            "<ol start=5 reversed><li value=9>nine<li><span>ten</span></ol>",
            [[1, "9.", "nine"], [1, "8.", "ten"]],
        ),
        (
            "b.html",
            "<ul><li><span>only span</span></li><li></li><li><p>para</p><ol><li>x</li></ol></li>"
            "</ul>",
            [[1, "-", "only span"], [1, "-", "para"], [2, "1.", "x"]],
        ),
        (
            "c.html",
            "<ul><ul><ul><li>deep</li></ul></ul></ul>",
            [[3, "-", "deep"]],
        ),
    ],
)
def test_c06_variants(read, name, text, expected):
    assert [item for item in items(read(name, text)) if item[2]] == expected
