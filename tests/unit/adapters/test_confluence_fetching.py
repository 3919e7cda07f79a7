"""Bodies: many at once, one bad page costing itself, and nothing handed over as what it is not."""

from __future__ import annotations

import json

import pytest

from answerable.adapters.sources.confluence.adf import html_of
from answerable.adapters.sources.confluence.views import needs_view
from answerable.errors import InputError, ServiceError
from answerable.records.docs import NOTHING_KNOWN, RawDoc
from answerable.text.parsers.html import parse
from confluence_site import faults
from confluence_site.bench import source_on, wiki
from confluence_site.site import site
from confluence_site.world import World


def world_of(count):
    world = World()
    for number in range(1, count + 1):
        world.page("OPS", f"Page {number}", f"<p>body {number}</p>", id=str(number))
    return world


def bodies(source, entries):
    got, failed = {}, []
    for entry in entries:
        try:
            got[entry.uri] = source.fetch(entry).body.decode()
        except ServiceError:
            failed.append(entry.uri)
    return got, failed


@pytest.mark.parametrize("cloud", [True, False])
@pytest.mark.parametrize("fault", [faults.status(500), faults.cut_json, faults.status(400)])
def test_a_bulk_request_that_fails_costs_single_ones(tmp_path, cloud, fault):
    with site(world_of(120), cloud=cloud) as made:
        source = source_on(made.url, tmp_path)
        entries = source.list().entries
        made.faults.add("id\\+in.*body", fault, times=3)
        source.expect(entries)
        got, failed = bodies(source, entries)
        assert got == {f"wiki/{number}": f"<p>body {number}</p>" for number in range(1, 121)}
        assert failed == []


def test_a_page_that_cannot_be_given_costs_itself(tmp_path):
    with site(world_of(60)) as made:
        source = source_on(made.url, tmp_path)
        entries = source.list().entries
        made.faults.add("%227%22.*body", faults.status(500), times=-1)
        made.faults.add("content/7\\?", faults.status(500), times=-1)
        source.expect(entries)
        got, failed = bodies(source, entries)
        assert failed == ["wiki/7"]
        assert len(got) == 59


@pytest.mark.parametrize("way", ["trash", "purge"])
def test_a_page_that_went_away_meanwhile(tmp_path, way):
    world = world_of(5)
    with site(world) as made:
        source = source_on(made.url, tmp_path)
        entries = source.list().entries
        getattr(world, way)("3")
        source.expect(entries)
        assert bodies(source, entries)[1] == ["wiki/3"]


def test_an_edit_between_listing_and_fetching_is_read_again_next_time(tmp_path):
    world = world_of(3)
    with wiki(tmp_path, world) as kb:

        def edits(response):
            world.edit("2", "<p>newer words</p>", "New name")
            return response

        kb.site.faults.add("order\\+by", edits)
        kb.add()
        assert kb.found("newer") == ["2"]
        assert kb.row("2").title == "Page 2"
        kb.sync()
        assert kb.row("2").title == "New name"
        assert dict(kb.row("2").meta)["title"] == "New name"
        assert kb.sync().unchanged == 3


def test_a_page_restricted_and_then_edited_while_it_is_read_is_not_handed_over(tmp_path):
    world = world_of(3)
    world.page("OPS", "Above", id="9")
    world.move("2", parent="9")
    with wiki(tmp_path, world) as kb:

        def restricts(response):
            world.restrict("9", groups=("hr",))
            world.edit("2", "<p>secret salaries</p>")
            return response

        kb.site.faults.add("order\\+by", restricts)
        report = kb.add()
        assert "changed while it was read" in report.skipped[0].reason
        assert kb.found("salaries", "group:staff", "group:hr") == []
        report = kb.sync()
        assert (report.added, report.skipped) == (1, ())
        assert kb.found("salaries", "group:staff") == []
        assert kb.found("salaries", "group:staff", "group:hr") == ["2"]


def test_an_older_answer_than_the_listing_is_not_taken(tmp_path):
    world = world_of(2)
    world.edit("2", "<p>new</p>")
    with site(world) as made:
        source = source_on(made.url, tmp_path)
        entry = source.list().entries[1]
        world.contents["2"].versions.pop()
        with pytest.raises(ServiceError, match="listed as version 2, the site gave version 1"):
            source.fetch(entry)


def test_a_page_shown_by_many_is_fetched_once(tmp_path):
    world = world_of(1)
    shown = (
        '<p>x</p><ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link>'
        '<ri:page ri:content-title="Page 1" /></ac:link></ac:parameter></ac:structured-macro>'
    )
    for number in range(2, 150):
        world.page("OPS", f"Page {number}", shown, id=str(number))
    with wiki(tmp_path, world) as kb:
        kb.add()
        assert len(kb.found("body")) == 10 or len(kb.found("body")) > 1
        fetched = [one for one in kb.site.served.log if "body.storage" in one.target]
        assert len(fetched) == 3


VIEWED = (
    '<p>intro</p><ac:structured-macro ac:name="price-list" ac:schema-version="1">'
    '<ac:parameter ac:name="list">a</ac:parameter></ac:structured-macro>'
)


def test_rendered_where_the_storage_has_no_words(tmp_path):
    world = World()
    world.page("OPS", "Prices", VIEWED, id="1", view="<p>intro</p><p>Seal: 4 coins</p>")
    with wiki(tmp_path, world) as kb:
        kb.add()
        assert "4 coins" not in kb.text("1")
        assert "price-list" in kb.text("1")
        kb.add("space=OPS", "view=true")
        assert "4 coins" not in kb.text("1")
        kb.add("space=OPS", "view=true", "view_macros=Price-List")
        assert "Seal: 4 coins" in kb.text("1")


@pytest.mark.parametrize(
    "beside",
    [
        *(
            f'<ac:structured-macro ac:name="{name}" />'
            for name in ("include-page", "space-index", "page-properties-report", "jira", "new")
        ),
        '<ac:link><ri:content-entity ri:content-id="2" /></ac:link>',
    ],
)
def test_a_rendering_that_may_show_other_pages_is_not_taken(tmp_path, beside):
    world = World()
    world.page("OPS", "Prices", VIEWED + beside, id="1", view="<p>4 coins, zebrafink</p>")
    with wiki(tmp_path, world) as kb:
        kb.add("space=OPS", "view=true", "view_macros=price-list")
        assert kb.found("zebrafink") == []
        assert "price-list" in kb.text("1")


@pytest.mark.parametrize(
    ("storage", "needed"),
    [
        ("<p>x</p>", False),
        (VIEWED, True),
        ('<ac:structured-macro ac:name="price-list" />', True),
        (
            '<ac:structured-macro ac:name="own"><ac:rich-text-body><p>x</p></ac:rich-text-body>'
            "</ac:structured-macro>",
            False,
        ),
        (
            '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[x]]>'
            "</ac:plain-text-body></ac:structured-macro>",
            False,
        ),
        (VIEWED + '<ac:structured-macro ac:name="include"/>', False),
        (VIEWED + "<ac:structured-macro ac:name='Excerpt-Include'/>", False),
        (
            '<ac:structured-macro ac:name="panel"><ac:rich-text-body>'
            + VIEWED
            + "</ac:rich-text-body></ac:structured-macro>",
            True,
        ),
    ],
)
def test_when_rendering_is_needed(storage, needed):
    assert needs_view(storage, {"price-list", "own"}) == needed


def node(kind, *content, **attrs):
    return {"type": kind, "attrs": attrs, "content": list(content)}


def text(words, *marks):
    return {"type": "text", "text": words, "marks": [{"type": mark} for mark in marks]}


ADF = {
    "type": "doc",
    "version": 1,
    "content": [
        node("heading", text("Cold room"), level=2),
        node("paragraph", text("Keep at "), text("4 < 6", "strong"), text(" degrees.")),
        node("codeBlock", text("a < b\n  c"), language="c"),
        node(
            "table",
            node("tableRow", node("tableHeader", node("paragraph", text("Part")))),
            node("tableRow", node("tableCell", node("paragraph", text("Seal")))),
        ),
        node("taskList", node("taskItem", text("check the seal"), state="DONE")),
        node("panel", node("paragraph", text("Hot")), panelType="warning"),
        node("paragraph", node("mention", text="@Rowan"), node("date", timestamp="1777507200000")),
        node("futureThing", node("paragraph", text("kept words"))),
    ],
}


def test_the_new_editors_format_is_read():
    read = parse(RawDoc("x", html_of(ADF).encode(), "text/html"), NOTHING_KNOWN)
    kinds = [block.kind for block in read.blocks]
    assert kinds[:4] == ["heading", "paragraph", "code", "table"]
    assert "4 < 6" in read.text
    assert "a < b\n  c" in read.text
    assert "[x] check the seal" in read.text
    assert "Warning:" in read.text
    assert "@Rowan" in read.text
    assert "2026-04-30" in read.text
    assert "kept words" in read.text


def test_a_page_that_has_only_the_new_format(tmp_path):
    world = World()
    world.page("OPS", "New", "", id="1", adf=json.dumps(ADF))
    world.page("OPS", "Empty", "", id="2")
    world.page("OPS", "Broken", "", id="3", adf="{")
    with site(world) as made:
        source = source_on(made.url, tmp_path)
        first, second, third = source.list().entries
        assert b"Cold room" in source.fetch(first).body
        for entry in (second, third):
            with pytest.raises(InputError):
                source.fetch(entry)


def test_deep_documents_do_not_end_the_process():
    deep = {"type": "text", "text": "end"}
    for _ in range(5000):
        deep = {"type": "blockquote", "content": [deep]}
    assert "end" in html_of(deep)


@pytest.mark.parametrize("cloud", [True, False])
def test_attachments_and_comments_follow_their_page(tmp_path, cloud):
    world = world_of(2)
    world.attach("1", "plan (v1) ä.md", b"# Plan\n\nzebra words")
    world.attach("1", "photo.png", b"\x89PNG")
    remark = world.comment("1", "<p>okapi remark</p>").id
    with wiki(tmp_path, world, cloud=cloud) as kb:
        report = kb.add("space=OPS", "attachments=true", "comments=true")
        assert report.added == 4
        assert kb.found("zebra", "group:staff") == ["1/attachments/plan (v1) ä.md"]
        assert kb.found("okapi", "group:staff") == [f"1/comments/{remark}"]
        world.restrict("1", groups=("hr",))
        world.attach("1", "plan (v1) ä.md", b"# Plan\n\nheron words")
        kb.sync()
        assert kb.found("heron", "group:staff") == []
        assert kb.found("heron") == ["1/attachments/plan (v1) ä.md"]
        assert kb.found("zebra") == []
        world.trash("1")
        assert kb.sync().removed == 3
        assert kb.found("heron") == kb.found("okapi") == []


def test_every_label_can_be_asked_for(tmp_path):
    world = World()
    world.page("OPS", "One", "<p>words</p>", id="1", labels=("alpha", "beta"))
    world.attach("1", "notes.md", b"---\nowner: kim\n---\n\n# Notes\n\nwords")
    with wiki(tmp_path, world) as kb:
        kb.add("space=OPS", "attachments=true")
        for id in ("1", "1/attachments/notes.md"):
            fresh = kb.row(id)
            assert fresh.has("label", "alpha"), id
            assert fresh.has("label", "beta"), id
            kb.sync()
            assert kb.row(id) == fresh, "the same whether just read or listed again"


MENTION = '<p>Ask <ac:link><ri:user ri:account-id="u1" /></ac:link> about it.</p>'
SHOWING = (
    '<p>outer</p><ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link>'
    '<ri:page ri:content-title="Inner" /></ac:link></ac:parameter></ac:structured-macro>'
)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["api/user", "content/2\\?|%222%22.*body"])
def test_words_that_a_passing_fault_kept_away_come_with_the_next_sync(tmp_path, where):
    world = World(users={"u1": "Rowan Test"})
    world.page("OPS", "Outer", MENTION + SHOWING, id="1")
    world.page("OPS", "Inner", "<p>inner words</p>", id="2")
    with wiki(tmp_path, world) as kb:
        kb.site.faults.add(where, faults.status(500), times=-1)
        kb.add()
        kb.site.faults.active.clear()
        kb.sync()
        assert "Ask Rowan Test about it." in kb.text("1")
        assert "inner words" in kb.text("1")


def test_names_that_may_not_be_read_cost_the_names_only(tmp_path):
    world = World(users={"u1": "Rowan Test"})
    world.page("OPS", "Outer", MENTION, id="1")
    with wiki(tmp_path, world) as kb:
        kb.site.faults.add("api/user", faults.status(403), times=-1)
        assert kb.add().failed == 0
        assert "Ask @unknown user about it." in kb.text("1")
