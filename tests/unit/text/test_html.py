import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.parsers.html import draw, parse


def read(markup, **more):
    body = markup if isinstance(markup, bytes) else markup.encode()
    return parse(RawDoc(uri="docs/page.html", body=body, **more), NOTHING_KNOWN)


def blocks(document):
    return [
        (block.kind, document.text[block.inner.start : block.inner.end])
        for block in document.blocks
    ]


def items(document):
    return [
        (b.level, b.marker, document.text[b.inner.start : b.inner.end], b.parent)
        for b in document.blocks
        if b.kind == "list_item"
    ]


def links(document):
    return [(document.text[k.span.start : k.span.end], k.target) for k in document.links]


def test_headings_paragraphs_and_inline_words():
    page = read("<h1>Pumps</h1><p>Use <b>two</b> pu<i>mps</i>,\n not&nbsp;one.<p>R&amp;D &lt;3</p>")
    assert blocks(page) == [
        ("heading", "Pumps"),
        ("paragraph", "Use two pumps, not one."),
        ("paragraph", "R&D <3"),
    ]


def test_block_elements_separate_words_and_breaks_are_line_feeds():
    page = read("<div>one<div>two</div>three</div><p>four<br>five</p>")
    assert [words for _, words in blocks(page)] == ["one", "two", "three", "four\nfive"]


def test_only_the_main_content_is_read():
    page = read(
        "<body><nav>Home Shop</nav><header>Site</header><main><header><h1>Tap</h1></header>"
        "<p>Turn it left.</p><nav>Up</nav></main><aside>Offers</aside><footer>2026</footer></body>"
    )
    assert page.text == "# Tap\n\nTurn it left."


def test_without_main_the_margins_are_left_out():
    page = read("<nav>Home</nav><p>Turn it to the left until it stops.</p><footer>2026</footer>")
    assert page.text == "Turn it to the left until it stops."


def test_a_page_that_is_only_margins_is_kept_whole():
    assert "Opening hours" in read("<body><header>Opening hours</header></body>").text
    page = read("<main><p>Hi</p></main><div>" + "The long text stands outside. " * 9 + "</div>")
    assert "The long text stands outside." in page.text


def test_words_that_only_scripts_would_show_are_better_than_none():
    assert read("<div style='display: none'>Late words</div>").text == "Late words"
    assert read("<noscript>Switch on</noscript>").text == "Switch on"


@pytest.mark.parametrize("markup", ["", "   ", "<script>var x = 1</script>", "<img src=a.png>"])
def test_a_page_without_words_is_an_input_error(markup):
    with pytest.raises(InputError, match="no text"):
        read(markup)


def test_hidden_elements_scripts_and_controls_are_not_words():
    page = read(
        "<p>seen</p><p hidden>a<p>also seen</p><div aria-hidden=true>b<div>c</div></div>"
        "<span style='visibility:hidden'>d</span><script>if (a<b) e</script><style>f{}</style>"
        "<template>g</template><select><option>h</option></select><button>i</button>"
        "<!-- <p>j</p> --><p style='overflow:hidden'>seen too</p>"
    )
    assert [words for _, words in blocks(page)] == ["seen", "also seen", "seen too"]


def test_an_unclosed_hidden_element_does_not_swallow_the_page():
    assert read("<div hidden><p>still here</p>").text == "still here"


def test_list_numbers():
    page = read("<ol start=3><li>c<li value=7>g<li>h</ol><ol reversed><li>x<li>y</ol>")
    assert [marker for _, marker, _, _ in items(page)] == ["3.", "7.", "8.", "2.", "1."]


def test_item_with_paragraphs_table_and_code_is_their_parent():
    page = read(
        "<ul><li><p>A</p><p>B</p><table><tr><th>k<th>v<tr><td>1<td>2</table><pre>x = 1</pre></ul>"
        "<p>C</p>"
    )
    kinds = [(block.kind, block.parent) for block in page.blocks]
    assert kinds == [
        ("list_item", -1),
        ("paragraph", 0),
        ("table", 0),
        ("code", 0),
        ("paragraph", -1),
    ]


def test_a_list_ends_with_the_division_that_holds_it():
    page = read("<div><ul><li>a</div><p>b</p>")
    assert [(b.kind, b.parent) for b in page.blocks] == [("list_item", -1), ("paragraph", -1)]


def test_check_boxes_of_items():
    page = read("<ul><li><input type=checkbox checked> done<li><input type=checkbox>open</ul>")
    assert [words for _, _, words, _ in items(page)] == ["[x] done", "[ ] open"]


def test_table_spans_header_and_caption():
    page = read(
        "<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Cost"
        "<tr><th>net<th>gross</thead><tbody><tr><td>Tap<td>5<td>6</tbody></table>"
    )
    table = page.blocks[1]
    assert blocks(page)[0] == ("paragraph", "Prices")
    assert table.cells == (
        ("Item", "Cost", "Cost"),
        ("Item", "net", "gross"),
        ("Tap", "5", "6"),
    )
    assert table.header == 2


def test_a_table_of_one_cell_and_a_presentation_table_are_unwrapped():
    page = read("<table><tr><td><h2>T</h2><p>one</p><p>two</p></td></tr></table>")
    assert [kind for kind, _ in blocks(page)] == ["heading", "paragraph", "paragraph"]
    page = read("<table role=presentation><tr><td>left<td>right</table>")
    assert blocks(page) == [("paragraph", "left"), ("paragraph", "right")]


def test_a_nested_table_keeps_its_cells_apart():
    page = read(
        "<table><tr><th>a<th>b<tr><td>x<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>"
    )
    assert page.blocks[0].cells[1] == ("x", "1 / 2; 3 / 4")


def test_words_between_the_rows_of_a_table_are_not_lost():
    page = read("<table>stray<tr><td>a<td>b</table>")
    assert blocks(page)[0] == ("paragraph", "stray")


def test_code_language_and_exact_text():
    page = read(
        '<pre><code class="language-python">if a &lt; b:<br>    <span>go</span>()\n</code></pre>'
        '<div class="highlight-source-shell"><pre>ls</pre></div>'
    )
    assert [(b.lang, page.text[b.inner.start : b.inner.end]) for b in page.blocks] == [
        ("python", "if a < b:\n    go()"),
        ("shell", "ls"),
    ]


def test_definitions():
    page = read("<dl><dt>Tap<dd>Lets water out.<dt>Valve<dt>Cock<dd><p>One.</p><p>Two.</p></dl>")
    assert [words for _, words in blocks(page)] == [
        "Tap: Lets water out.",
        "Valve, Cock: One.",
        "Two.",
    ]


def test_quotes_figures_and_pictures():
    page = read(
        "<blockquote><p>Said.</p></blockquote><figure><img src='data:image/png;base64,AAAA'"
        " alt='A red tap'><figcaption>Our tap</figcaption></figure><p>See <img alt=this> now</p>"
    )
    assert blocks(page) == [
        ("quote", "Said."),
        ("figure", "A red tap"),
        ("figure", "Our tap"),
        ("paragraph", "See this now"),
    ]
    assert "base64" not in page.text


def test_links_and_their_targets():
    page = read(
        "<p>See <a href='/a?x=1&amp;y=2'>the <b>guide</b></a>, <a href='javascript:go()'>this</a>"
        " and <a href=#end>end</a>.</p>"
    )
    assert page.text == "See the guide, this and end."
    assert links(page) == [("the guide", "/a?x=1&y=2"), ("end", "#end")]


def test_a_link_around_blocks_leads_from_each_of_them():
    page = read("<a href=x><h3>T</h3><p>words</p></a><p>more</p>")
    assert links(page) == [("T", "x"), ("words", "x")]


def test_powers_times_and_soft_hyphens():
    page = read("<p>10<sup>3</sup> H<sub>2</sub>O 1<sup>st</sup> <time datetime=2026-04-30></time>")
    assert page.text == "10^3 H2O 1st 2026-04-30"
    assert read("<p>Wasser&shy;hahn</p>").text == "Wasserhahn"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Taps | Shop</title>", "Taps"),
        ("<title>Pipes | Shop</title>", "Pipes | Shop"),
        ("<meta property='og:title' content='All taps'>", "All taps"),
        ("", "Taps"),
    ],
)
def test_titles(head, title):
    assert read(f"<head>{head}</head><h1>Taps</h1><p>x</p>").title == title


def test_the_encoding_is_the_declared_one():
    body = '<meta charset="iso-8859-2"><p>Łódź</p>'.encode("iso-8859-2")
    assert read(body).text == "Łódź"


def test_attribute_values_with_brackets_and_stray_brackets():
    page = read("<p title='a > b'>1 < 2 and 3 > 2</p><p data-x=\"<b>\">ok</p>")
    assert [words for _, words in blocks(page)] == ["1 < 2 and 3 > 2", "ok"]


def test_tags_in_any_case():
    assert blocks(read("<H1>A</H1><P>b<bR>c</P>")) == [("heading", "A"), ("paragraph", "b\nc")]


@pytest.mark.parametrize(
    "opening",
    ["<div>", "<ul><li>", "<table><tr><td>", "<blockquote>", "<b>", "<div hidden>", "<p>"],
)
def test_ten_thousand_levels(opening):
    assert "deep" in read(opening * 10_000 + "deep").text


def test_draw_a_fragment():
    canvas = Canvas()
    draw(canvas, "<details><summary>More</summary><p>Inside</p></details>")
    assert [block.kind for block in canvas.blocks] == ["paragraph", "paragraph"]
