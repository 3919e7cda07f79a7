"""What the Confluence source owes the flow: on the test site as both deployments, and a real one.

A real site is read when ANSWERABLE_TEST_CONFLUENCE_URL is set, as in
`confluence+https://HOST/wiki?space=KEY`; ANSWERABLE_TEST_CONFLUENCE_TOKEN (and _USER on Cloud) hold
the credentials. Only what is read is asked for, nothing is written.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

import pytest

from answerable.adapters.sources.around import Around
from answerable.adapters.sources.confluence.source import make, options_of
from answerable.errors import ConfigError, InputError, ServiceError
from answerable.ports import Ahead, Entry, People, Source
from answerable.records.docs import Access
from confluence_site.site import basic, site
from confluence_site.world import World

REAL = os.environ.get("ANSWERABLE_TEST_CONFLUENCE_URL", "")
SECRETS = {"TOKEN": "QA-TOKEN", "USER": "qa@example.net"}
_real = pytest.param(
    "real", marks=pytest.mark.skipif(not REAL, reason="ANSWERABLE_TEST_CONFLUENCE_URL is not set")
)


def world():
    made = World(users={"u1": "Rowan Test"}, keys={"u1": "f" * 32})
    made.space("OPS", groups=("staff",), users=("u1",))
    home = made.page("OPS", "Home", "<p>home</p>", id="10", groups=("ops",))
    made.page("OPS", "Keys", "<p>keys</p>", id="9", parent=home.id, labels=("rag-kb", "a"))
    made.page("OPS", "Lamps", "<p>lamps</p>", id="11", users=("u1",), groups=("night", "day"))
    made.attach("9", "plan.md", b"# Plan\n\ntext")
    made.attach("9", "photo.png", b"\x89PNG")
    made.comment("9", "<p>a word on keys</p>")
    return made


@pytest.fixture(params=["cloud", "datacenter", _real])
def made(request, tmp_path):
    def around(secrets):
        return Around(
            secrets.__getitem__,
            tmp_path,
            lambda: datetime.now(UTC).isoformat(),
            time.monotonic,
            time.sleep,
        )

    if request.param == "real":
        options = {**options_of(REAL), "token_env": "TOKEN", "max_pages": "60"}
        secrets = {"TOKEN": os.environ["ANSWERABLE_TEST_CONFLUENCE_TOKEN"]}
        if user := os.environ.get("ANSWERABLE_TEST_CONFLUENCE_USER", ""):
            options["user_env"], secrets["USER"] = "USER", user
        yield lambda: make("kb", options, around(secrets))
        return
    cloud = request.param == "cloud"
    let_in = basic(SECRETS["USER"], SECRETS["TOKEN"]) if cloud else f"Bearer {SECRETS['TOKEN']}"
    with site(world(), cloud=cloud, authorization=let_in) as running:
        options = {
            **options_of(running.target + "?space=OPS"),
            "token_env": "TOKEN",
            "allow_private": "true",
            "comments": "true",
            "attachments": "true",
            **({"user_env": "USER"} if cloud else {}),
        }
        yield lambda: make("kb", options, around(SECRETS))


def test_it_fills_the_ports(made):
    source = made()
    assert isinstance(source, Ahead)
    assert isinstance(source, People)
    assert callable(Source.list)
    assert source.name == "kb"


def test_every_entry_is_listed_once_in_a_fixed_order_and_can_be_fetched(made):
    source = made()
    listing = source.list()
    uris = [entry.uri for entry in listing.entries]
    assert uris
    assert len(uris) == len(set(uris))
    assert source.list().entries == listing.entries
    source.expect(listing.entries)
    for entry in listing.entries:
        raw = source.fetch(entry)
        assert (raw.uri, raw.revision) == (entry.uri, entry.revision)
        assert raw.media_type
        assert entry.uri.startswith("kb/")
        meta = dict(entry.meta)
        assert meta["title"] and meta["space"] and meta["id"] and meta["version"]
        assert entry.link.startswith("http")
        assert isinstance(entry.access, Access)


def test_fetching_needs_no_listing_before(made):
    entries = made().list().entries
    for entry in entries[:6]:
        told = made().fetch(entry)
        assert told.body
        bare = made().fetch(Entry(entry.uri, entry.revision))
        assert (bare.body, bare.access) == (told.body, entry.access)


def test_what_is_not_there_costs_only_itself(made):
    source = made()
    for uri in ("kb/none/more/else", "kb/../../etc/passwd", "other/9", "kb/"):
        with pytest.raises(InputError):
            source.fetch(Entry(uri, "1"))
    with pytest.raises(ServiceError):
        source.fetch(Entry("kb/999999999", "1"))
    assert source.fetch(source.list().entries[0]).body


def test_nothing_secret_is_shown(made):
    source = made()
    assert "QA-TOKEN" not in repr(source)
    assert os.environ.get("ANSWERABLE_TEST_CONFLUENCE_TOKEN", "QA-TOKEN") not in repr(source)


@pytest.mark.parametrize("cloud", [True, False])
def test_the_readers_of_the_test_site_worked_out_by_hand(tmp_path, cloud):
    with site(world(), cloud=cloud) as running:
        options = {
            **options_of(running.target + "?space=OPS"),
            "allow_private": "true",
            "comments": "true",
            "attachments": "true",
        }
        now = lambda: datetime.now(UTC).isoformat()  # noqa: E731
        source = make("kb", options, Around(str, tmp_path, now, time.monotonic, time.sleep))
        listing = source.list()
    access = {entry.uri: entry.access for entry in listing.entries}
    ops = Access(("group:ops",), also=(("group:staff", "user:u1"),))
    comment = next(uri for uri in access if uri.startswith("kb/9/comments/"))
    night = ("group:day", "group:night", "user:u1")
    assert access == {
        "kb/9": ops,
        "kb/10": ops,
        "kb/11": Access(night, also=(("group:staff", "user:u1"),)),
        comment: ops,
        "kb/9/attachments/plan.md": ops,
    }
    assert [entry.uri for entry in listing.entries][:3] == ["kb/9", "kb/10", "kb/11"]
    assert "attachments that no parser reads: 1" in listing.notes


@pytest.mark.parametrize(
    ("target", "options"),
    [
        (
            "confluence+https://acme.atlassian.net/wiki?space=OPS&space=HR&label=rag-kb",
            {
                "url": "https://acme.atlassian.net/wiki",
                "spaces": ["OPS", "HR"],
                "labels": ["rag-kb"],
            },
        ),
        (
            "confluence+https://wiki.example.net:8443/c/?cql=label%20%3D%20%22x%22&type=blogpost",
            {
                "url": "https://wiki.example.net:8443/c",
                "cql": 'label = "x"',
                "types": ["blogpost"],
            },
        ),
    ],
)
def test_a_uri_as_options(target, options):
    assert options_of(target) == options


@pytest.mark.parametrize(
    "target",
    [
        "confluence+https://wiki.example.net?space=A&token=x",
        "confluence+https://user:secret@wiki.example.net?space=A",
        "confluence+ftp://wiki.example.net?space=A",
        "confluence+https://?space=A",
    ],
)
def test_a_uri_that_cannot_be(target):
    with pytest.raises(ConfigError) as caught:
        options_of(target)
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"spaces": ["OPS"], "tokn_env": "X"}, "tokn_env"),
        ({}, "boundary"),
        ({"spaces": ["OPS"], "types": "pages"}, "pages"),
        ({"spaces": ["OPS"], "deployment": "server"}, "server"),
        ({"spaces": ["OPS"], "comments": "perhaps"}, "perhaps"),
        ({"spaces": ["OPS"], "page_size": "0"}, "page_size"),
        ({"spaces": ["OPS"], "user_env": "U"}, "user_env"),
    ],
)
def test_options_that_cannot_be(tmp_path, options, named):
    around = Around(str, tmp_path, str, time.monotonic, time.sleep)
    with pytest.raises(ConfigError, match=named):
        make("kb", {"url": "https://wiki.example.net", **options}, around)
