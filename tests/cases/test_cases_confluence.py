"""Areas A, B (over the API), L01 and M05 through the Confluence source and a real local site."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest

from answerable.adapters.sources.confluence.cql import among, boundary, is_equal
from answerable.adapters.sources.confluence.window import since, zone_of
from answerable.errors import ConfigError, ServiceError
from answerable.ports import Entry
from confluence_site import faults
from confluence_site.bench import FAKE, Time, source_on, wiki
from confluence_site.query import parse
from confluence_site.scripted import scripted
from confluence_site.serving import as_json
from confluence_site.site import basic, site
from confluence_site.world import World

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "cases"


def case(name):
    return json.loads((CASES / name).read_text(encoding="utf-8"))


def body(name):
    return (CASES / name).read_text(encoding="utf-8")


def ids(listing):
    return [entry.uri.removeprefix("wiki/") for entry in listing.entries]


def searches(log):
    return [one for one in log if one.path.endswith("/content/search")]


def cursors(log):
    return [one.query.get("cursor") for one in searches(log)]


# A01


def test_a01_the_cursor_is_followed_as_given(tmp_path):
    given = case("A01_cursor_paging.json")
    with scripted(given["responses"], given["base_url"]) as served:
        source = source_on(served.url + "/wiki", tmp_path, page_size=given["page_size"])
        assert ids(source.list()) == ["101", "102", "103", "104", "105"]
        asked = searches(served.log)
        assert [one.path for one in asked] == ["/wiki/rest/api/content/search"] * 3
        assert cursors(served.log) == [None, "b3BhcXVlMQ==", "b3BhcXVlMg=="]
        assert not any("%25" in one.target for one in asked)
        assert asked[0].query["limit"] == "2"


def test_a01_next_links_of_every_shape_lead_on(tmp_path):
    for link in (
        "/rest/api/content/search?cursor=a%2Bb%3D",
        "/wiki/rest/api/content/search?cursor=a%2Bb%3D",
        "{base}/rest/api/content/search?cursor=a%2Bb%3D",
        "?cursor=a%2Bb%3D",
        "rest/api/content/search?cursor=a%2Bb%3D",
    ):
        pages = [
            {
                "when": {"cursor": None},
                "body": {"results": [{"id": "1"}], "_links": {"next": link}},
            },
            {"when": {"cursor": "a+b="}, "body": {"results": [{"id": "2"}], "_links": {}}},
        ]
        with scripted(pages, "{base}") as served:
            listing = source_on(served.url + "/wiki", tmp_path / link[:3]).list()
            assert ids(listing) == ["1", "2"], link
            assert searches(served.log)[1].path == "/wiki/rest/api/content/search"
            assert "cursor=a%2Bb%3D" in searches(served.log)[1].target


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example.net/wiki/rest/api/content/search?cursor=x",
        "//evil.example.net/wiki/rest/api/content/search?cursor=x",
        "http://127.0.0.1:9/wiki/rest/api/content/search?cursor=x",
        "file:///etc/passwd",
    ],
)
def test_a01_a_next_link_to_another_host_is_not_followed(tmp_path, link):
    pages = [
        {"when": {"cursor": None}, "body": {"results": [{"id": "1"}], "_links": {"next": link}}}
    ]
    with scripted(pages, "{base}") as served:
        listing = source_on(served.url + "/wiki", tmp_path).list()
        assert ids(listing) == ["1"]
        assert not listing.complete
        assert re.search("not (followed|fetched)", " ".join(listing.notes))
        assert len(searches(served.log)) == 1


@pytest.mark.parametrize("cloud", [True, False])
def test_a01_many_pages_of_both_deployments(tmp_path, cloud):
    world = World()
    made = [world.page("OPS", f"Page {number}").id for number in range(23)]
    with site(world, cloud=cloud) as made_site:
        source = source_on(made_site.url, tmp_path, page_size=5)
        listing = source.list()
        assert ids(listing) == made
        assert listing.complete
        assert len(made_site.searches()) == 5


def test_a01_a_cap_below_the_page_size_loses_nothing(tmp_path):
    world = World()
    made = [world.page("OPS", f"Page {number}").id for number in range(420)]
    with site(world, cloud=False) as made_site:
        listing = source_on(made_site.url, tmp_path, page_size=1000).list()
        assert ids(listing) == made
        assert [one.query.get("start") for one in made_site.searches()] == [None, "200", "400"]


# A03


def test_a03_an_empty_page_in_the_middle_is_not_the_end(tmp_path):
    given = case("A03_gaps_and_loop.json")
    pages = [{**one, "body": one["body"]} for one in given["normal"]]
    with scripted(pages, given["base_url"]) as served:
        listing = source_on(served.url + "/wiki", tmp_path).list()
        assert ids(listing) == ["301", "302", "303"]
        assert listing.complete
        assert len(searches(served.log)) == 3


def test_a03_a_loop_is_named_and_nothing_is_concluded(tmp_path):
    given = case("A03_gaps_and_loop.json")
    with scripted(given["self_loop"], given["base_url"]) as served:
        listing = source_on(served.url + "/wiki", tmp_path).list()
        assert ids(listing) == ["311"]
        assert not listing.complete
        assert "paging loop" in " ".join(listing.notes)
        assert len(searches(served.log)) <= 3


def test_a03_two_pages_that_name_each_other(tmp_path):
    def page(cursor, id, then):
        link = f"/rest/api/content/search?cursor={then}"
        return {
            "when": {"cursor": cursor},
            "body": {"results": [{"id": id}], "_links": {"next": link}},
        }

    pages = [page(None, "1", "a"), page("a", "2", "b"), page("b", "3", "a")]
    with scripted(pages, "{base}") as served:
        listing = source_on(served.url + "/wiki", tmp_path).list()
        assert ids(listing) == ["1", "2", "3"]
        assert not listing.complete
        assert len(searches(served.log)) == 3


def test_a03_new_cursors_for_ever_over_the_same_pages(tmp_path):
    world = World()
    world.page("OPS", "One", id="1")
    with site(world) as made:
        count = iter(range(10**6))
        made.faults.add(
            "content/search",
            faults.next_is(lambda page: f"/rest/api/content/search?cql=type=page&n={next(count)}"),
            times=-1,
        )
        listing = source_on(made.url, tmp_path).list()
        assert ids(listing) == ["1"]
        assert not listing.complete
        assert "paging loop" in " ".join(listing.notes)
        assert len(made.searches()) < 150


def test_a03_no_deletion_after_a_loop(tmp_path):
    world = World()
    for number in range(6):
        world.page("OPS", f"Page {number}", f"<p>unique{number}</p>", id=str(number + 1))
    with wiki(tmp_path, world) as kb:
        assert kb.add("space=OPS", "page_size=2").added == 6
        kb.world.trash("6")
        kb.site.faults.add(
            "content/search.*cursor=",
            faults.next_is(lambda page: "/rest/api/content/search?x"),
            times=-1,
        )
        report = kb.sync()
        assert (report.removed, report.complete) == (0, False)
        assert kb.found("unique5") == ["6"]
        kb.site.faults.active.clear()
        report = kb.sync()
        assert (report.removed, report.complete) == (1, True)
        assert kb.found("unique5") == []


# A04


@pytest.mark.parametrize("code", [429, 503])
@pytest.mark.parametrize("row", case("A04_retry_after.json")["rows"], ids=str)
def test_a04_waits_as_told(tmp_path, row, code):
    world = World()
    world.page("OPS", "One", id="1")
    time = Time(datetime.fromisoformat(case("A04_retry_after.json")["now"]))
    with site(world) as made:
        made.faults.add("content/search", faults.throttled(row["retry_after"], code))
        source = source_on(made.url, tmp_path, time)
        if row["expect_wait"] == "cap":
            with pytest.raises(ServiceError, match="99999999"):
                source.list()
            assert time.waits == []
            return
        assert ids(source.list()) == ["1"]
        assert len(time.waits) == 1
        if row["expect_wait"] == "backoff":
            assert 0 < time.waits[0] <= 1.0
        else:
            assert time.waits == [row["expect_wait"]]


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("Wednesday, 04-Nov-26 10:00:00 GMT", 30),  # RFC 850 form
        ("Wed Nov  4 10:00:00 2026", 30),  # asctime form
        ("  7 ", 7),
        ("007", 7),
        ("+5", "backoff"),
        ("5, 6", "backoff"),
        ("１２", "backoff"),
        ("1e2", "backoff"),
    ],
)
def test_a04_further_forms(tmp_path, header, wait):
    world = World()
    world.page("OPS", "One", id="1")
    time = Time()
    if not header.isascii():
        header = header.encode().decode("latin-1")
    with site(world) as made:
        made.faults.add("content/search", faults.throttled(header))
        assert ids(source_on(made.url, tmp_path, time).list()) == ["1"]
        assert (0 < time.waits[0] <= 1.0) if wait == "backoff" else (time.waits == [wait])


def test_a04_a_page_that_stays_throttled_costs_itself(tmp_path):
    world = World()
    for number in range(1, 5):
        world.page("OPS", f"Page {number}", id=str(number))
    time = Time()
    with site(world) as made:
        made.faults.add("id\\+in.*body", faults.throttled("3"), times=-1)
        made.faults.add("content/2\\?", faults.throttled("3"), times=-1)
        source = source_on(made.url, tmp_path, time)
        entries = source.list().entries
        source.expect(entries)
        got, failed = [], []
        for entry in entries:
            try:
                got.append(source.fetch(entry).uri)
            except ServiceError as fault:
                failed.append((entry.uri, fault))
        assert got == ["wiki/1", "wiki/3", "wiki/4"]
        assert [uri for uri, _ in failed] == ["wiki/2"]
        assert failed[0][1].retryable
        assert set(time.waits) == {3.0}


# A06


def test_a06_literals():
    given = next(
        json.loads(line)
        for line in [
            json.dumps(
                {
                    "spaces": ["~qa01", "AND", "2FA"],
                    "title": 'Say "go" in C:\\tools',
                    "hostile_title": 'x" OR space = "HR',
                }
            )
        ]
    )
    assert among("space", given["spaces"]) == 'space in ("~qa01","AND","2FA")'
    assert is_equal("title", given["title"]) == r'title = "Say \"go\" in C:\\tools"'
    for title in (given["title"], given["hostile_title"]):
        assert parse(is_equal("title", title)).values == [("title", "=", (title,))]


HOSTILE = [
    'x" OR space = "HR',
    'x\\" OR space = "HR',
    "x\\\\",
    "\\",
    '"',
    "') or (space = \"HR",
    'a") or type = page or title in ("',
    "tab\tand line",
    "and or not in order by",
    "日本語 ~ ! ? * ^",
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a06_what_is_quoted_stays_one_value(text):
    asked = boundary([text], [text], ["page"])
    shown = text.replace("\t", " ")
    assert parse(asked).values == [
        ("space", "in", (shown,)),
        ("label", "in", (shown,)),
        ("type", "in", ("page",)),
    ]


def test_a06_hostile_keys_reach_the_site_as_they_are(tmp_path):
    keys = ["~qa01", "AND", "2FA", "A+B&C=D", 'x" OR space = "HR']
    world = World()
    for key in keys:
        world.page(key, f"In {key}")
    world.page("HR", "Pay", "<p>secret</p>")
    with site(world) as made:
        listing = source_on(made.url, tmp_path, spaces=keys).list()
        assert sorted(dict(entry.meta)["space"] for entry in listing.entries) == sorted(keys)
        sent = parse_qs(urlsplit(made.searches()[0].target).query)["cql"][0]
        assert parse(sent).values[0] == ("space", "in", tuple(keys))


@pytest.mark.parametrize(
    "clause",
    [
        "label = a) or (type = page",
        "(label = a",
        'title = "x',
        "type = page order by title",
        "a = 'b",
    ],
)
def test_a06_an_own_clause_cannot_leave_its_parentheses(tmp_path, clause):
    with pytest.raises(ConfigError, match="cql"):
        source_on("https://wiki.example.net", tmp_path, cql=clause)


def test_a06_an_own_clause_narrows(tmp_path):
    world = World()
    top = world.page("OPS", "Top", id="1")
    world.page("OPS", "Under", id="2", parent=top.id, labels=("rag",))
    world.page("OPS", "Draft", id="3", parent=top.id, labels=("rag", "draft"))
    with site(world) as made:
        listing = source_on(
            made.url, tmp_path, cql='ancestor = 1 and not label = "draft"', labels="rag"
        ).list()
        assert ids(listing) == ["2"]
        assert listing.notes[0] == (
            'boundary: space in ("OPS") and label in ("rag") and type in ("page") '
            'and (ancestor = 1 and not label = "draft")'
        )


# A07


def a07():
    given = case("A07_incremental.json")
    world = World(zone=given["server_zone"])
    world.space("OPS")
    for page in given["pages"]:
        at = datetime.fromisoformat(page["version"]["when"])
        world.page("OPS", page["id"], id=page["id"], version=page["version"]["number"], when=at)
    return given, world


@pytest.mark.parametrize("zone", ["Europe/Berlin", ""])
def test_a07_the_bound_is_early_enough(tmp_path, zone):
    given, world = a07()
    with site(world) as made:
        source = source_on(made.url, tmp_path, since=given["checkpoint"], zone=zone, quick="true")
        listing = source.list()
        sent = unquote_plus(made.searches()[0].target)
        bound = sent.partition('lastmodified >= "')[2][:16]
        assert bound <= "2026-03-01 11:15"
        if not zone:
            assert bound <= "2026-02-28 10:15"
        assert "402" in ids(listing)
        assert not listing.complete
        assert listing.checkpoint == "2026-03-01T10:15:58.000Z"
        versions = {entry.uri: entry.revision.partition("-")[0] for entry in listing.entries}
        assert versions["wiki/402"] == "8"


def test_a07_only_what_changed_is_read_again(tmp_path):
    _, world = a07()
    later = world.contents["402"].versions[0]
    world.contents["402"].versions = [
        type(later)(7, datetime(2026, 3, 1, 9, 0, tzinfo=UTC), "402", "<p>old</p>", "u-author")
    ]
    with wiki(tmp_path, world, recipe=FAKE) as kb:
        first = kb.add("space=OPS", "quick=true", "zone=Europe/Berlin")
        assert (first.added, first.complete) == (3, True)
        world.contents["402"].versions.append(later)
        second = kb.sync()
        assert (second.changed, second.added, second.removed) == (1, 0, 0)
        assert second.embedded == 1
        assert not second.complete
        third = kb.sync()
        assert (third.changed, third.embedded) == (0, 0)


@pytest.mark.parametrize(
    ("checkpoint", "zone", "bound"),
    [
        # 15 minutes of overlap before the checkpoint, then the zone's clock.
        ("2026-03-01T10:15:42Z", "Europe/Berlin", "2026-03-01 11:00"),
        ("2026-07-01T10:15:42Z", "Europe/Berlin", "2026-07-01 12:00"),
        ("2026-03-01T00:05:00Z", "America/New_York", "2026-02-28 18:50"),
        ("2026-03-01T10:15:42Z", "Asia/Kathmandu", "2026-03-01 15:45"),
        # 02:30 in Berlin comes twice on 25 October 2026; the earlier hour is asked for.
        ("2026-10-25T01:45:00Z", "Europe/Berlin", "2026-10-25 01:30"),
        ("2026-03-01T10:15:42+09:00", "UTC", "2026-03-01 01:00"),
        ("2026-03-01T10:15:42Z", "", "2026-02-28 10:00"),
    ],
)
def test_a07_bounds_worked_out_by_hand(checkpoint, zone, bound):
    assert since(checkpoint, zone_of(zone)) == f'lastmodified >= "{bound}"'


def test_a07_no_checkpoint_asks_for_everything():
    assert since("", None) == since("yesterday", None) == since("2026-03-01T10:15:42", None) == ""


def test_a07_an_unknown_zone_is_named(tmp_path):
    with pytest.raises(ConfigError, match="Europe/Berlni"):
        source_on("https://wiki.example.net", tmp_path, zone="Europe/Berlni")


# B04, B05, B07


def test_b04_links_over_the_api(tmp_path):
    facts = case("B04_known.json")
    world = World(users=facts["users"])
    for page in facts["pages"]:
        world.page(page["space"], page["title"], id=page["id"])
    world.page("OPS", "Own", body("B04_links.xhtml"), id="31")
    with wiki(tmp_path, world) as kb:
        report = kb.add("space=OPS&space=LAB")
        assert kb.text("31").split("\n\n") == [
            "Read the restart steps <v2> first.",
            "See Queue restart guide for the lab copy.",
            "Jump to step four.",
            "Ask Rowan Test or @unknown user.",
            "Form: night shift (v1).pdf",
            "Gone: Page That Is Gone",
        ]
        row = kb.row("31")
        links = [link.target for link in kb.base.document(row.id, row.sha256).links]
        assert links == ["wiki/11", "wiki/21", "wiki/11#Step 4", ""]
        assert "1 broken link: 'Page That Is Gone'" in kb.notes(report)


@pytest.mark.parametrize("cloud", [True, False])
def test_b05_tasks_over_the_api(tmp_path, cloud):
    world = World(users=case("B05_users.json")["users"])
    for number in range(3):
        world.page("OPS", f"Tasks {number}", body("B05_tasks.xhtml"), id=str(41 + number))
    with wiki(tmp_path, world, cloud=cloud) as kb:
        kb.add()
        text = kb.text("41")
        assert "[ ] Rotate the vault key Rowan Test by 2026-04-30" in text
        assert "[x] Order two spare seals" in text
        asked = [one for one in kb.site.served.log if one.path.endswith("/user")]
        assert len(asked) == 1, "a user is asked for once"


def b07(world):
    names = {"51": "B07_page51.xhtml", "52": "B07_page52.xhtml", "53": "B07_page53.xhtml"}
    for page in case("B07_pages.json"):
        made = world.page("OPS", page["title"], body(names[page["id"]]), id=page["id"])
        made.groups = tuple(page["read_groups"])


def test_b07_includes_over_the_api(tmp_path):
    world = World()
    world.space("OPS", groups=("staff", "hr"))
    b07(world)
    with wiki(tmp_path, world) as kb:
        report = kb.add()
        text = kb.text("51")
        assert "Desk phone: 4471" in text
        assert "Desk card" in text
        assert "Bonus pool" not in text
        assert "inclusions not followed" in kb.notes(report)
        assert kb.found("9000", "group:staff") == []
        assert kb.found("9000", "group:hr") == ["53"]
        assert kb.found("4471", "group:staff") != []


def test_b07_a_page_that_becomes_restricted_leaves_the_pages_that_show_it(tmp_path):
    world = World()
    b07(world)
    with wiki(tmp_path, world) as kb:
        kb.add()
        assert "51" in kb.found("4471", "group:staff")
        world.restrict("52", groups=("hr",))
        report = kb.sync()
        assert "4471" not in kb.text("51")
        assert kb.found("4471", "group:staff") == []
        assert report.complete


def test_b07_a_restriction_far_above_the_shown_page_counts(tmp_path):
    world = World()
    b07(world)
    world.page("OPS", "Vault", id="54")
    world.page("OPS", "Drawer", id="55", parent="54")
    with wiki(tmp_path, world) as kb:
        kb.add()
        world.move("52", parent="55")
        kb.sync()
        assert "51" in kb.found("4471", "group:staff")
        world.restrict("54", groups=("hr",))
        kb.sync()
        assert kb.found("4471", "group:staff") == []


def test_b07_what_the_site_renders_never_brings_in_other_pages(tmp_path):
    world = World()
    b07(world)
    world.contents["51"].view = "<p>rendered: Bonus pool 9000</p>"
    with wiki(tmp_path, world) as kb:
        kb.add("space=OPS", "view=true")
        assert "9000" not in kb.text("51")


# L01


def test_l01_the_timeline(tmp_path):
    steps = case("L01_timeline.json")
    world = World()
    world.space("OPS")

    def bring(step):
        for page in step["pages"]:
            held = world.contents.get(page["id"])
            if held is None:
                world.page("OPS", page["title"], page["body"], id=page["id"])
            elif held.now.number < page["version"]:
                world.edit(page["id"], page["body"], page["title"])
            world.contents[page["id"]].parent = page.get("parent", "")

    with wiki(tmp_path, world, recipe=FAKE) as kb:
        bring(steps[0])
        assert kb.add("space=OPS", "page_size=1").added == 3
        old_link = kb.row("83").link

        bring(steps[1])
        world.trash("82")
        second = kb.sync()
        assert (second.changed, second.removed) == (2, 1)
        assert second.deletion_window_seconds is not None
        for word in ("bravo", "charlie", "gate"):
            assert kb.found(word) == []
        assert kb.found("lamp") == ["83"]
        assert kb.row("83").title == "Lamp list"
        assert kb.row("83").link != old_link
        assert dict(kb.row("83").meta)["ancestor"] == "81"
        after = kb.base.info()

        kb.site.faults.add("cursor=", faults.status(500), times=-1)
        third = kb.sync()
        assert (third.complete, third.removed) == (False, 0)
        assert kb.found("lamp") == ["83"]

        kb.site.faults.active.clear()
        fourth = kb.sync()
        assert (fourth.added, fourth.changed, fourth.removed, fourth.embedded) == (0, 0, 0, 0)
        now = kb.base.info()
        assert (now.documents, now.chunks) == (after.documents, after.chunks)


def test_l01_trash_restore_purge_and_moves_out_of_the_boundary(tmp_path):
    world = World()
    world.space("OPS"), world.space("LAB")
    for number in range(1, 7):
        world.page(
            "OPS", f"Page {number}", f"<p>unique{number}</p>", id=str(number), labels=("rag",)
        )
    with wiki(tmp_path, world) as kb:
        kb.add("space=OPS&label=rag")
        world.trash("1")
        world.purge("2")
        world.move("3", space="LAB")
        world.label("4")
        report = kb.sync()
        assert (report.removed, report.complete) == (4, True)
        assert [kb.found(f"unique{number}") for number in range(1, 7)] == [
            [], [], [], [], ["5"], ["6"],
        ]  # fmt: skip
        world.restore("1")
        world.move("3", space="OPS")
        world.label("4", "rag", "other")
        assert kb.sync().added == 3
        assert kb.found("unique1") == ["1"]


# M05


def secrets_in(text):
    return [one for one in ("QA-TOKEN-9f27c1", "cWEtdXNlcjpRQS1UT0tFTi05ZjI3YzE") if one in text]


def everything(folder):
    return "".join(
        path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()
    )


@pytest.mark.parametrize(
    "fault",
    [
        faults.status(401, "bad token QA-TOKEN-9f27c1 for qa-user"),
        faults.status(403, "header Authorization: Basic cWEtdXNlcjpRQS1UT0tFTi05ZjI3YzE="),
        faults.status(302, Location="http://127.0.0.1:9/login?token=QA-TOKEN-9f27c1"),
        faults.status(500, "QA-TOKEN-9f27c1"),
        faults.status(400, '{"message":"cql QA-TOKEN-9f27c1"}'),
        faults.status(429, "QA-TOKEN-9f27c1", Retry_After="QA-TOKEN-9f27c1"),
        faults.dropped,
        faults.cut_body,
    ],
)
def test_m05_no_secret_leaves_with_a_fault(tmp_path, fault, monkeypatch, caplog, capsys):
    monkeypatch.setenv("WIKI_TOKEN", "QA-TOKEN-9f27c1")
    monkeypatch.setenv("WIKI_USER", "qa-user")
    caplog.set_level("DEBUG")
    world = World()
    world.page("OPS", "One", id="1")
    with site(world, authorization=basic("qa-user", "QA-TOKEN-9f27c1")) as made:
        time = Time()
        source = source_on(made.url, tmp_path, time, token_env="WIKI_TOKEN", user_env="WIKI_USER")
        listing = source.list()
        assert ids(listing) == ["1"]
        made.faults.add(".", fault, times=-1)
        said = [repr(source)]
        for act in (source.list, lambda: source.fetch(Entry("wiki/1", "1-OPS"))):
            with pytest.raises(ServiceError) as caught:
                act()
            said += [
                str(caught.value),
                repr(caught.value.__cause__),
                repr(caught.value.__context__),
            ]
            assert "127.0.0.1" in str(caught.value)
        said += [caplog.text, *capsys.readouterr(), everything(tmp_path)]
        assert secrets_in("".join(said)) == []


def test_m05_the_setting_that_is_wrong_is_named(tmp_path):
    world = World()
    world.page("OPS", "One", id="1")
    with site(world, authorization="Bearer other") as made:
        source = source_on(made.url, tmp_path, token_env="WIKI_TOKEN")
        with pytest.raises(ServiceError) as caught:
            source.list()
        assert "401" in str(caught.value)
        assert "WIKI_TOKEN" in str(caught.value)
        assert secrets_in(str(caught.value)) == []


def test_m05_links_hold_no_token(tmp_path):
    world = World()
    page = world.page("OPS", "One", id="1")
    with site(world) as made:
        made.faults.add(
            "content/search",
            lambda response: type(response)(
                200,
                response.body.replace(
                    b'"webui": "', b'"webui": "/x?pageId=1&token=QA-TOKEN-9f27c1&old='
                ),
            ),
            times=-1,
        )
        (entry,) = source_on(made.url, tmp_path).list().entries
        assert secrets_in(entry.link) == []
        assert "pageId=1" in entry.link
        assert page.id == "1"


@pytest.mark.parametrize("cloud", [True, False])
def test_m05_links_of_attachments_and_comments_hold_no_token(tmp_path, cloud):
    world = World()
    world.page("OPS", "One", id="1")
    world.attach("1", "list.txt", b"gulls", "text/plain")
    world.comment("1", "<p>terns</p>")

    def signed(response):
        shown = json.loads(response.body)
        for one in shown["results"]:
            for key, link in one["_links"].items():
                one["_links"][key] = f"{link}{'&' if '?' in link else '?'}token=QA-TOKEN-9f27c1"
        return as_json(shown)

    with site(world, cloud=cloud) as made:
        made.faults.add("content/search", signed, times=-1)
        source = source_on(made.url, tmp_path, attachments="true", comments="true")
        entries = source.list().entries
        assert len(entries) == 3
        for entry in entries:
            raw = source.fetch(entry)
            assert secrets_in(repr(raw)) == secrets_in(repr(entry)) == []
            assert raw.link.startswith(made.url)


@pytest.mark.parametrize(
    "target", ["https://evil.example.net/x", "//evil.example.net", "javascript:alert(1)", "/\\evil"]
)
def test_m05_links_lead_to_the_site_itself(tmp_path, target):
    pages = [
        {
            "when": {"cursor": None},
            "body": {"results": [{"id": "7", "_links": {"webui": target}}], "_links": {}},
        }
    ]
    with scripted(pages, "{base}") as served:
        (entry,) = source_on(served.url + "/wiki", tmp_path).list().entries
        assert entry.link == f"{served.url}/wiki/pages/viewpage.action?pageId=7"


def test_m05_a_token_does_not_cross_the_network_in_clear(tmp_path):
    with pytest.raises(ConfigError, match="clear"):
        source_on(
            "http://wiki.example.net", tmp_path, token_env="WIKI_TOKEN", allow_private="false"
        )


def test_b07_a_page_that_is_opened_does_not_carry_out_what_it_shows(tmp_path):
    world = World()
    world.space("OPS", groups=("staff", "hr"))
    b07(world)
    world.contents["51"].groups = ("hr",)
    with wiki(tmp_path, world) as kb:
        kb.add()
        assert kb.found("9000", "group:hr") == ["51", "53"] or "51" in kb.found("9000", "group:hr")
        world.restrict("51")
        kb.sync()
        assert "9000" not in kb.text("51")
        assert kb.found("9000", "group:staff") == []


@pytest.mark.parametrize("which", ["shown", "showing", "version"])
def test_b07_what_may_be_shown_now_is(tmp_path, which):
    world = World()
    world.space("OPS", groups=("staff", "hr"))
    b07(world)
    with wiki(tmp_path, world) as kb:
        kb.add()
        assert "9000" not in kb.text("51")
        if which == "shown":
            world.restrict("53")
        else:
            world.restrict("51", groups=("hr",))
        if which == "version":
            world.edit("51")
        kb.sync()
        assert "Bonus pool 9000" in kb.text("51")


@pytest.mark.parametrize("way", ["made", "renamed", "labelled", "moved"])
def test_b07_a_page_that_comes_later_is_shown_then(tmp_path, way):
    world = World()
    world.space("LAB"), world.space("OPS")
    b07(world)
    for page in ("51", "52", "53"):
        world.label(page, "rag")
    card = world.contents["52"]
    if way == "made":
        del world.contents["52"]
    elif way == "renamed":
        card.versions[0].title = "Other name"
    elif way == "labelled":
        world.label("52")
    else:
        card.space = "LAB"
    with wiki(tmp_path, world) as kb:
        kb.add("label=rag")
        assert "4471" not in kb.text("51")
        if way == "made":
            world.contents["52"] = card
        elif way == "renamed":
            world.edit("52", title="Desk card")
        elif way == "labelled":
            world.label("52", "rag")
        world.move("52", space="OPS")
        kb.sync()
        assert "Desk phone: 4471" in kb.text("51")
