"""Who may read: against the rule written out again over the wiki itself."""

from __future__ import annotations

import json
import random

import pytest

from answerable.adapters.sources.confluence.restrictions import effective, restrictions_in
from answerable.records.docs import EVERYONE, NOBODY, Access
from confluence_site import faults
from confluence_site.bench import source_on
from confluence_site.serving import as_json
from confluence_site.site import site
from confluence_site.world import World

USERS = ["u1", "u2", "u3"]
GROUPS = ["red", "green", "blue", "staff"]


def forest(seed):
    """A wiki of random trees, restrictions and permissions."""
    chance = random.Random(seed)

    def some(names, most):
        return tuple(chance.sample(names, chance.randint(0, most)))

    world = World(
        users=dict.fromkeys(USERS, "x"), keys={u: c * 32 for u, c in zip(USERS, "abc", strict=True)}
    )
    for key in ("A", "B"):
        world.space(key, users=some(USERS, 2), groups=some(GROUPS, 2))
        world.spaces[key].anonymous = chance.random() < 0.3
        world.spaces[key].hidden = chance.random() < 0.15
    made = []
    for number in range(25):
        space = chance.choice("AB")
        above = [one for one in made if one.space == space]
        page = world.page(space, f"P{number}", labels=("in",) if chance.random() < 0.6 else ())
        page.parent = chance.choice(above).id if above and chance.random() < 0.7 else ""
        if chance.random() < 0.4:
            page.users, page.groups = some(USERS, 3), some(GROUPS, 3)
        made.append(page)
    return world


def may_read(world, page, user, groups):
    """The rule in Atlassian's words: seen in the space, and let in by each page up to the top."""
    space = world.spaces[page.space]
    if space.hidden:
        return False
    if not (space.anonymous or user in space.users or set(groups) & set(space.groups)):
        return False
    return all(
        not (one.users or one.groups) or user in one.users or set(groups) & set(one.groups)
        for one in [page, *world.ancestors(page)]
    )


ASKERS = [
    (user, tuple(group for bit, group in enumerate(GROUPS) if mask >> bit & 1))
    for user in [*USERS, "stranger"]
    for mask in range(16)
]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"most_readers": 1},
        {"restrictions": False},
        {"first_api": False},
        {"cloud": False},
        {"cloud": False, "most_readers": 2},
    ],
    ids=str,
)
def test_as_the_wiki_itself_would_say(tmp_path, seed, options):
    world = forest(seed)
    if options.get("first_api") is False:
        for space in world.spaces.values():
            space.anonymous = False  # the second API does not tell of it
    with site(world, **options) as made:
        listing = source_on(made.url, tmp_path, spaces=(), labels="in", types="page").list()
    assert listing.complete
    assert {entry.uri for entry in listing.entries} == {
        f"wiki/{one.id}" for one in world.contents.values() if one.labels
    }
    for entry in listing.entries:
        page = world.contents[entry.uri.removeprefix("wiki/")]
        for user, groups in ASKERS:
            held = {f"user:{user}", *(f"group:{group}" for group in groups)}
            assert entry.access.allows(held) == bool(may_read(world, page, user, groups)), (
                entry,
                held,
            )


@pytest.mark.parametrize("cloud", [True, False])
@pytest.mark.parametrize(
    "fault",
    [faults.status(403), faults.status(500), faults.cut_json, faults.status(404)],
    ids=["403", "500", "cut", "404"],
)
def test_what_cannot_be_read_lets_nobody_in(tmp_path, fault, cloud):
    world = World()
    world.page("OPS", "Top", id="1", groups=tuple(f"g{number}" for number in range(5)))
    world.page("OPS", "Under", id="2", parent="1")
    world.page("OPS", "Beside", id="3")
    with site(world, cloud=cloud, most_readers=3) as made:
        made.faults.add("restriction/byOperation", fault, times=-1)
        listing = source_on(made.url, tmp_path).list()
        access = {entry.uri: entry.access for entry in listing.entries}
        assert access["wiki/1"] == access["wiki/2"] == NOBODY
        assert access["wiki/3"] == Access(("group:staff",))
        assert "pages whose restrictions cannot be read, open to nobody: 1" in listing.notes


@pytest.mark.parametrize("cloud", [True, False])
def test_a_space_that_does_not_tell_is_closed_unless_its_readers_are_named(tmp_path, cloud):
    world = World()
    world.space("OPS", hidden=True)
    world.page("OPS", "One", id="1")
    world.page("OPS", "Two", id="2", groups=("ops",))
    with site(world, cloud=cloud) as made:
        closed = source_on(made.url, tmp_path).list()
        assert [entry.access for entry in closed.entries] == [NOBODY, NOBODY]
        assert closed.complete
        assert "readers=" in " ".join(closed.notes)
        named = source_on(made.url, tmp_path, readers=["group:staff", "user:u1"]).list()
        space = ("group:staff", "user:u1")
        assert [entry.access for entry in named.entries] == [
            Access(space),
            Access(("group:ops",), also=(space,)),
        ]


@pytest.mark.parametrize("cloud", [True, False])
@pytest.mark.parametrize(
    "fault",
    [
        faults.status(500),
        faults.dropped,
        faults.cut_json,
        faults.throttled("9999"),
        faults.status(400),
        faults.status(200, "<html>log in</html>"),
    ],
    ids=["500", "dropped", "cut", "429", "400", "login"],
)
def test_named_readers_do_not_stand_in_for_permissions_that_failed_to_come(tmp_path, fault, cloud):
    world = World()
    world.space("OPS", groups=("ops",))
    world.page("OPS", "One", id="1")
    with site(world, cloud=cloud) as made:
        made.faults.add(r"/space/OPS|spaces", fault, times=-1)
        listing = source_on(made.url, tmp_path, readers=["group:all"]).list()
        assert [entry.access for entry in listing.entries] == [NOBODY]
        assert "space OPS cannot be read, it is open to nobody" in " ".join(listing.notes)
        made.faults.active.clear()
        after = source_on(made.url, tmp_path, readers=["group:all"]).list()
        assert [entry.access for entry in after.entries] == [Access(("group:ops",))]


@pytest.mark.parametrize("cloud", [True, False])
@pytest.mark.parametrize("status", [401, 403, 404, 501])
@pytest.mark.parametrize("boundary", [{}, {"spaces": (), "labels": "in"}], ids=["space", "label"])
def test_permissions_that_were_told_once_are_not_replaced_by_named_readers(
    tmp_path, cloud, status, boundary
):
    world = World()
    world.page("OPS", "One", id="1", labels=("in",))
    with site(world, cloud=cloud) as made:
        given = {"readers": ["group:all"], **boundary}
        untold = r"space/OPS\?|/permissions" if cloud else "/permissions"
        made.faults.add(untold, faults.status(status), times=-1)
        never = source_on(made.url, tmp_path, **given).list()
        assert [entry.access for entry in never.entries] == [Access(("group:all",))]
        made.faults.active.clear()
        told = source_on(made.url, tmp_path, **given).list()
        assert [entry.access for entry in told.entries] == [Access(("group:staff",))]
        made.faults.add(untold, faults.status(status), times=-1)
        source = source_on(made.url, tmp_path, **given)
        for _ in range(2):
            listing = source.list()
            assert [entry.access for entry in listing.entries] == [NOBODY]
            assert "as they were read before" in " ".join(listing.notes)


def test_readers_that_are_counted_and_not_shown(tmp_path):
    world = World()
    world.page("OPS", "One", id="1", groups=("hr",))
    world.page("OPS", "Two", id="2")

    def hide(response):
        shown = json.loads(response.body)
        for one in shown.get("results", [shown]):
            found = one["restrictions"]
            found.get("read", found).get("restrictions", found)["group"]["results"] = []
        return as_json(shown)

    with site(world) as made:
        made.faults.add("content/search|restriction/", hide, times=-1)
        listing = source_on(made.url, tmp_path).list()
        assert [entry.access for entry in listing.entries] == [NOBODY, Access(("group:staff",))]
        assert "pages whose restrictions cannot be read, open to nobody: 1" in listing.notes


def test_a_restriction_beyond_the_second_page_of_readers_counts(tmp_path):
    world = World()
    world.page("OPS", "One", id="1", groups=tuple(f"g{number:03}" for number in range(7)))
    with site(world, most_readers=2) as made:
        (entry,) = source_on(made.url, tmp_path).list().entries
        assert entry.access == Access(
            tuple(f"group:g{number:03}" for number in range(7)), also=(("group:staff",),)
        )


@pytest.mark.parametrize(
    ("shown", "readers", "whole"),
    [
        ({"user": {"results": []}, "group": {"results": []}}, None, True),
        ({"user": {"results": []}}, (), False),
        ({"user": {"results": [{}]}, "group": {"results": []}}, (), True),
        ({"user": {"results": [], "size": 0}, "group": {"results": [], "size": 1}}, (), False),
        ({"user": {"results": [], "totalSize": 2}, "group": {"results": []}}, (), False),
        ({"user": {"results": ["x"]}, "group": {"results": []}}, (), True),
        (
            {"user": {"results": []}, "group": {"results": []}, "app": {"results": [{"id": "1"}]}},
            (),
            True,
        ),
        (
            {"user": {"results": []}, "group": {"results": []}, "_links": {"self": "/x"}},
            None,
            True,
        ),
        (
            {
                "user": {"results": [{"accountId": "u"}], "size": 2},
                "group": {"results": [], "size": 0},
            },
            ("user:u",),
            False,
        ),
        (
            {
                "user": {"results": [{"accountId": "u"}], "start": 4, "totalSize": 5, "size": 1},
                "group": {"results": [], "start": 4, "totalSize": 0, "size": 0},
            },
            ("user:u",),
            True,
        ),
        ({"user": {"results": None}, "group": {"results": []}}, (), False),
        (None, (), False),
        (
            {"user": {"results": [{"accountId": "557058:x"}]}, "group": {"results": []}},
            ("user:557058:x",),
            True,
        ),
        (
            {"user": {"results": []}, "group": {"results": [{"name": "hr"}], "limit": 1}},
            ("group:hr",),
            False,
        ),
        (
            {
                "user": {"results": [], "_links": {"next": "/x"}},
                "group": {"results": [], "limit": 5},
            },
            None,
            False,
        ),
    ],
)
def test_lists_as_shown(shown, readers, whole):
    found = restrictions_in(shown)
    assert (found.readers, found.whole) == (readers, whole)


def test_effective_access_by_hand():
    assert effective(None, [None, None], None) == EVERYONE
    assert effective(None, [None], ("a",)) == Access(("a",))
    assert effective(("a",), [()], None) == NOBODY
    assert effective(("a", "b"), [("a",)], ("a", "c")) == Access(("a",))
    assert effective(("a",), [("b",)], ("c",)) == Access(("a",), also=(("b",), ("c",)))
