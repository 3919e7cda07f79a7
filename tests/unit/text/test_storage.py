import pytest

from answerable.errors import InputError
from answerable.records.docs import EVERYONE, NOTHING_KNOWN, Access, Known, KnownPage, RawDoc
from answerable.text.parsers.storage import parse


def read(markup, known=NOTHING_KNOWN, **more):
    return parse(RawDoc(uri="7", body=markup.encode(), **more), known)


def macro(name, body="", **parameters):
    held = "".join(
        f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items()
    )
    return f'<ac:structured-macro ac:name="{name}">{held}{body}</ac:structured-macro>'


def rich(markup):
    return f"<ac:rich-text-body>{markup}</ac:rich-text-body>"


def words(page):
    return [page.text[b.inner.start : b.inner.end] for b in page.blocks]


def test_panels_say_their_kind_and_keep_their_order():
    page = read(
        macro("warning", rich("<p>Hot.</p><p>Very.</p>"))
        + macro("info", rich("<p>Body.</p>"), title="Hours")
        + macro("panel", rich("<p>Rest.</p>"), title="Plain")
    )
    assert words(page) == ["Warning: Hot.", "Very.", "Info: Hours", "Body.", "Plain", "Rest."]


def test_expand_layout_and_excerpt_are_read_in_order():
    page = read(
        "<ac:layout><ac:layout-section><ac:layout-cell><p>left</p></ac:layout-cell>"
        "<ac:layout-cell>"
        + macro("expand", rich("<p>inner</p>"), title="More")
        + "</ac:layout-cell>"
        "</ac:layout-section></ac:layout>" + macro("excerpt", rich("<p>short</p>"), hidden="true")
    )
    assert words(page) == ["left", "More", "inner", "short"]


def test_noformat_keeps_every_character_and_says_no_language():
    page = read(
        macro("noformat", "<ac:plain-text-body><![CDATA[\n a &lt; b  \n]]></ac:plain-text-body>")
    )
    assert words(page) == ["\n a &lt; b  \n"]
    assert page.blocks[0].lang == ""


def test_status_mentions_emoticons_and_marks_stand_in_the_line():
    page = read(
        "<p>State "
        + macro("status", title="IN REVIEW", colour="Blue")
        + ", <ac:inline-comment-marker"
        ' ac:ref="u">marked</ac:inline-comment-marker> <ac:emoticon ac:name="tick"/>'
        "<ac:placeholder>type here</ac:placeholder></p>"
    )
    assert page.text == "State IN REVIEW, marked ✔"


def test_pictures_are_their_words_never_their_file_when_there_are_words():
    source = '<ri:attachment ri:filename="p.png"/>'
    page = read(
        f"<ac:image>{source}</ac:image><ac:image ac:alt='Red tap'>{source}</ac:image>"
        f"<ac:image ac:alt='p.png'>{source}<ac:caption><p>The tap</p></ac:caption></ac:image>"
    )
    assert [b.kind for b in page.blocks] == ["figure", "figure", "figure"]
    assert words(page) == ["p.png", "Red tap", "The tap"]


def test_extensions_are_read_once():
    page = read(
        '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note'
        "</ac:adf-attribute><ac:adf-content><p>Once.</p></ac:adf-content></ac:adf-node>"
        "<ac:adf-fallback><div><p>Once.</p></div></ac:adf-fallback></ac:adf-extension>"
    )
    assert words(page) == ["Note: Once."]


def test_an_unknown_macro_keeps_its_name_words_and_body():
    page = read(macro("acme", rich("<p>held</p>"), title="Two words", id="a1", wide="true"))
    assert words(page) == ["[macro: acme] Two words", "held"]
    assert page.notes == ("unknown macro acme: 1",)


def test_macros_made_by_the_server_leave_no_words():
    page = read("<p>a</p>" + macro("toc") + macro("anchor", "") + macro("children"))
    assert page.text == "a"
    assert page.notes == ("macro children, whose words the server makes: 1",)


def test_the_space_of_a_link():
    known = Known(
        space="OPS",
        pages={
            ("OPS", "Guide"): KnownPage("1", "one"),
            ("LAB", "Guide"): KnownPage("2", "two"),
        },
    )
    page = read(
        '<p><ac:link><ri:page ri:content-title="Guide"/></ac:link>'
        ' <ac:link><ri:page ri:space-key="LAB" ri:content-title="Guide"/></ac:link>'
        ' <ac:link><ri:page ri:space-key="HR" ri:content-title="Guide"/></ac:link></p>',
        known,
    )
    assert [link.target for link in page.links] == ["one", "two", ""]
    assert page.notes == ("1 broken link: 'HR:Guide'",)


def test_broken_links_are_named_and_counted():
    gone = [f'<ac:link><ri:page ri:content-title="P{n}"/></ac:link>' for n in range(12)]
    page = read(f"<p>{' '.join([*gone, gone[0]])}</p>")
    names = ", ".join(f"'P{n}'" for n in range(10))
    assert page.notes == (f"13 broken links: {names}, and 2 more",)


def include(title, kind="include"):
    link = f'<ac:link><ri:page ri:content-title="{title}"/></ac:link>'
    return macro(kind, f'<ac:parameter ac:name="">{link}</ac:parameter>')


def test_only_the_excerpt_of_an_excerpt_include_is_drawn():
    other = "<p>before</p>" + macro("excerpt", rich("<p>core</p>")) + "<p>after</p>"
    known = Known(pages={("", "Other"): KnownPage("9", "9", EVERYONE, other.encode())})
    page = read(include("Other", "excerpt-include"), known, access=EVERYONE)
    assert words(page) == ["From Other:", "core"]
    assert page.includes == ("9",)


@pytest.mark.parametrize(
    ("mine", "theirs", "shown"),
    [
        (Access(("a",)), Access(("a", "b")), True),
        (Access(("a", "b")), Access(("a",)), False),
        (EVERYONE, Access(("a",)), False),
        (Access(("a",)), EVERYONE, True),
        (EVERYONE, Access(), False),
    ],
)
def test_an_include_is_followed_only_for_readers_of_both(mine, theirs, shown):
    known = Known(pages={("", "Other"): KnownPage("9", "9", theirs, b"<p>inner words</p>")})
    page = read(include("Other"), known, access=mine)
    assert ("inner words" in page.text) is shown
    assert page.includes == ("9",), "its readers may change"
    assert bool(page.notes) is not shown


def test_includes_that_multiply_are_bounded():
    pages = {
        ("", str(n)): KnownPage(
            str(n), str(n), EVERYONE, "".join(include(str(k)) for k in range(12)).encode()
        )
        for n in range(12)
    }
    page = read(include("0"), Known(pages=pages), access=EVERYONE)
    assert page.text.count("From ") == 200


def test_broken_xml_is_read_with_a_note_and_without_losing_words():
    page = read("<p>one <b>two</p><ac:link><p>three</p> & four <p>five</ac:link></div><p>six</p>")
    assert all(word in page.text for word in ("one", "two", "three", "four", "five", "six"))
    assert any("not well-formed" in note for note in page.notes)


def test_a_root_with_namespaces_and_a_declaration():
    page = read(
        '<?xml version="1.0"?><!DOCTYPE ac:confluence SYSTEM "x.dtd" [<!ENTITY nbsp "&#160;">]>'
        '<ac:confluence xmlns:ac="http://www.atlassian.com/schema/confluence/4/ac/"'
        ' xmlns="http://www.atlassian.com/schema/confluence/4/"><h1>A</h1><p>b&nbsp;c</p>'
        '<ac:structured-macro ac:name="code"><ac:plain-text-body>x</ac:plain-text-body>'
        "</ac:structured-macro></ac:confluence>"
    )
    assert [(b.kind) for b in page.blocks] == ["heading", "paragraph", "code"]
    assert words(page) == ["A", "b c", "x"]


def test_title_and_nothing_to_read():
    assert read("<p>x</p>", meta=(("title", "Given"),)).title == "Given"
    assert read("<h1>Own</h1><p>x</p>").title == "Own"
    with pytest.raises(InputError, match="no text"):
        read(macro("toc"))


def test_entities_outside_code_only():
    page = read(
        "<p>caf&eacute; &unknown; a & b &#0;</p>"
        + macro("code", "<ac:plain-text-body><![CDATA[&eacute; &amp;]]></ac:plain-text-body>")
    )
    assert words(page) == ["café &unknown; a & b \N{REPLACEMENT CHARACTER}", "&eacute; &amp;"]


def test_three_hundred_levels_and_more():
    assert "deep" in read("<div>" * 5000 + "deep" + "</div>" * 5000).text
