"""Nothing counts as deleted because a search does not show it."""

from __future__ import annotations

import pytest

from answerable.errors import ServiceError
from confluence_site import faults
from confluence_site.bench import source_on
from confluence_site.site import site
from confluence_site.world import Space, World


def world_of(count):
    world = World()
    for number in range(1, count + 1):
        world.page("OPS", f"Page {number}", id=str(number), labels=("rag",))
    return world


def ids(listing):
    return [int(entry.uri.removeprefix("wiki/")) for entry in listing.entries]


both = pytest.mark.parametrize("cloud", [True, False], ids=["cloud", "datacenter"])


@both
def test_a_listing_that_ends_early_removes_nothing(tmp_path, cloud):
    with site(world_of(100), cloud=cloud) as made:
        source = source_on(made.url, tmp_path, page_size=20)
        assert len(ids(source.list())) == 100
        made.faults.add("content/search.*(cursor|start)=", faults.early_end)
        listing = source.list()
        assert len(ids(listing)) == 40
        assert not listing.complete
        assert "left out at least" in " ".join(listing.notes)
        assert source.list().complete


def test_a_first_listing_that_ends_early_is_seen_where_the_site_counts(tmp_path):
    with site(world_of(30), cloud=False) as made:
        made.faults.add("content/search", faults.early_end)
        listing = source_on(made.url, tmp_path, page_size=20).list()
        assert not listing.complete
        assert "30 pages and listed 20" in " ".join(listing.notes)


@both
def test_a_few_that_the_search_forgot_are_asked_for_one_by_one(tmp_path, cloud):
    world = world_of(40)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path)
        before = source.list()
        world.unindexed |= {"3", "17"}
        world.trash("5")
        listing = source.list()
        assert ids(listing) == [number for number in range(1, 41) if number != 5]
        assert listing.complete
        kept = {entry.uri: entry for entry in before.entries}
        assert all(kept[entry.uri] == entry for entry in listing.entries)


@both
def test_a_search_index_that_was_lost_removes_nothing(tmp_path, cloud):
    world = world_of(60)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path)
        source.list()
        world.unindexed |= set(world.contents)
        listing = source.list()
        assert not listing.complete
        world.unindexed.clear()
        assert source.list().complete


@both
@pytest.mark.parametrize("way", ["trash", "purge", "label", "space", "hide"])
def test_what_is_gone_is_gone(tmp_path, cloud, way):
    world = world_of(10)
    world.space("LAB")
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, labels="rag")
        source.list()
        if way == "hide":
            made.faults.add("content/7\\?", faults.status(403), times=-1)
            world.unindexed.add("7")
        else:
            {
                "trash": lambda: world.trash("7"),
                "purge": lambda: world.purge("7"),
                "label": lambda: world.label("7", "other"),
                "space": lambda: world.move("7", space="LAB"),
            }[way]()
        listing = source.list()
        assert listing.complete
        assert ids(listing) == [1, 2, 3, 4, 5, 6, 8, 9, 10]


def test_with_a_clause_of_ones_own_the_search_judges(tmp_path):
    world = world_of(10)
    with site(world) as made:
        source = source_on(made.url, tmp_path, spaces=(), cql='label = "rag"')
        source.list()
        world.label("7")
        listing = source.list()
        assert listing.complete
        assert 7 not in ids(listing)


@both
def test_looking_again_that_fails_removes_nothing(tmp_path, cloud):
    world = world_of(10)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path)
        source.list()
        world.trash("7")
        made.faults.add("content/7\\?", faults.status(500), times=-1)
        assert not source.list().complete


@both
def test_pages_deleted_while_the_listing_is_walked(tmp_path, cloud):
    world = world_of(40)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, page_size=10)
        source.list()

        def deletes(response):
            for id in ("1", "2", "3"):
                world.trash(id)
            return response

        made.faults.add("content/search.*(cursor|start)=", deletes)
        listing = source.list()
        # On Data Center pages 21 to 23 move up into what was read already.
        assert set(ids(listing)) >= set(range(4, 41))


@both
def test_a_space_that_is_not_there(tmp_path, cloud):
    world = world_of(3)
    world.page("LAB", "Other", id="9")
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, spaces=["OPS", "LAB"])
        assert source.list().complete
        del world.spaces["LAB"]
        listing = source.list()
        assert ids(listing) == [1, 2, 3]
        assert not listing.complete
        assert "space LAB is not there" in " ".join(listing.notes)
        alone = source_on(made.url, tmp_path, spaces=["LAB"]).list()
        assert (alone.entries, alone.complete) == ((), False)


@both
def test_what_was_listed_is_known_beyond_a_sync_without_one_of_the_spaces(tmp_path, cloud):
    world = world_of(3)
    world.page("LAB", "Other", id="9")
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, spaces=["OPS", "LAB"])
        source.list()
        away = world.spaces.pop("LAB")
        assert not source.list().complete
        world.spaces["LAB"] = away
        world.unindexed |= {"2", "9"}
        listing = source.list()
        assert ids(listing) == [1, 2, 3, 9]
        assert listing.complete


@both
@pytest.mark.parametrize(
    "boundary", [{"labels": "rag"}, {"cql": 'label = "rag"'}], ids=["label", "cql"]
)
@pytest.mark.parametrize(("count", "left"), [(30, 0), (5, 0), (1, 0), (50, 24)])
def test_a_user_that_lost_its_rights_removes_nothing(tmp_path, cloud, boundary, count, left):
    world = world_of(count)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, spaces=(), **boundary)
        assert len(ids(source.list())) == count
        for id in list(world.contents)[left:]:
            world.trash(id)
        for _ in range(2):
            listing = source.list()
            assert len(ids(listing)) == left
            assert not listing.complete
            assert "shrink=true" in " ".join(listing.notes)
        gone = source_on(made.url, tmp_path, spaces=(), shrink="true", **boundary).list()
        assert (len(ids(gone)), gone.complete) == (left, True)


@both
@pytest.mark.parametrize(("count", "left"), [(40, 20), (45, 25), (5, 1), (20, 1)])
def test_what_goes_by_the_ordinary_is_gone(tmp_path, cloud, count, left):
    world = world_of(count)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, spaces=(), labels="rag")
        source.list()
        for id in list(world.contents)[left:]:
            world.trash(id)
        listing = source.list()
        assert (len(ids(listing)), listing.complete) == (left, True)


@both
def test_a_space_that_is_shown_can_be_empty(tmp_path, cloud):
    world = world_of(2)
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path)
        source.list()
        world.trash("1")
        world.trash("2")
        listing = source.list()
        assert (listing.entries, listing.complete) == ((), True)


@both
@pytest.mark.parametrize("way", ["label", "cql"])
def test_a_label_that_is_taken_off_every_page_is_seen(tmp_path, cloud, way):
    world = world_of(30)
    given = {"labels": "rag"} if way == "label" else {"cql": 'label = "rag"'}
    with site(world, cloud=cloud) as made:
        source = source_on(made.url, tmp_path, spaces=(), **given)
        source.list()
        for id in world.contents:
            world.label(id)
        listing = source.list()
        assert (listing.entries, listing.complete) == ((), True)


def test_what_was_listed_of_another_site_is_not_looked_for(tmp_path):
    with site(world_of(30)) as made:
        source_on(made.url, tmp_path).list()
    with site(World(spaces={"OPS": Space("OPS", 1, groups=("staff",))})) as other:
        listing = source_on(other.url, tmp_path).list()
        assert (listing.entries, listing.complete) == ((), True)


def test_a_limit_that_cuts_is_said(tmp_path):
    with site(world_of(30)) as made:
        listing = source_on(made.url, tmp_path, page_size=10, max_pages=15).list()
        assert len(ids(listing)) == 15
        assert not listing.complete
        assert "limit of 15" in " ".join(listing.notes)


@both
def test_a_site_that_says_nothing_at_all_is_an_error(tmp_path, cloud):
    with site(world_of(3), cloud=cloud) as made:
        made.faults.add("content/search", faults.status(500), times=-1)
        with pytest.raises(ServiceError, match="500"):
            source_on(made.url, tmp_path).list()


@both
@pytest.mark.parametrize(
    "fault", [faults.status(500), faults.cut_json, faults.cut_body, faults.dropped]
)
def test_a_passing_fault_changes_nothing(tmp_path, cloud, fault):
    with site(world_of(50), cloud=cloud) as made:
        source = source_on(made.url, tmp_path, page_size=10)
        before = source.list()
        made.faults.add("content/search.*(cursor|start)=", fault, after=1)
        assert source.list() == before


def test_metadata_by_hand(tmp_path):
    world = World(users={"u-author": "Ann Author"})
    world.page("OPS", "Home", id="1")
    world.page("OPS", "Run book", id="2", parent="1")
    world.page(
        "OPS", "Night shift", id="3", parent="2", labels=("rag-kb", "a"), by="u-author", version=7
    )
    with site(world) as made:
        entry = source_on(made.url, tmp_path).list().entries[2]
        assert entry.meta == (
            ("title", "Night shift"),
            ("space", "OPS"),
            ("id", "3"),
            ("type", "page"),
            ("version", "7"),
            ("author", "Ann Author"),
            ("label", "a"),
            ("label", "rag-kb"),
            ("ancestor", "1"),
            ("ancestor", "2"),
            ("ancestors", "Home / Run book"),
        )
        assert entry.link == f"{made.url}/spaces/OPS/pages/3/Night+shift"
        assert (entry.uri, entry.revision) == ("wiki/3", "7-OPS")


def test_requests_do_not_grow_with_pages(tmp_path):
    world = World()
    top = world.page("OPS", "Top", id="1", groups=("ops",))
    for number in range(2, 402):
        world.page("OPS", f"Page {number}", id=str(number), labels=("rag",), parent=top.id)
    with site(world) as made:
        source = source_on(made.url, tmp_path, labels="rag")
        listing = source.list()
        # One for the space, two of 200 pages, one for the ancestor outside the boundary.
        assert len(made.served.log) == 4
        source.expect(listing.entries)
        for entry in listing.entries:
            source.fetch(entry)
        assert len(made.served.log) == 4 + 8
