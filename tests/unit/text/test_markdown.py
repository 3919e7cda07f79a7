"""Markdown to blocks: expected values written by hand from CommonMark 0.31.2 and GFM."""

from __future__ import annotations

import pytest

from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.text.parsers.markdown import parse


def page(source: str, uri: str = "guide/start.md") -> Document:
    return parse(RawDoc(uri, source.encode(errors="surrogatepass")), NOTHING_KNOWN)


def blocks(source: str, uri: str = "a.md") -> list[tuple[str, int, int, str]]:
    document = page(source, uri)
    return [
        (b.kind, b.level, b.parent, document.text[b.inner.start : b.inner.end])
        for b in document.blocks
    ]


def words(source: str, uri: str = "a.md") -> list[str]:
    return [inner for *_, inner in blocks(source, uri)]


def links(source: str) -> list[tuple[str, str]]:
    document = page(source)
    return [(document.text[x.span.start : x.span.end], x.target) for x in document.links]


def test_headings_of_both_forms_without_marks_ids_or_breaks():
    assert blocks("Set *ext*\nwide\n===\n\n### At `x` ### \n\n## Named {#the-id}\n\n#\n") == [
        ("heading", 1, -1, "Set ext wide"),
        ("heading", 3, -1, "At x"),
        ("heading", 2, -1, "Named"),
    ]


def test_title_from_front_matter_else_first_heading_else_file_name():
    assert page("---\ntitle: 'Given'\n---\n# Head").title == "Given"
    assert page("## Two\n\n# One").title == "One"
    assert page("words").title == "start"


def test_front_matter_values_stay_as_written():
    source = "---\ndate: 2024-01-02\nok: no\ntags:\n  - a\n  - b: c\nn: 007\nnone: ~\n---\nBody"
    document = page(source)
    assert document.meta == (
        ("date", "2024-01-02"),
        ("ok", "no"),
        ("tags", "a"),
        ("tags.1.b", "c"),
        ("n", "007"),
    )
    assert document.text == "Body"


def test_broken_front_matter_is_read_line_by_line_with_a_note():
    document = page("---\ntitle: a: b\nx: [1\n---\nBody")
    assert (document.title, document.text) == ("a: b", "Body")
    assert document.notes[0].startswith("front matter is not valid YAML in line 2")


def test_rules_that_are_no_front_matter_stay_text():
    assert words("---\njust words\n---\nBody") == ["just words", "Body"]
    assert words("---\n\nOnly a rule") == ["Only a rule"]
    assert words("word\n\n---\n\nkey: value\n") == ["word", "key: value"]


def test_lists_keep_numbers_depth_tasks_and_what_hangs_on_an_item():
    source = (
        "7. seven\n8. [ ] eight\n   goes on\n\n   more\n\n   ```sh\n   run\n   ```\n\n"
        "   | a |\n   |---|\n   | b |\n   - [x] deep\n"
    )
    document = page(source)
    assert blocks(source)[:4] == [
        ("list_item", 1, -1, "seven"),
        ("list_item", 1, -1, "[ ] eight goes on"),
        ("paragraph", 0, 1, "more"),
        ("code", 0, 1, "run"),
    ]
    assert [(b.kind, b.parent, b.marker) for b in document.blocks[4:]] == [
        ("table", 1, ""), ("list_item", 1, "-")]  # fmt: skip
    assert blocks(source)[5][:2] == ("list_item", 2)
    assert [b.marker for b in document.blocks[:2]] == ["7.", "8."]
    assert document.text.startswith("7. seven\n8. [ ] eight goes on\n\nmore\n\n```sh\nrun\n```\n\n")


def test_an_item_that_begins_with_a_block_is_drawn_before_it():
    assert blocks("- ```\n  x\n  ```\n- - in\n-\n") == [
        ("list_item", 1, -1, ""),
        ("code", 0, 0, "x"),
        ("list_item", 1, -1, ""),
        ("list_item", 2, 2, "in"),
    ]


def test_quotes_and_what_stands_in_them():
    assert blocks("> one\n>\n> two\n> - item\n>\n> > inner\n\nout") == [
        ("quote", 0, -1, "one"),
        ("quote", 0, -1, "two"),
        ("list_item", 1, 1, "item"),
        ("quote", 0, 1, "inner"),
        ("paragraph", 0, -1, "out"),
    ]


def test_code_keeps_every_character_language_and_title():
    (block,) = page('~~~py title="a b.py" {1}\nif x:\n\t`````\n\n~~~').blocks
    assert (block.lang, block.title) == ("py", "a b.py")
    assert words("~~~\nif x:\n\t`````  \n\n # no\n~~~") == ["if x:\n\t`````  \n\n # no"]
    assert words("    two\n\n      deeper\n") == ["two\n\n  deeper"]


def test_breaks_escapes_entities_and_marks():
    assert words("a  \nb\\\nc\nd") == ["a\nb\nc d"]
    assert words(r"\# 1\. \*x\* &amp; &copy; **b**_i_ ~~old~~ `a  b`") == [
        "# 1. *x* & © bi old a  b"]  # fmt: skip
    assert words("snake_case_name 2*3*4") == ["snake_case_name 234"]
    assert words("one\n\n***\n\ntwo") == ["one", "two"]


def test_decomposed_characters_stay_as_written():
    assert words("e\u0301 \ufb01") == ["e\u0301 \ufb01"]


def test_links_of_every_form_lead_where_they_lead():
    source = (
        "[in *line*](a.md 't') [full][R] [r] <https://x.y/z> https://b.c/d_(e)). "
        "[none][q] [s](javascript:x) www\n\n[r]: ../ref%20x.md 'T'\n"
    )
    assert links(source) == [
        ("in line", "a.md"),
        ("full", "../ref%20x.md"),
        ("r", "../ref%20x.md"),
        ("https://x.y/z", "https://x.y/z"),
        ("https://b.c/d_(e)", "https://b.c/d_(e)"),
        ("s", ""),
    ]
    assert words(source) == ["in line full r https://x.y/z https://b.c/d_(e)). [none][q] s www"]


def test_images_are_their_words():
    assert blocks(
        "![alt *x*](a.png 'T')\n\ntext ![b](b.png) on\n\n![](c.png)\n\n![](d.png 'Cap')"
    ) == [
        ("figure", 0, -1, "alt x"),
        ("paragraph", 0, -1, "text b on"),
        ("figure", 0, -1, "Cap"),
    ]
    assert links("[![badge](b.svg)](https://ci)") == [("badge", "https://ci")]


@pytest.mark.parametrize(
    "source",
    [
        "![valve](data:image/png;base64,{0}) after",
        "[valve](data:application/pdf;base64,{0}) after",
        "valve <img src='data:image/png;base64,{0}'> after",
        "![valve][i] after\n\n[i]: <data:image/png;base64,{0}>",
        "valve data:image/png;base64,{0} after",
        "valve [x](data:text/plain,hello) after",
    ],
)
def test_data_uris_are_left_out_and_counted(source):
    for payload in ("QUJD", "QUJD" * 100):
        document = page(source.replace("{0}", payload))
        text = document.text
        assert "QUJD" not in text and "data:" not in text and "hello" not in text
        assert "valve" in text and "after" in text and document.links == ()
        assert len(document.notes) == 1 and "bytes of data: URIs left out" in document.notes[0]


def test_long_payloads_leave_code_too_but_short_examples_stay():
    assert words("```\nx = 'data:a/b;base64,QUJD'\n```") == ["x = 'data:a/b;base64,QUJD'"]
    assert words(f"```\nx = 'data:a/b;base64,{'QUJD' * 50}'\n```") == ["x = 'data:a/b;base64,'"]


def test_tables_unescape_cells_and_keep_links():
    source = "| a \\| b | `c \\| d` |\n|:--|--:|\n| **x** | [y](z.md) |\n| only |\n"
    (block,) = page(source).blocks
    assert block.cells == (("a | b", "c | d"), ("x", "y"), ("only", ""))
    assert block.header == 1
    assert links(source) == [("y", "z.md")]
    (block,) = page("|  |  |\n|--|--|\n| a | b |").blocks
    assert (block.cells, block.header) == ((("a", "b"),), 0)


def test_footnotes_stand_where_they_are_defined_and_glue_no_words():
    notes = "[^1]: Note *one*.\n\n    More.\n\n[^n]: N\n\n[^unused]: U"
    assert words("Word[^1]. And[^n].\n\n" + notes) == [
        "Word[^1]. And[^n].", "[^1]: Note one.", "More.", "[^n]: N", "[^unused]: U"]  # fmt: skip


def test_definitions_hang_on_their_term():
    assert blocks("Term\n: first\n\n  second\n: other\n") == [
        ("list_item", 1, -1, "Term"),
        ("paragraph", 0, 0, "first"),
        ("paragraph", 0, 0, "second"),
        ("paragraph", 0, 0, "other"),
    ]


def test_inline_html_goes_and_its_words_stay_apart():
    (mixed,) = words("H<sub>2</sub>O <b>bold</b><br/>next<!-- no --> <p>a</p><p>b</p><i>c</i>")
    assert mixed == "H2O bold\nnext a b c"
    assert words('see <img alt="the &amp; sign"> <script>bad()</script>end') == [
        "see the & sign end"
    ]
    assert links('x <a href="/t?a=1&amp;b=2">there</a> y') == [("there", "/t?a=1&b=2")]
    assert words("run `a` <version> now") == ["run a <version> now"]


def test_html_blocks_are_drawn_as_what_they_are():
    source = (
        "<!-- # no -->\n\n<h2>Head</h2>\n<p>one</p><p>two</p>\n\n"
        "<style>\n.x{}\n\n.y{}\n</style>\n\n"
        "<table>\n<tr><th>K</th></tr>\n\n<tr><td>\n\n**v** [w](u.md)\n\n</td></tr>\n</table>\n"
    )
    document = page(source)
    assert [(b.kind, b.level) for b in document.blocks] == [
        ("heading", 2), ("paragraph", 0), ("paragraph", 0), ("table", 0)]  # fmt: skip
    assert document.blocks[3].cells == (("K",), ("v w",))
    assert words(source)[:3] == ["Head", "one", "two"]
    assert links(source) == [("w", "u.md")]


def test_details_keep_their_markdown():
    assert blocks("<details>\n<summary>More</summary>\n\n## In\n\n- x\n\n</details>")[1:] == [
        ("heading", 2, -1, "In"), ("list_item", 1, -1, "x")]  # fmt: skip


def test_html_in_an_item_belongs_to_it():
    kinds = [(kind, parent) for kind, _, parent, _ in blocks("- a\n\n  <p>b</p>\n\n- c\n")]
    assert kinds == [("list_item", -1), ("paragraph", 0), ("list_item", -1)]


def test_admonitions_of_both_dialects():
    assert words(":::note[Mind *it*]{.x}\nBody **b**\n:::\n\n- i\n\n  ::: tip\n  t\n  :::\n") == [
        "note Mind it", "Body b", "i", "tip", "t"]  # fmt: skip
    assert words('!!! note "Hot"\n    Indented\n\n    - item\n\nafter') == [
        "Hot", "Indented", "item", "after"]  # fmt: skip


MDX = """import {
  Tabs,
} from './x'

export const f = () => {

  return 1
}

{/* a
comment */}

# Page

<Tabs items={['<a>']}>
  <Tab title="Linux" icon={<I />}>

    Text **b** <Badge color="red">new</Badge>{" "}on {/* no */}{value}.

    ```js
    import x from 'y'
    <Foo/>
    ```

  </Tab>
</Tabs>

<details>
<summary>More *words*</summary>
```sh
# not a heading
```
</details>

<table><tbody><tr><td>
**k**
</td><td style={{width: 1}}>`v`</td></tr></tbody></table>
"""


def test_mdx_components_go_and_their_words_stay():
    assert words(MDX, "a.mdx")[:-1] == [
        "Page",
        "Linux",
        "Text b new on {value}.",
        "import x from 'y'\n<Foo/>",
        "More words",
        "# not a heading",
    ]
    document = page(MDX, "a.MDX")
    assert document.type == "markdown"
    assert document.blocks[-1].cells == (("k", "v"),)


def test_a_markdown_page_that_imports_is_read_as_mdx():
    assert words("import T from 'x';\n\n<T>\n    plain\n</T>") == ["plain"]
    assert words("import duty is due.\n\nexport too.") == ["import duty is due.", "export too."]
