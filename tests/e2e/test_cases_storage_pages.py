"""Area B through the whole system: storage pages in a folder or a JSONL file, and variants."""

from __future__ import annotations

import json

import pytest

from answerable.records.index import Filter

pytestmark = pytest.mark.data


def shown(block, found):
    start, end = block["inner"]
    return found["text"][start:end]


def test_b01_code_is_kept_and_found(bench, read, case_file):
    path = case_file("B01_code_cdata.xhtml")
    found = read(path)
    code = [block for block in found["blocks"] if block["kind"] == "code"]
    assert [shown(block, found) for block in code] == [
        "while (q[idx[0]]> 5 && n < 9) {\n    /* <b>not markup</b> & &amp; stays */\n    n++;\n}"
    ]
    assert (code[0]["lang"], code[0]["title"]) == ("c", "guard.c")
    made = bench({path.name: path.read_bytes()})
    made.add()
    assert made.uris("not markup") == [path.name]
    assert made.uris("guard.c") == [path.name]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
        ("<![CDATA[]]>", None),
        ("<![CDATA[<ac:link>&nbsp;</ac:link>]]>", "<ac:link>&nbsp;</ac:link>"),
        ("<![CDATA[\tone\n\t\ttwo]]>", "\tone\n\t\ttwo"),
        ("<![CDATA[a ``` b\n~~~\n]]>", "a ``` b\n~~~\n"),
        ("<![CDATA[]]]]]]><![CDATA[>]]>", "]]]]>"),
    ],
)
def test_b01_variants(read, body, expected):
    page = (
        "<p>before</p><ac:structured-macro ac:name='code'><ac:parameter ac:name='language'>"
        f"yaml</ac:parameter><ac:plain-text-body>{body}</ac:plain-text-body>"
        "</ac:structured-macro><p>after</p>"
    )
    found = read("page.xhtml", page)
    code = [shown(block, found) for block in found["blocks"] if block["kind"] == "code"]
    assert code == ([] if expected is None else [expected])
    assert "before" in found["text"]
    assert "after" in found["text"]


def test_b02_entities(bench, case_file):
    path = case_file("B02_entities.xhtml")
    made = bench({path.name: path.read_bytes()})
    made.add()
    (text,) = made.texts("opening hours")
    assert "Café opening hours — Mon…Fri, the chef’s day off is Sun. Shop R&D: 5 < 6." in text
    assert "Olá, über €20, €30 and €40." in text
    assert made.uris("café chef’s") == [path.name]


@pytest.mark.parametrize(
    ("entity", "expected"),
    [
        ("a&thinsp;b", "a b"),
        ("&alpha;&Omega;&infin;", "αΩ∞"),
        ("&lt;b&gt; &amp;amp; &quot;q&quot;", '<b> &amp; "q"'),
        ("5&nbsp;&euro; &#8364; &#x20AC;", "5 € € €"),
        ("&hellip;&ndash;&mdash;&bull;", "…–—•"),
        ("x &unknownthing; y", "unknownthing"),
        ("R&D and A&B", "R&D and A&B"),
        ("ok &#0; &#xD800; done", "done"),
        ("&NotEqualTilde;", "≂̸"),
    ],
)
def test_b02_variants(read, entity, expected):
    text = read("page.xhtml", f"<p>first word {entity} last word</p>")["text"].replace("\xa0", " ")
    assert expected in text
    assert text.startswith("first word")
    assert text.endswith("last word")


def jsonl(pages) -> str:
    return "".join(json.dumps(page) + "\n" for page in pages)


def page(id, title, body, **more):
    space = more.pop("space", "")
    return {
        "_id": f"{id}.xhtml",
        "title": title,
        "text": body,
        "media_type": "application/x-confluence-storage",
        "metadata": {"space": space} if space else {},
        **more,
    }


def test_b04_links_lead_to_pages_of_their_space(bench, cases, case_file):
    known = json.loads(case_file("B04_known.json").read_text(encoding="utf-8"))
    pages = [page(p["id"], p["title"], "<p>x</p>", space=p["space"]) for p in known["pages"]]
    own = case_file("B04_links.xhtml").read_text(encoding="utf-8")
    made = bench()
    path = made.write("wiki.jsonl", jsonl([*pages, page("9", "Own", own, space="OPS")]))
    base = made.base
    report = base.add(str(path))
    assert not report.skipped
    found, chunks, documents = base.search("restart steps lab copy form gone")
    document = documents[chunks[found.final[0].chunk_id].document_id]
    for text in (
        "Read the restart steps <v2> first.",
        "See Queue restart guide for the lab copy.",
        "Jump to step four.",
        "Ask @unknown user or @unknown user.",
        "Form: night shift (v1).pdf",
        "Gone: Page That Is Gone",
    ):
        assert text in document.text
    assert [link.target for link in document.links] == [
        "wiki/11.xhtml",
        "wiki/21.xhtml",
        "wiki/11.xhtml#Step 4",
        "",
    ]
    assert "1 broken link: 'Page That Is Gone'" in {note.reason for note in report.notes}


def test_b05_tasks_keep_state_and_date(bench, case_file):
    path = case_file("B05_tasks.xhtml")
    made = bench({path.name: path.read_bytes()})
    made.add()
    (text,) = made.texts("rotate the vault key")
    assert "[ ] Rotate the vault key" in text
    assert "2026-04-30" in text
    assert "[x] Order two spare seals" in text
    for glued in ("aaaa1111", "41incomplete", "42complete"):
        assert glued not in text


def test_b05_variant_nested_tasks_and_times(read):
    text = read(
        "t.xhtml",
        "<ac:task-list><ac:task><ac:task-id>7</ac:task-id><ac:task-status>incomplete"
        "</ac:task-status><ac:task-body><span>Outer <time datetime='2027-01-02' /></span>"
        "<ac:task-list><ac:task><ac:task-id>8</ac:task-id><ac:task-status>complete"
        "</ac:task-status><ac:task-body>Inner</ac:task-body></ac:task></ac:task-list>"
        "</ac:task-body></ac:task></ac:task-list><table><tbody><tr><td>Due "
        "<time datetime='2027-03-04' /></td></tr></tbody></table>",
    )["text"]
    assert "[ ] Outer 2027-01-02" in text
    assert "[x] Inner" in text
    assert "Due 2027-03-04" in text
    assert "incomplete" not in text


def test_b07_includes_obey_the_access_of_what_they_show(bench, case_file):
    listed = json.loads(case_file("B07_pages.json").read_text(encoding="utf-8"))
    pages = [
        page(
            entry["id"],
            entry["title"],
            case_file(f"B07_page{entry['id']}.xhtml").read_text(encoding="utf-8"),
            access=entry["read_groups"] or "everyone",
        )
        for entry in listed
    ]
    made = bench()
    path = made.write("wiki.jsonl", jsonl(pages))
    report = made.base.add(str(path))
    assert (report.added, report.skipped) == (3, ())
    assert sum("not followed" in note.reason for note in report.notes) >= 2
    outsider, insider = Filter(principals=("sales",)), Filter(principals=("hr",))
    assert any(
        "From Desk card:" in text and "4471" in text
        for text in made.texts("Contacts 4471", outsider)
    )
    assert made.uris("bonus pool 9000", insider)[0] == "53.xhtml"
    assert "53.xhtml" not in made.uris("bonus pool 9000", outsider)
    assert not any("9000" in text for text in made.texts("bonus pool 9000", outsider))
    trace = made.cli("ask", "What is the bonus pool?", "--as", "sales", "--json")
    assert "9000" not in trace.out + trace.err
    assert "9000" in made.cli("search", "bonus pool", "--as", "hr", "--json").out
    audited = made.cli("audit", "list", "--json")
    assert "9000" not in audited.out


def test_b07_variants_self_include_and_a_ring_of_three(bench):
    def include(title):
        return (
            "<ac:structured-macro ac:name='include'><ac:parameter ac:name=''><ac:link>"
            f"<ri:page ri:content-title='{title}' /></ac:link></ac:parameter>"
            "</ac:structured-macro>"
        )

    made = bench(
        {
            "Self.xhtml": "<p>self words</p>" + include("Self"),
            "A.xhtml": "<p>alpha words</p>" + include("B"),
            "B.xhtml": "<p>bravo words</p>" + include("C"),
            "C.xhtml": "<p>charlie words</p>" + include("A"),
        }
    )
    report = made.add()
    assert report.added == 4
    assert len(report.notes) == 4
    assert sorted(set(made.uris("charlie"))) == ["A.xhtml", "B.xhtml", "C.xhtml"]
    made.write("C.xhtml", "<p>changed words</p>")
    again = made.add()
    assert again.changed == 3
    assert made.uris("charlie") == []
    assert sorted(made.uris("changed")) == ["A.xhtml", "B.xhtml", "C.xhtml"]


def test_a_page_whose_name_other_links_use_with_accents_in_either_form(read, bench):
    made = bench(
        {
            "Zu\u0308rich.xhtml": "<p>lake</p>",
            "Hub.xhtml": "<p>go <ac:link><ri:page ri:content-title='Zürich' /></ac:link></p>",
        }
    )
    report = made.add()
    assert report.notes == ()


def test_b05_people_are_named_by_the_file_of_users(bench, case_file):
    made = bench()
    made.write("Open.xhtml", case_file("B05_tasks.xhtml").read_bytes())
    users = made.folder / "users.json"
    users.write_bytes(case_file("B05_users.json").read_bytes())
    done = made.cli("add", made.folder / "docs", "--with", f"users={users}")
    assert done.code == 0, done.err
    told = made.cli("ask", "Which tasks are still open?").out
    assert "[ ] Rotate the vault key Rowan Test by 2026-04-30 [1]" in told
    assert "Order two spare seals" not in told
    bad = made.cli("add", made.folder / "docs", "--with", f"users={made.folder / 'none.json'}")
    assert bad.code == 2 and "none.json" in bad.err
