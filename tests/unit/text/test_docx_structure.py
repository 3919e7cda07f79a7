"""Word documents built part by part; what must come out is written by hand from ECMA-376."""

import io
from zipfile import ZipFile

import pytest

from answerable.errors import InputError
from answerable.records.docs import NOTHING_KNOWN, Document, RawDoc
from answerable.text.parsers.docx import parse

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_SPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
  <w:basedOn w:val="Standard"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="a3"><w:name w:val="Заголовок раздела"/>
  <w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Mein Kapitel"/>
  <w:basedOn w:val="a3"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Loop1"><w:name w:val="x"/>
  <w:basedOn w:val="Loop2"/></w:style>
<w:style w:type="paragraph" w:styleId="Loop2"><w:name w:val="y"/>
  <w:basedOn w:val="Loop1"/></w:style>
<w:style w:type="paragraph" w:styleId="HTMLVorformatiert">
  <w:name w:val="HTML Preformatted"/></w:style>
<w:style w:type="paragraph" w:styleId="Aufz"><w:name w:val="List Bullet"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/>
  <w:lvlText w:val="-"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
    <w:lvlText w:val="%1."/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
    <w:lvlText w:val="%1.%2"/></w:lvl>
  <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/>
    <w:lvlText w:val="(%3)"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="1"/>
  <w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
"""


def rels(*entries: tuple[str, str, str]) -> str:
    inner = "".join(
        f'<Relationship Id="{id}" Type="{R}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if "://" in target else "")
        + "/>"
        for id, kind, target in entries
    )
    return f'<Relationships xmlns="{_REL}">{inner}</Relationships>'


def built(body: str, *more: tuple[str, str, str], **parts: str) -> bytes:
    """A file of a body and further parts (`footnotes`, `comments`, ...) by name."""
    out = io.BytesIO()
    related = [("s", "styles", "styles.xml"), ("n", "numbering", "numbering.xml")]
    related += [(name, name, f"{name}.xml") for name in parts]
    with ZipFile(out, "w") as file:
        file.writestr("_rels/.rels", rels(("d", "officeDocument", "word/document.xml")))
        file.writestr("word/_rels/document.xml.rels", rels(*related, *more))
        file.writestr("word/styles.xml", f"<w:styles {_SPACES}>{STYLES}</w:styles>")
        file.writestr("word/numbering.xml", f"<w:numbering {_SPACES}>{NUMBERING}</w:numbering>")
        for name, inner in parts.items():
            file.writestr(f"word/{name}.xml", f"<w:{name} {_SPACES}>{inner}</w:{name}>")
        document = f"<w:document {_SPACES}><w:body>{body}</w:body></w:document>"
        file.writestr("word/document.xml", document)
    return out.getvalue()


def read(body: str, *more: tuple[str, str, str], **parts: str) -> Document:
    return parse(RawDoc("kb/file.docx", built(body, *more, **parts)), NOTHING_KNOWN)


def p(text: str = "", style: str = "", properties: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{r(text) if text else ''}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def item(text: str, list: int, level: int = 0) -> str:
    numbering = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr>'
    return p(text, properties=numbering)


def tc(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def test_headings_are_told_by_outline_level_whatever_the_style_is_called() -> None:
    document = read(
        p("Handbuch", "Titel")
        + p("Eins", "berschrift1")
        + p("Zwei", "a3")
        + p("Drei", "Kapitel")
        + p("Vier", properties='<w:outlineLvl w:val="3"/>')
        + p("heading 1 by name only", "nosuchstyle")
        + p("in a circle", "Loop1")
        + p("taken back", "berschrift1", '<w:outlineLvl w:val="9"/>')
    )
    assert document.text == (
        "# Handbuch\n\n# Eins\n\n## Zwei\n\n## Drei\n\n#### Vier\n\n"
        "heading 1 by name only\n\nin a circle\n\ntaken back"
    )
    assert document.title == "Handbuch"


def test_lists_count_as_word_counts() -> None:
    document = read(
        item("one", 2)
        + item("one one", 2, 1)
        + item("deep", 2, 2)
        + item("one two", 2, 1)
        + item("two", 2)
        + item("two one", 2, 1)
        + p("between")
        + item("three", 2)
        + item("anew", 3)
        + p("dot", "Aufz")
    )
    assert document.text == (
        "1. one\n  - 1.1 one one\n    - (i) deep\n  - 1.2 one two\n2. two\n  - 2.1 two one\n\n"
        "between\n\n3. three\n1. anew\n- dot"
    )
    blocks = document.blocks
    assert [block.level for block in blocks[:6]] == [1, 2, 3, 2, 1, 2]
    assert [block.parent for block in blocks[:6]] == [-1, 0, 1, 0, -1, 4]


def test_numbered_headings_show_their_numbers() -> None:
    numbering = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="2"/></w:numPr>'
    document = read(
        p("Scope", "berschrift1", numbering.format(0))
        + p("Terms", "a3", numbering.format(1))
        + p("Law", "berschrift1", numbering.format(0))
    )
    assert document.text == "# 1. Scope\n\n## 1.1 Terms\n\n# 2. Law"


def test_merged_cells_stand_in_every_spot() -> None:
    start, go = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    table = (
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>"
        + tc(p("Region"))
        + tc(p("Sales"), '<w:gridSpan w:val="2"/>')
        + "</w:tr><w:tr>"
        + tc(p("North"), start)
        + tc(p("Q1"))
        + tc(p("7"))
        + "</w:tr><w:tr>"
        + tc(p(), go)
        + tc(p("Q2"))
        + tc(p("9 | 10"))
        + "</w:tr><w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>"
        + tc(p("Q3"))
        + tc(p("a") + p("b"))
        + "</w:tr></w:tbl>"
    )
    (block,) = read(table).blocks
    assert block.cells == (
        ("Region", "Sales", "Sales"),
        ("North", "Q1", "7"),
        ("North", "Q2", "9 | 10"),
        ("", "Q3", "a b"),
    )
    assert block.header == 1


def test_a_table_inside_a_cell_keeps_its_rows_apart_and_a_frame_is_no_table() -> None:
    def row(*cells: str) -> str:
        return "<w:tr>" + "".join(tc(cell) for cell in cells) + "</w:tr>"

    inner = f"<w:tbl>{row(p('x'), p('1'))}{row(p('y'), p('2'))}</w:tbl>"
    document = read(
        f"<w:tbl>{row(p('Name'), p('Values'))}{row(p('A'), inner + p())}</w:tbl>"
        f"<w:tbl>{row(p('Framed heading', 'berschrift1') + p('Framed text'))}</w:tbl>"
    )
    assert document.blocks[0].cells == (("Name", "Values"), ("A", "x / 1; y / 2"))
    assert [block.kind for block in document.blocks[1:]] == ["heading", "paragraph"]


def test_tracked_changes_are_accepted() -> None:
    change = 'w:id="1" w:author="a" w:date="2026-01-01T00:00:00Z"'
    gone = f"<w:rPr><w:del {change}/></w:rPr>"
    row = f"<w:tr><w:trPr><w:del {change}/></w:trPr>{tc(p('old'))}{tc(p('row'))}</w:tr>"
    document = read(
        f"<w:p>{r('The fee is ')}<w:del {change}><w:r><w:delText>10</w:delText></w:r></w:del>"
        f"<w:ins {change}>{r('12')}</w:ins>{r(' euro.')}</w:p>"
        f"<w:p><w:pPr>{gone}</w:pPr>{r('First half, ')}</w:p>"
        + p("second half.")
        + f"<w:p><w:pPr>{gone}</w:pPr><w:del {change}><w:r><w:delText>All gone</w:delText></w:r>"
        f"</w:del></w:p><w:moveFrom {change}>{p('left')}</w:moveFrom>"
        f"<w:p><w:moveFrom {change}>{r('moved away')}</w:moveFrom>"
        f"<w:moveTo {change}>{r('moved here')}</w:moveTo></w:p>"
        f"<w:tbl><w:tr>{tc(p('a'))}{tc(p('b'))}</w:tr>{row}<w:tr>{tc(p('c'))}{tc(p('d'))}</w:tr>"
        "</w:tbl>"
    )
    assert document.text.split("\n\n")[:3] == [
        "The fee is 12 euro.",
        "First half, second half.",
        "moved here",
    ]
    assert document.blocks[-1].cells == (("a", "b"), ("c", "d"))


def test_notes_stand_after_the_paragraph_that_refers_to_them() -> None:
    document = read(
        f'<w:p>{r("Seals last")}<w:r><w:footnoteReference w:id="2"/></w:r>{r(" long")}'
        '<w:r><w:endnoteReference w:id="2"/></w:r></w:p>' + p("Next."),
        footnotes=(
            f'<w:footnote w:type="separator" w:id="0">{p("----")}</w:footnote>'
            f'<w:footnote w:id="2">{p("Two years.")}{p("At most.")}</w:footnote>'
        ),
        endnotes=f'<w:endnote w:id="2">{p("By test.")}</w:endnote>',
    )
    assert document.text == (
        "Seals last[1] long[2]\n\n[1] Two years. At most.\n\n[2] By test.\n\nNext."
    )


def test_links_and_fields_keep_what_they_show() -> None:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    document = read(
        f'<w:p>{r("See ")}<w:hyperlink r:id="h">{r("the ")}{r("guide")}</w:hyperlink>{r(".")}</w:p>'
        f'<w:p>{char("begin")}<w:r><w:instrText> HYPERLINK "https://b.example/x" </w:instrText>'
        "</w:r>"
        f"{char('separate')}{r('field link')}{char('end')}{r(' then ')}"
        f'<w:fldSimple w:instr=" DATE ">{r("3 May")}</w:fldSimple></w:p>'
        f'<w:p><w:hyperlink w:anchor="top">{r("up")}</w:hyperlink></w:p>'
        f'<w:p><w:hyperlink r:id="j">{r("dead")}</w:hyperlink></w:p>',
        ("h", "hyperlink", "https://a.example/"),
        ("j", "hyperlink", "javascript:alert(1)//://"),
    )
    assert document.text == "See the guide.\n\nfield link then 3 May\n\nup\n\ndead"
    shown = [
        (document.text[link.span.start : link.span.end], link.target) for link in document.links
    ]
    assert shown == [
        ("the guide", "https://a.example/"),
        ("field link", "https://b.example/x"),
        ("up", "#top"),
    ]


def test_text_boxes_are_read_once_and_controls_keep_their_content() -> None:
    box = f"<w:txbxContent>{p('In the box')}</w:txbxContent>"
    checked = "<w14:checkbox><w14:checked w14:val='1'/></w14:checkbox>"
    document = read(
        f"<w:p>{r('Anchor')}<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>"
        f"<wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        f"<w:sdt><w:sdtContent>{p('In a control')}</w:sdtContent></w:sdt>"
        f"<w:p><w:sdt><w:sdtPr>{checked}</w:sdtPr><w:sdtContent>{r('☒')}</w:sdtContent></w:sdt>"
        f"{r(' Signed')}</w:p>"
    )
    assert document.text == "Anchor\n\nIn the box\n\nIn a control\n\n[x] Signed"


def test_comments_headers_and_contents_are_left_out_with_a_note() -> None:
    document = read(
        f'<w:p><w:commentRangeStart w:id="0"/>{r("Reviewed text")}<w:commentRangeEnd w:id="0"/>'
        '<w:r><w:commentReference w:id="0"/></w:r></w:p>'
        "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj>"
        f"</w:sdtPr><w:sdtContent>{p('Reviewed text 1')}</w:sdtContent></w:sdt>",
        comments=f'<w:comment w:id="0">{p("is this so?")}</w:comment>',
        header=p("CONFIDENTIAL"),
    )
    assert document.text == "Reviewed text"
    assert document.notes == (
        "1 comment was left out",
        "a generated table of contents was left out",
    )


def test_pages_begin_where_they_are_asked_for() -> None:
    page = '<w:r><w:br w:type="page"/></w:r>'
    document = read(
        p("one")
        + f"<w:p>{page}{r('two')}</w:p>"
        + p("three", properties="<w:pageBreakBefore/>")
        + p("still three", properties="<w:sectPr><w:type w:val='nextPage'/></w:sectPr>")
        + p("four")
    )
    assert document.text == "one\n\n\f\n\ntwo\n\n\f\n\nthree\n\nstill three\n\n\f\n\nfour"
    assert [b.level for b in document.blocks if b.kind == "page_break"] == [2, 3, 4]


def test_pages_as_word_saved_them_are_not_counted_twice() -> None:
    saved = "<w:r><w:lastRenderedPageBreak/></w:r>"
    document = read(
        f'<w:p>{r("one")}<w:r><w:br w:type="page"/></w:r></w:p><w:p>{saved}{r("two")}</w:p>'
        f"<w:p>{r('long ')}{saved}{r('paragraph')}</w:p>" + p("three")
    )
    assert [b.level for b in document.blocks if b.kind == "page_break"] == [2, 3]
    assert document.text == "one\n\n\f\n\ntwo\n\nlong paragraph\n\n\f\n\nthree"


def test_code_keeps_every_character() -> None:
    tab = "<w:r><w:tab/></w:r>"
    document = read(
        p("if x &lt; 3:", "HTMLVorformatiert")
        + f'<w:p><w:pPr><w:pStyle w:val="HTMLVorformatiert"/></w:pPr>{tab}{r("run(  )")}</w:p>'
        + p("done")
    )
    assert document.text == "```\nif x < 3:\n\trun(  )\n```\n\ndone"


@pytest.mark.parametrize(
    ("omml", "line"),
    [
        (
            "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>",
            "x^2",
        ),
        (
            "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f>",
            "(a+b)/c",
        ),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r>'
            "</m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary>",
            "∑_(i=1)^n i",
        ),
        (
            '<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:r><m:t>2</m:t></m:r>'
            "</m:e></m:rad>",
            "√(2)",
        ),
    ],
)
def test_equations_read_as_a_line(omml: str, line: str) -> None:
    assert read(f"<w:p>{r('y = ')}<m:oMath>{omml}</m:oMath></w:p>").text == f"y = {line}"


def test_pictures_speak_by_their_alt_text() -> None:
    named = '<wp:docPr id="1" name="Picture 1" descr="{}"/>'
    picture = f"<w:drawing><wp:inline>{named}</wp:inline></w:drawing>"
    document = read(
        f"<w:p><w:r>{picture.format('Valve, closed')}</w:r></w:p>"
        f"<w:p><w:r>{picture.format('image1.png')}</w:r></w:p>"
    )
    assert [(block.kind, document.text) for block in document.blocks] == [
        ("figure", "Valve, closed")
    ]


def test_charts_and_diagrams_give_their_words_and_numbers() -> None:
    main = "http://schemas.openxmlformats.org/drawingml/2006"
    spaces = f'xmlns:c="{main}/chart" xmlns:a="{main}/main" xmlns:dgm="{main}/diagram"'

    def cache(kind: str, *values: str) -> str:
        points = "".join(f'<c:pt idx="{at}"><c:v>{v}</c:v></c:pt>' for at, v in enumerate(values))
        return f"<c:{kind}>{points}</c:{kind}>"

    def graphic(inner: str) -> str:
        data = f"<a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic>"
        return f"<w:p><w:r><w:drawing {spaces}>{data}</w:drawing></w:r></w:p>"

    series = (
        f"<c:ser><c:tx>{cache('strCache', 'Lakes')}</c:tx><c:cat>{cache('strCache', 'A', 'B')}"
        f"</c:cat><c:val>{cache('numCache', '0.30000000000000004', '7')}</c:val></c:ser>"
    )
    chart = (
        f"<c:chartSpace {spaces}><c:chart><c:title><a:p><a:r><a:t>Ducks</a:t></a:r></a:p></c:title>"
        f"<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
    diagram = (
        f"<dgm:dataModel {spaces}><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Order</a:t></a:r></a:p>"
        "</dgm:t></dgm:pt><dgm:pt type='pres'><dgm:t><a:p><a:r><a:t>Order</a:t></a:r></a:p></dgm:t>"
        "</dgm:pt></dgm:ptLst></dgm:dataModel>"
    )
    body = graphic('<c:chart r:id="c"/>') + graphic('<dgm:relIds r:dm="d"/>')
    out = io.BytesIO(built(body, ("c", "chart", "c.xml"), ("d", "diagramData", "d.xml")))
    with ZipFile(out, "a") as file:
        file.writestr("word/c.xml", chart)
        file.writestr("word/d.xml", diagram)
    document = parse(RawDoc("a.docx", out.getvalue()), NOTHING_KNOWN)
    assert document.text == (
        "Ducks\n\n|  | Lakes |\n| --- | --- |\n| A | 0.3 |\n| B | 7 |\n\n- Order"
    )


def test_the_strict_namespace_reads_the_same() -> None:
    body = p("Eins", "berschrift1") + item("one", 2) + p("end")
    strict = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
    out = io.BytesIO()
    with ZipFile(io.BytesIO(built(body))) as old, ZipFile(out, "w") as new:
        for name in old.namelist():
            part = old.read(name).replace(W.encode(), strict)
            place = b"http://purl.oclc.org/ooxml/officeDocument/relationships"
            new.writestr(name, part.replace(R.encode(), place))
    assert parse(RawDoc("a.docx", out.getvalue()), NOTHING_KNOWN).text == read(body).text


def test_hidden_text_is_not_read_and_an_empty_file_is_refused() -> None:
    assert read(f"<w:p>{r('seen')}{r('secret', '<w:vanish/>')}</w:p>").text == "seen"
    with pytest.raises(InputError, match=r"no text in kb/file\.docx"):
        read(p())
